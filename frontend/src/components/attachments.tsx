import { Download, ExternalLink, FileText } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import { bytes } from "@/lib/format";

import styles from "./attachments.module.css";
import { Dialog } from "./dialog";
import { Select } from "./field";

/** A file somewhere on the server. */
export interface FileLink {
  name: string;
  media_type: string;
  size: number;
  url: string;
}

/** What the server shows in place; all else it only offers for saving. */
const PICTURES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

export function isPicture(file: { media_type: string }): boolean {
  return PICTURES.has((file.media_type.split(";")[0] ?? "").trim().toLowerCase());
}

/** Pictures to look at closely, and files to save. */
export function Attachments({ files, small = false }: { files: FileLink[]; small?: boolean }) {
  const [open, setOpen] = useState<FileLink | null>(null);
  if (files.length === 0) return null;
  const pictures = files.filter(isPicture);
  const others = files.filter((file) => !isPicture(file));
  return (
    // What happens to a picture does not happen to the row that it stands in.
    <div className={styles["attachments"]} data-small={small || undefined} onClick={(event) => event.stopPropagation()}>
      {pictures.length > 0 && (
        <div className={styles["pictures"]}>
          {pictures.map((file) => <Thumbnail key={file.url} file={file} onOpen={() => setOpen(file)} />)}
        </div>
      )}
      {others.length > 0 && (
        <ul className={styles["files"]}>
          {others.map((file) => <FileLine key={file.url} file={file} />)}
        </ul>
      )}
      {open !== null && <PictureDialog file={open} onClose={() => setOpen(null)} />}
    </div>
  );
}

function Thumbnail({ file, onOpen }: { file: FileLink; onOpen: () => void }) {
  const { t } = useTranslation();
  const [gone, setGone] = useState(false);
  if (gone) return <p className={styles["gone"]}>{t("forms.file.gone", { name: file.name })}</p>;
  return (
    <button type="button" className={styles["thumbnail"]} title={t("forms.file.enlarge", { name: file.name })} aria-label={t("forms.file.enlarge", { name: file.name })} onClick={onOpen}>
      <img src={file.url} alt={file.name} loading="lazy" onError={() => setGone(true)} />
      <span className={styles["caption"]}>{file.name} · {bytes(file.size)}</span>
    </button>
  );
}

function FileLine({ file }: { file: FileLink }) {
  const { t } = useTranslation();
  return (
    <li className={styles["file"]}>
      <FileText size={14} aria-hidden />
      <a href={file.url} download={file.name} title={t("forms.file.save", { name: file.name })}>{file.name}</a>
      <span className={styles["facts"]} title={file.media_type}>{bytes(file.size)}</span>
    </li>
  );
}

const SIZES = ["fit", "100", "200", "400"];

/** One picture: fitted to the window, or at a multiple of its own size, to be scrolled. */
export function PictureDialog({ file, onClose }: { file: FileLink; onClose: () => void }) {
  const { t } = useTranslation();
  const [size, setSize] = useState("fit");
  const [natural, setNatural] = useState(0);
  const style = size === "fit" ? undefined : { width: (natural * Number(size)) / 100, maxWidth: "none" };
  return (
    <Dialog
      open
      onClose={onClose}
      size="large"
      title={file.name}
      footer={
        <div className={styles["foot"]}>
          <Select aria-label={t("forms.file.size")} value={size} options={SIZES.map((value) => ({ value, label: value === "fit" ? t("forms.file.fit") : `${value} %` }))} onChange={(event) => setSize(event.target.value)} />
          <span className={styles["facts"]}>{file.media_type} · {bytes(file.size)}</span>
          <a href={file.url} target="_blank" rel="noreferrer"><ExternalLink size={14} aria-hidden /> {t("forms.file.alone")}</a>
          <a href={file.url} download={file.name}><Download size={14} aria-hidden /> {t("forms.file.download")}</a>
        </div>
      }
    >
      <div className={styles["stage"]} tabIndex={0} role="region" aria-label={file.name}>
        <img src={file.url} alt={file.name} style={style} data-fit={size === "fit" || undefined} onLoad={(event) => setNatural(event.currentTarget.naturalWidth)} />
      </div>
    </Dialog>
  );
}
