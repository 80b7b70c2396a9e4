import { FileArchive, FolderUp } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";

import { Button } from "@/components/button";
import { Dialog } from "@/components/dialog";
import { Field, Input } from "@/components/field";
import { ErrorState } from "@/components/states";
import { toast } from "@/components/toast";
import { bytes } from "@/lib/format";

import { useImportSuite, type Environment } from "../api/environments";
import styles from "./import-dialog.module.css";

/** Files that one request may carry; a folder with more goes as an archive. */
const MOST_FILES = 1_000;

/** A suite's name out of what was chosen: `My Tasks.zip` becomes `my-tasks`. */
function nameOf(files: File[]): string {
  const first = files[0];
  if (first === undefined) return "";
  const whole = first.webkitRelativePath === "" ? first.name.replace(/\.[^.]+$/, "") : (first.webkitRelativePath.split("/")[0] ?? "");
  return whole.toLowerCase().replace(/[^a-z0-9._-]+/g, "-").replace(/^[^a-z0-9]+|-+$/g, "").slice(0, 80);
}

/** Brings a suite of tasks in one environment's format: a file, an archive or a folder. */
export function ImportDialog({ environment, onClose }: { environment: Environment; onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const bring = useImportSuite();
  const file = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const [files, setFiles] = useState<File[]>([]);
  const [suite, setSuite] = useState("");
  const size = files.reduce((sum, each) => sum + each.size, 0);
  const many = files.length > MOST_FILES;

  function take(list: FileList | null): void {
    const taken = [...(list ?? [])];
    if (taken.length === 0) return;
    setFiles(taken);
    setSuite(nameOf(taken));
    bring.reset();
  }

  function go(): void {
    bring.mutate(
      { environment: environment.name, suite, files },
      {
        onSuccess: (made) => {
          toast({ text: t("environments.import.done", { count: made.tasks, suite: made.name }), mark: "ok" });
          void navigate(`/environments/${made.name}`);
        },
      },
    );
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={t("environments.import.title", { environment: environment.title })}
      description={t("environments.import.about")}
      footer={
        <>
          <Button onClick={onClose}>{t("common.cancel")}</Button>
          <Button kind="primary" busy={bring.isPending} disabled={files.length === 0 || suite === "" || many} onClick={go}>{t("environments.import")}</Button>
        </>
      }
    >
      <div className={styles["form"]}>
        <div className={styles["choose"]}>
          <Button icon={<FileArchive />} onClick={() => file.current?.click()}>{t("environments.import.file")}</Button>
          <Button icon={<FolderUp />} onClick={() => folder.current?.click()}>{t("environments.import.folder")}</Button>
          <span className={styles["chosen"]}>{files.length === 0 ? t("environments.import.nothing") : t("environments.import.chosen", { count: files.length, size: bytes(size) })}</span>
        </div>
        <input ref={file} type="file" hidden aria-hidden multiple onChange={(event) => take(event.target.files)} />
        <input ref={folder} type="file" hidden aria-hidden {...{ webkitdirectory: "" }} onChange={(event) => take(event.target.files)} />
        {many && <p className={styles["many"]}>{t("environments.import.many", { most: MOST_FILES })}</p>}
        <Field label={t("environments.import.name")} hint={t("environments.import.name_hint")}>
          {(control) => <Input {...control} mono value={suite} onChange={(event) => setSuite(event.target.value)} />}
        </Field>
        {bring.error !== null && <ErrorState error={bring.error} title={t("environments.import.refused")} compact />}
      </div>
    </Dialog>
  );
}
