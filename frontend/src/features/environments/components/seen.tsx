import { Maximize2 } from "lucide-react";
import { useState, type MouseEvent } from "react";
import { useTranslation } from "react-i18next";

import { Attachments, isPicture, PictureDialog, type FileLink } from "@/components/attachments";
import { Badge } from "@/components/badge";
import { IconButton } from "@/components/button";
import { Select } from "@/components/field";
import { CopyButton } from "@/components/values";

import type { Episode } from "../api/environments";
import { pixelOf, pointersOf, type Pointer } from "../model/pointer";
import styles from "./seen.module.css";

interface SeenProps {
  episode: Episode;
  busy: boolean;
  onPoint: (action: string, given: Record<string, unknown>) => void;
}

/** The newest observation: the picture, which takes clicks where the actions allow, and the text. */
export function Seen({ episode, busy, onPoint }: SeenProps) {
  const { t } = useTranslation();
  const { observation } = episode;
  const picture = observation.attachments.find(isPicture);
  const others = observation.attachments.filter((file) => file !== picture);
  const data = observation.data === null || observation.data === undefined ? "" : JSON.stringify(observation.data, null, 2);
  return (
    <section className={styles["seen"]} aria-label={t("environments.seen")}>
      {observation.done && <p><Badge tone="warning">{t("environments.seen.done")}</Badge></p>}
      <div className={styles["views"]} data-picture={picture !== undefined || undefined}>
        {picture !== undefined && <Screen picture={picture} pointers={pointersOf(episode.actions)} busy={busy} onPoint={onPoint} />}
        {observation.text !== "" && (
          <div className={styles["text"]}>
            <header className={styles["head"]}><span>{t("environments.seen.text")}</span><CopyButton text={observation.text} /></header>
            <pre tabIndex={0}>{observation.text}</pre>
          </div>
        )}
      </div>
      <Attachments files={others} small />
      {data !== "" && (
        <details className={styles["data"]}>
          <summary>{t("environments.seen.data")}</summary>
          <pre tabIndex={0}>{data}</pre>
        </details>
      )}
    </section>
  );
}

function Screen({ picture, pointers, busy, onPoint }: { picture: FileLink; pointers: Pointer[]; busy: boolean; onPoint: SeenProps["onPoint"] }) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState("");
  const [large, setLarge] = useState(false);
  const [at, setAt] = useState("");
  const pointer = pointers.find(({ name }) => name === chosen) ?? pointers[0];

  const place = (event: MouseEvent<HTMLImageElement>) => {
    const image = event.currentTarget;
    const box = image.getBoundingClientRect();
    return pixelOf({ x: event.clientX - box.left, y: event.clientY - box.top }, box, { width: image.naturalWidth, height: image.naturalHeight });
  };
  return (
    <figure className={styles["screen"]}>
      <img
        src={picture.url}
        alt={t("environments.seen.picture")}
        className={pointer === undefined ? undefined : styles["takes"]}
        data-busy={busy || undefined}
        draggable={false}
        onMouseMove={(event) => {
          const { x, y } = place(event);
          setAt(`${String(x)}, ${String(y)}`);
        }}
        onMouseLeave={() => setAt("")}
        onClick={(event) => {
          if (pointer === undefined || busy) return;
          const { x, y } = place(event);
          onPoint(pointer.action, pointer.at(x, y));
        }}
      />
      <figcaption className={styles["caption"]}>
        {pointers.length > 1 && <Select className={styles["pointer"]} aria-label={t("environments.seen.pointer")} value={pointer?.name ?? ""} options={pointers.map(({ name }) => ({ value: name, label: name }))} onChange={(event) => setChosen(event.target.value)} />}
        <span>{pointer === undefined ? t("environments.seen.no_pointer") : t("environments.seen.click", { action: pointer.name })}</span>
        <span className={styles["at"]}>{at}</span>
        <IconButton label={t("forms.file.enlarge", { name: picture.name })} onClick={() => setLarge(true)}><Maximize2 /></IconButton>
      </figcaption>
      {large && <PictureDialog file={picture} onClose={() => setLarge(false)} />}
    </figure>
  );
}
