import { useState } from "react";
import { useTranslation } from "react-i18next";

import { Button } from "@/components/button";
import { Dialog } from "@/components/dialog";
import { useErrorText } from "@/components/states";
import { toast } from "@/components/toast";

import { useRunPlace } from "../../model/run-context";
import { summary } from "../../model/summary";
import { debugApi, type Held } from "../api/debug-api";
import { useOpenDialog } from "../model/debug-context";
import { blankAnswer, type Fields } from "../model/editable";
import styles from "./dialogs.module.css";
import { problemsOf } from "./edit-dialog";
import { PayloadForm } from "./payload-form";

/** A person answers instead of the model, the tool or another person. */
export function AnswerDialog({ span, opened }: { span: number; opened: Held }) {
  const { t } = useTranslation();
  const { run } = useRunPlace();
  const open = useOpenDialog();
  const errorText = useErrorText();
  const [draft, setDraft] = useState<Fields>(() => blankAnswer(opened.payload as unknown as Fields) ?? {});
  const [readable, setReadable] = useState(true);
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<unknown>(null);
  const send = async () => {
    setBusy(true);
    setRefused(null);
    try {
      await debugApi.substitute(run.run_id, span, withoutFixed(draft));
      toast({ text: t("debug.answer.done"), mark: "ok" });
      open(null);
    } catch (error) {
      setRefused(error);
    } finally {
      setBusy(false);
    }
  };
  const what = opened.payload.kind;
  return (
    <Dialog
      open
      onClose={() => open(null)}
      size="large"
      title={t(`debug.answer.title.${what}`)}
      description={`${opened.actor}: ${summaryOf(opened)}`}
      footer={
        <div className={styles["foot"]}>
          <span className={styles["hint"]}>{t("debug.answer.hint")}</span>
          <Button onClick={() => open(null)}>{t("common.cancel")}</Button>
          <Button kind="primary" busy={busy} disabled={!readable} onClick={() => void send()}>{t("debug.answer.send")}</Button>
        </div>
      }
    >
      <PayloadForm value={draft} onChange={setDraft} onReadable={setReadable} problems={problemsOf(refused, errorText(refused).message)} />
    </Dialog>
  );
}

/** What is asked for, in a line. */
export function summaryOf({ payload }: Held): string {
  return summary({ run_id: "", seq: -1, at: 0, actor: "", payload });
}

/** The server knows the tool and the kind from what is open. */
function withoutFixed(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !["kind", "tool", "call_id"].includes(name)));
}
