import { Plus, X } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import { Button, IconButton } from "@/components/button";
import { Dialog } from "@/components/dialog";
import { Checkbox, Field, Input, Select, Textarea } from "@/components/field";
import { ErrorState } from "@/components/states";
import { Tabs } from "@/components/tabs";
import { toast } from "@/components/toast";

import { useImportServers, useSaveServer, useTestServer } from "../api/mcp-servers";
import { blankServer, draftOfServer, readPasted, serverInput, serverProblems, type McpServer, type Secret, type ServerDraft, type ServerProblem } from "../model/mcp-server";
import styles from "./mcp-dialog.module.css";

const EXAMPLE = `{
  "mcpServers": {
    "files": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-filesystem", "\${workspace}"]
    },
    "search": {
      "url": "https://example.org/mcp",
      "headers": {"Authorization": "Bearer …"}
    }
  }
}`;

interface McpDialogProps {
  server: McpServer | null;
  onClose: () => void;
}

/** Adding servers, from what other clients' settings say or by a form; or changing one. */
export function McpDialog({ server, onClose }: McpDialogProps) {
  const { t } = useTranslation();
  const [how, setHow] = useState<"paste" | "form">("paste");
  if (server !== null) return <ServerForm server={server} onClose={onClose} title={t("mcp.edit", { name: server.name })} />;
  const tabs = (content: React.ReactNode) => (
    <Tabs label={t("mcp.how")} value={how} onChange={setHow} tabs={[{ name: "paste", label: t("mcp.paste") }, { name: "form", label: t("mcp.form") }]}>
      {content}
    </Tabs>
  );
  return how === "paste" ? <PasteForm onClose={onClose} frame={tabs} /> : <ServerForm server={null} onClose={onClose} title={t("mcp.add")} frame={tabs} />;
}

type Frame = (content: React.ReactNode) => React.ReactNode;

function PasteForm({ onClose, frame }: { onClose: () => void; frame: Frame }) {
  const { t } = useTranslation();
  const add = useImportServers();
  const test = useTestServer();
  const [text, setText] = useState("");
  const [tried, setTried] = useState(false);
  const { config, problem } = readPasted(text);

  function submit(): void {
    setTried(true);
    if (problem !== null) return;
    add.mutate(config, {
      onSuccess: ({ servers, ignored }) => {
        if (ignored.length > 0) toast({ text: t("mcp.ignored", { fields: ignored.join(", ") }), mark: "warning" });
        // One after the other: each may have to fetch a package first.
        void servers.reduce((before, made) => before.then(() => test.mutateAsync(made.id)).then(() => undefined), Promise.resolve()).catch(() => undefined);
        onClose();
      },
    });
  }

  return (
    <Dialog open onClose={onClose} as="drawer" title={t("mcp.add")} footer={<Button kind="primary" busy={add.isPending} onClick={submit}>{t("mcp.add_and_test")}</Button>}>
      {frame(
        <div className={styles["form"]}>
          <Field label={t("mcp.paste_label")} hint={t("mcp.paste_hint")} problem={tried && problem !== null ? t(`mcp.pasted.${problem}`) : undefined}>
            {(control) => <Textarea {...control} mono autoFocus rows={14} placeholder={EXAMPLE} value={text} onChange={(event) => setText(event.target.value)} />}
          </Field>
          <p className={styles["warning"]}>{t("mcp.trust")}</p>
          {add.error !== null && <ErrorState error={add.error} title={t("mcp.not_saved")} compact />}
        </div>,
      )}
    </Dialog>
  );
}

function ServerForm({ server, onClose, title, frame = (content) => content }: McpDialogProps & { title: string; frame?: Frame }) {
  const { t } = useTranslation();
  const save = useSaveServer();
  const test = useTestServer();
  const [draft, setDraft] = useState<ServerDraft>(() => (server === null ? blankServer() : draftOfServer(server)));
  const [tried, setTried] = useState(false);
  const problems = serverProblems(draft);

  function submit(): void {
    setTried(true);
    if (problems.length > 0) return;
    save.mutate(
      { id: server?.id ?? null, input: serverInput(draft) },
      {
        onSuccess: (saved) => {
          test.mutate(saved.id);
          onClose();
        },
      },
    );
  }

  return (
    <Dialog open onClose={onClose} as="drawer" title={title} footer={<Button kind="primary" busy={save.isPending} onClick={submit}>{t("mcp.save_and_test")}</Button>}>
      {frame(
        <form
          className={styles["form"]}
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
        >
          <WhereFields draft={draft} problems={tried ? problems : []} onChange={setDraft} />
          <SecretFields draft={draft} problem={tried && problems.includes("secrets")} onChange={setDraft} />
          <Field label={t("mcp.timeout")} hint={t("mcp.timeout_hint")} problem={tried && problems.includes("timeout_s") ? t("mcp.problem.timeout_s") : undefined}>
            {(control) => <Input {...control} mono inputMode="decimal" value={draft.timeout_s} onChange={(event) => setDraft({ ...draft, timeout_s: event.target.value })} />}
          </Field>
          <Checkbox label={t("mcp.each_run")} hint={t("mcp.each_run_hint")} checked={draft.each_run} onChange={(event) => setDraft({ ...draft, each_run: event.target.checked })} />
          {draft.way === "stdio" && <p className={styles["warning"]}>{t("mcp.trust")}</p>}
          {save.error !== null && <ErrorState error={save.error} title={t("mcp.not_saved")} compact />}
          <button type="submit" hidden />
        </form>,
      )}
    </Dialog>
  );
}

