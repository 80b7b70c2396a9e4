import { GitFork } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import { Button } from "@/components/button";
import { Dialog } from "@/components/dialog";
import { ErrorState, SkeletonRows, useErrorText } from "@/components/states";
import { toast } from "@/components/toast";
import type { Event } from "@/generated/events";
import { ApiError } from "@/lib/api/error";

import { useEvent } from "../../details/use-event";
import { useRunPlace } from "../../model/run-context";
import { debugApi } from "../api/debug-api";
import { useOpenDialog } from "../model/debug-context";
import { changedFields, fieldOfError, startFields, written, type Fields } from "../model/editable";
import { editsOf, seenPayload } from "../model/edits";
import { actedOn } from "../model/use-commands";
import styles from "./dialogs.module.css";
import { DiffView } from "./diff-view";
import { PayloadForm } from "./payload-form";

/** Change what the nodes see of an event: in a paused run on the spot, else in a fork. */
export function EditDialog({ seq }: { seq: number }) {
  const { event, error, retry } = useEvent(seq, true);
  const { t } = useTranslation();
  const open = useOpenDialog();
  if (event !== undefined) return <EditForm event={event} />;
  return (
    <Dialog open onClose={() => open(null)} title={t("debug.edit.title", { kind: "", seq })} size="large">
      {error === null ? <SkeletonRows rows={4} /> : <ErrorState error={error} onRetry={retry} />}
    </Dialog>
  );
}

function EditForm({ event }: { event: Event }) {
  const { t } = useTranslation();
  const { run, session } = useRunPlace();
  const open = useOpenDialog();
  const errorText = useErrorText();
  const original = seenPayload(event.payload as unknown as Fields, editsOf(session.store, event.seq));
  const [draft, setDraft] = useState<Fields>(() => startFields(original));
  const [readable, setReadable] = useState(true);
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<unknown>(null);
  const kind = String(original["kind"]);
  const after = changedFields(original, draft);
  const held = run.status === "paused" || run.status === "parked";
  const usable = readable && Object.keys(after).length > 0 && !busy;
  const acted = actedOn(refused);

  const fork = (at: number) => open({ name: "fork", at, edits: { [String(event.seq)]: after } });
  const apply = async () => {
    setBusy(true);
    setRefused(null);
    try {
      await debugApi.edit(run.run_id, event.seq, after);
      toast({ text: t("debug.edit.done", { seq: event.seq }), mark: "ok" });
      open(null);
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
      title={t("debug.edit.title", { kind, seq: event.seq })}
      description={held ? t("debug.edit.about", { actor: event.actor }) : t("debug.edit.about_fork", { actor: event.actor })}
      footer={
        <div className={styles["foot"]}>
          <span className={styles["hint"]}>{held ? t("debug.edit.keys") : ""}</span>
          <Button onClick={() => open(null)}>{t("common.cancel")}</Button>
          {held ? (
            <Button kind="primary" busy={busy} disabled={!usable} onClick={() => void apply()}>{t("debug.edit.apply")}</Button>
          ) : (
            <Button kind="primary" icon={<GitFork />} disabled={!usable} onClick={() => fork(event.seq)}>{t("debug.edit.fork")}</Button>
          )}
        </div>
      }
    >
      <div
        onKeyDown={(press) => {
          if (press.key !== "Enter" || !(press.ctrlKey || press.metaKey) || !usable) return;
          press.preventDefault();
          if (held) void apply();
          else fork(event.seq);
        }}
      >
        <PayloadForm value={draft} onChange={setDraft} onReadable={setReadable} problems={acted === null ? problemsOf(refused, errorText(refused).message) : {}} />
        {acted !== null && (
          <div className={styles["refused"]} role="alert">
            <p>{t("debug.edit.acted_on", { seq: acted })}</p>
            <Button icon={<GitFork />} onClick={() => fork(acted - 1)}>{t("debug.edit.fork_here")}</Button>
          </div>
        )}
        <section className={styles["section"]}>
          <h3>{t("debug.diff.title")}</h3>
          <DiffView before={written(original)} after={written(draft)} label={t("debug.diff.title")} />
        </section>
      </div>
    </Dialog>
  );
}

/** What the server refused, at the field it speaks of. */
export function problemsOf(error: unknown, message: string): Record<string, string> {
  if (error === null) return {};
  const field = error instanceof ApiError ? fieldOfError(message) : null;
  return { [field ?? ""]: message };
}
