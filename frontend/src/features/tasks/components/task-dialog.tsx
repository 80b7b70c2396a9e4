import { useState } from "react";
import { useTranslation } from "react-i18next";

import { Button } from "@/components/button";
import { Dialog } from "@/components/dialog";
import { Field, Input, Textarea } from "@/components/field";
import { ErrorState } from "@/components/states";
import type { Task } from "@/lib/api/types";

import { useSaveTask, type TaskDraft } from "../api/tasks";
import styles from "./task-dialog.module.css";

interface TaskDialogProps {
  /** The task to edit; a new one where it is null. */
  task: Task | null;
  sets: string[];
  /** The set that a new task begins in. */
  set: string;
  onClose: () => void;
}

/** One task: set and key, question, the answer that is right. */
export function TaskDialog({ task, sets, set, onClose }: TaskDialogProps) {
  const { t } = useTranslation();
  const save = useSaveTask();
  const [draft, setDraft] = useState<TaskDraft>(task ?? { set, key: "", question: "", answer: "", level: "", metadata: {} });
  const edit = (change: Partial<TaskDraft>) => setDraft({ ...draft, ...change });
  const ready = draft.set.trim() !== "" && draft.question.trim() !== "";
  const submit = () => {
    if (ready) save.mutate({ id: task?.id ?? null, task: draft }, { onSuccess: onClose });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={task === null ? t("tasks.add") : t("tasks.edit")}
      footer={
        <>
          <Button onClick={onClose}>{t("common.cancel")}</Button>
          <Button kind="primary" disabled={!ready} busy={save.isPending} onClick={submit}>{t("common.save")}</Button>
        </>
      }
    >
      <form
        className={styles["form"]}
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Field label={t("tasks.question")}>
          {(control) => <Textarea {...control} autoFocus rows={4} value={draft.question} onChange={(event) => edit({ question: event.target.value })} />}
        </Field>
        <Field label={t("tasks.answer")} hint={t("tasks.answer_hint")}>
          {(control) => <Textarea {...control} rows={1} className={styles["answer"]} value={draft.answer} onChange={(event) => edit({ answer: event.target.value })} />}
        </Field>
        <div className={styles["three"]}>
          <Field label={t("tasks.set")}>
            {(control) => (
              <>
                <Input {...control} list="task-sets" value={draft.set} onChange={(event) => edit({ set: event.target.value })} />
                <datalist id="task-sets">{sets.map((name) => <option key={name} value={name} />)}</datalist>
              </>
            )}
          </Field>
          <Field label={t("tasks.key")} hint={t("tasks.key_hint")}>
            {(control) => <Input {...control} mono value={draft.key} onChange={(event) => edit({ key: event.target.value })} />}
          </Field>
          <Field label={t("tasks.level")}>
            {(control) => <Input {...control} value={draft.level} onChange={(event) => edit({ level: event.target.value })} />}
          </Field>
        </div>
        {save.error !== null && <ErrorState error={save.error} title={t("tasks.not_saved")} compact />}
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}