interface PartProps {
  draft: ServerDraft;
  onChange: (draft: ServerDraft) => void;
}

function WhereFields({ draft, problems, onChange }: PartProps & { problems: ServerProblem[] }) {
  const { t } = useTranslation();
  const problem = (field: "name" | "command" | "url") => (problems.includes(field) ? t(`mcp.problem.${field}`) : undefined);
  const text = (field: "name" | "command" | "cwd" | "url") => ({ mono: true, value: draft[field], onChange: (event: React.ChangeEvent<HTMLInputElement>) => onChange({ ...draft, [field]: event.target.value }) });
  return (
    <>
      <Field label={t("mcp.name")} hint={t("mcp.name_hint")} problem={problem("name")}>
        {(control) => <Input {...control} {...text("name")} autoFocus maxLength={32} />}
      </Field>
      <Field label={t("mcp.way")}>
        {(control) => (
          <Select
            {...control}
            value={draft.way}
            options={[{ value: "stdio", label: t("mcp.way.stdio") }, { value: "http", label: t("mcp.way.http") }]}
            onChange={(event) => onChange({ ...draft, way: event.target.value === "http" ? "http" : "stdio" })}
          />
        )}
      </Field>
      {draft.way === "http" ? (
        <Field label={t("mcp.url")} problem={problem("url")}>
          {(control) => <Input {...control} {...text("url")} type="url" placeholder="https://example.org/mcp" />}
        </Field>
      ) : (
        <>
          <Field label={t("mcp.command")} problem={problem("command")}>
            {(control) => <Input {...control} {...text("command")} placeholder="npx" />}
          </Field>
          <Field label={t("mcp.args")} hint={t("mcp.args_hint")}>
            {(control) => <Textarea {...control} mono rows={3} value={draft.args} onChange={(event) => onChange({ ...draft, args: event.target.value })} />}
          </Field>
          <Field label={t("mcp.cwd")} hint={t("mcp.cwd_hint")}>
            {(control) => <Input {...control} {...text("cwd")} />}
          </Field>
        </>
      )}
    </>
  );
}

/** Variables or headers: values go in and never come out. */
function SecretFields({ draft, problem, onChange }: PartProps & { problem: boolean }) {
  const { t } = useTranslation();
  const words = draft.way === "http" ? "headers" : "env";
  const set = (index: number, change: Partial<Secret>) => onChange({ ...draft, secrets: draft.secrets.map((secret, at) => (at === index ? { ...secret, ...change } : secret)) });
  return (
    <fieldset className={styles["secrets"]}>
      <legend>{t(`mcp.${words}`)}</legend>
      {draft.secrets.map((secret, index) => (
        <div key={index} className={styles["secret"]}>
          <Input mono aria-label={t("mcp.secret_name")} placeholder={words === "env" ? "API_KEY" : "Authorization"} value={secret.name} readOnly={secret.stored} onChange={(event) => set(index, { name: event.target.value })} />
          <Input mono type="password" autoComplete="new-password" aria-label={t("mcp.secret_value", { name: secret.name })} placeholder={secret.stored ? t("mcp.secret_stored") : ""} value={secret.value} onChange={(event) => set(index, { value: event.target.value })} />
          <IconButton label={t("mcp.secret_remove", { name: secret.name })} onClick={() => onChange({ ...draft, secrets: draft.secrets.filter((_, at) => at !== index) })}><X /></IconButton>
        </div>
      ))}
      {problem && <p className={styles["problem"]}>✖ {t("mcp.problem.secrets")}</p>}
      <p className={styles["hint"]}>{t("mcp.secrets_hint")}</p>
      <Button kind="quiet" icon={<Plus />} className={styles["more"]} onClick={() => onChange({ ...draft, secrets: [...draft.secrets, { name: "", value: "", stored: false }] })}>{t(`mcp.add_${words}`)}</Button>
    </fieldset>
  );
}
