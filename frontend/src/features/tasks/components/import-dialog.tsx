import { FileUp } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";

import { Button } from "@/components/button";
import { Dialog } from "@/components/dialog";
import { Field, Input } from "@/components/field";
import { ErrorState, Skeleton } from "@/components/states";
import { StatusMark } from "@/components/status-mark";
import { toast } from "@/components/toast";
import { bytes } from "@/lib/format";

import { useImportTasks } from "../api/tasks";
import { linesOf, setFromName } from "../model/file";
import { DropZone } from "./drop-zone";
import styles from "./import-dialog.module.css";

const MOST_SHOWN = 100;

interface ImportDialogProps {
  /** A file that was dropped on the page, if it began so. */
  initial: File | null;
  sets: string[];
  set: string;
  onClose: () => void;
  onDone: (set: string) => void;
}

/** A file, the set it goes to, what a trial reading finds, and only then the import. */
export function ImportDialog({ initial, sets, set: current, onClose, onDone }: ImportDialogProps) {
  const { t } = useTranslation();
  const [file, setFile] = useState<File | null>(initial);
  const [set, setSet] = useState(current || (initial === null ? "" : setFromName(initial.name)));
  const [lines, setLines] = useState<string[]>([]);
  const trial = useImportTasks();
  const write = useImportTasks();
  const { mutate: tryOut } = trial;

  useEffect(() => {
    if (file === null || set.trim() === "") return;
    const timer = window.setTimeout(() => tryOut({ file, set, dryRun: true }), 250);
    return () => window.clearTimeout(timer);
  }, [file, set, tryOut]);

  useEffect(() => {
    if (file !== null) void linesOf(file).then(setLines);
  }, [file]);

  function take(next: File): void {
    setFile(next);
    if (set === "") setSet(setFromName(next.name));
  }

  const found = trial.data;
  const clean = found !== undefined && found.problems.length === 0 && !trial.isPending;
  return (
    <Dialog
      open
      onClose={onClose}
      size="large"
      title={t("tasks.import")}
      description={t("tasks.import_about")}
      footer={
        <>
          <Button onClick={onClose}>{t("common.cancel")}</Button>
          <Button
            kind="primary"
            disabled={!clean || file === null}
            busy={write.isPending}
            onClick={() =>
              file !== null &&
              write.mutate(
                { file, set, dryRun: false },
                {
                  onSuccess: (outcome) => {
                    if (outcome.problems.length > 0) return;
                    toast({ text: t("tasks.imported", { added: outcome.added, updated: outcome.updated, set }), mark: "ok" });
                    onDone(set);
                  },
                },
              )
            }
          >
            {t("tasks.import_now")}
          </Button>
        </>
      }
    >
      <div className={styles["form"]}>
        <DropZone onFile={take} accept=".jsonl,.ndjson,.json,.csv,.tsv">
          <FileUp size={20} aria-hidden />
          {file === null ? t("tasks.drop") : <span><strong>{file.name}</strong> · {bytes(file.size)}</span>}
        </DropZone>
        <Field label={t("tasks.set")} hint={t("tasks.import_set_hint")}>
          {(control) => (
            <>
              <Input {...control} list="import-sets" value={set} onChange={(event) => setSet(event.target.value)} />
              <datalist id="import-sets">{sets.map((name) => <option key={name} value={name} />)}</datalist>
            </>
          )}
        </Field>
        {trial.isPending && <Skeleton height={20} width={240} />}
        {(trial.error ?? write.error) !== null && <ErrorState error={trial.error ?? write.error} title={t("tasks.not_read")} compact />}
        {found !== undefined && !trial.isPending && found.problems.length === 0 && (
          <p className={styles["good"]}>
            <StatusMark status="ok" label={t("tasks.would", { added: found.added, updated: found.updated })} />
          </p>
        )}
        {found !== undefined && found.problems.length > 0 && (
          <section className={styles["problems"]}>
            <StatusMark status="error" label={t("tasks.broken", { count: found.problems.length })} />
            <ol>
              {found.problems.slice(0, MOST_SHOWN).map((problem) => (
                <li key={`${String(problem.line)} ${problem.message}`}>
                  <span className={styles["line"]}>{problem.line}</span>
                  <span className={styles["words"]}>
                    {problem.message}
                    {lines[problem.line - 1] !== undefined && <code className={styles["text"]} title={lines[problem.line - 1]}>{lines[problem.line - 1]?.slice(0, 300) || "∅"}</code>}
                  </span>
                </li>
              ))}
            </ol>
            {found.problems.length > MOST_SHOWN && <p className={styles["more"]}>{t("tasks.broken_more", { count: found.problems.length - MOST_SHOWN })}</p>}
          </section>
        )}
      </div>
    </Dialog>
  );
}
