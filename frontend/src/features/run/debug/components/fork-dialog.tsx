import { useQuery } from "@tanstack/react-query";
import { GitFork, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";

import { Button, IconButton } from "@/components/button";
import { Dialog } from "@/components/dialog";
import { Field, Input } from "@/components/field";
import { useErrorText } from "@/components/states";
import { toast } from "@/components/toast";

import { useFromStore, useRunPlace } from "../../model/run-context";
import { summary } from "../../model/summary";
import { debugApi, type Edits, type Policies } from "../api/debug-api";
import { useOpenDialog } from "../model/debug-context";
import { written } from "../model/editable";
import { namesOf } from "../model/names";
import { actedOn } from "../model/use-commands";
import styles from "./dialogs.module.css";
import { ForkPlanView } from "./fork-plan";
import { PoliciesForm } from "./policies-form";

/** A new run that shares this one's steps up to one, changed, and goes on by itself. */
export function ForkDialog({ at: startAt, edits: startEdits }: { at: number; edits: Edits }) {
  const { t } = useTranslation();
  const { run, session } = useRunPlace();
  const navigate = useNavigate();
  const open = useOpenDialog();
  const errorText = useErrorText();
  const [at, setAt] = useState(startAt);
  const [edits, setEdits] = useState(startEdits);
  const [policies, setPolicies] = useState<Policies>({});
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<unknown>(null);
  useFromStore(({ store }) => store.lanes.version);
  const { tools } = namesOf(run.team, session.store);
  const plan = useQuery({
    queryKey: ["run", run.run_id, "fork-plan", at, policies, run.last_seq],
    queryFn: ({ signal }) => debugApi.forkPlan(run.run_id, at, policies, signal),
    placeholderData: (before) => before,
    retry: false,
  });
  const fault = plan.error ?? refused;
  const acted = actedOn(refused);

  const fork = async () => {
    setBusy(true);
    setRefused(null);
    try {
      const made = await debugApi.fork(run.run_id, at, edits, policies);
      open(null);
      toast({ text: t("debug.fork.done", { seq: at }), mark: "ok" });
      await navigate(`/runs/${made.run_id}`);
    } catch (error) {
      setRefused(error);
    } finally {
      setBusy(false);
    }
  };

  return (
    <Dialog
      open
      onClose={() => open(null)}
      size="large"
      title={t("debug.fork.title")}
      description={t("debug.fork.about")}
      footer={
        <div className={styles["foot"]}>
          <Button onClick={() => open(null)}>{t("common.cancel")}</Button>
          <Button kind="primary" icon={<GitFork />} busy={busy} disabled={plan.error !== null} onClick={() => void fork()}>{t("debug.fork.create")}</Button>
        </div>
      }
    >
      <div className={styles["at"]}>
        <Field label={t("debug.fork.behind")}>
          {(control) => (
            <Input {...control} mono type="number" min={0} max={run.last_seq} value={String(at)} onChange={(event) => setAt(Math.max(0, Math.floor(Number(event.target.value) || 0)))} />
          )}
        </Field>
        <StepLine seq={at} />
      </div>
      {fault !== null && (
        <div className={styles["refused"]} role="alert">
          <p>{errorText(fault).message}</p>
          {acted !== null && acted > 0 && <Button onClick={() => { setAt(acted - 1); setRefused(null); }}>{t("debug.fork.earlier", { seq: acted - 1 })}</Button>}
        </div>
      )}
      {Object.keys(edits).length > 0 && <EditLines edits={edits} onChange={setEdits} />}
      <section className={styles["section"]}>
        <h3>{t("debug.fork.policies")}</h3>
        <PoliciesForm tools={tools} policies={policies} onChange={setPolicies} />
      </section>
      <section className={styles["section"]}>
        <h3>{t("debug.fork.plan")}</h3>
        <ForkPlanView plan={plan.data} at={at} waiting={plan.isFetching} />
      </section>
    </Dialog>
  );
}

/** What happened at the step, so that the number means something. */
function StepLine({ seq }: { seq: number }) {
  const { session } = useRunPlace();
  useFromStore(({ store }) => store.events.has(seq));
  const event = session.store.events.peek(seq);
  if (event === undefined) return null;
  return <span className={styles["step"]} title={summary(event)}>{`${event.actor} · ${event.payload.kind} · ${summary(event)}`}</span>;
}

function EditLines({ edits, onChange }: { edits: Edits; onChange: (edits: Edits) => void }) {
  const { t } = useTranslation();
  return (
    <section className={styles["section"]}>
      <h3>{t("debug.fork.edits")}</h3>
      <ul>
        {Object.entries(edits).map(([seq, fields]) => (
          <li key={seq} className={styles["editLine"]}>
            <span>#{seq}</span>
            <code className={styles["cut"]} title={written(fields)}>{written(fields).replace(/\s+/g, " ")}</code>
            <IconButton label={t("debug.fork.edit_remove", { seq })} onClick={() => onChange(Object.fromEntries(Object.entries(edits).filter(([each]) => each !== seq)))}>
              <Trash2 size={14} />
            </IconButton>
          </li>
        ))}
      </ul>
    </section>
  );
}
