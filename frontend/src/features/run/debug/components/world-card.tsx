import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import { Attachments } from "@/components/attachments";
import { VerdictCard } from "@/components/verdict-card";
import { api } from "@/lib/api/client";
import { bytes } from "@/lib/format";

import { fileAddress } from "../../details/event-files";
import { SeqLink } from "../../details/seq-link";
import { useRunPlace } from "../../model/run-context";
import styles from "./world-card.module.css";

interface FileAt {
  path: string;
  seq: number;
  what: string;
  /** Among the event's files, where its bytes are in the log. */
  number: number | null;
  media_type: string;
  size: number | null;
}

interface World {
  seq: number;
  environment: string;
  task: string;
  steps: number;
  seen_seq: number | null;
  text: string;
  done: boolean;
  picture: (FileAt & { number: number }) | null;
  files: FileAt[];
  verdict: { score: number | null; why: string; details: Record<string, unknown>; near_miss: string } | null;
}

/** The run's world at the playhead: newest picture, what was read of it, files changed, verdict. */
export function WorldCard({ seq }: { seq: number }) {
  const { t } = useTranslation();
  const { session } = useRunPlace();
  const id = session.runId;
  const { data: world } = useQuery({
    queryKey: ["run", id, "world", seq],
    queryFn: ({ signal }) => api.get<World>(`/runs/${id}/world`, { seq }, signal),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 120_000,
    enabled: seq >= 0,
  });
  if (world === undefined || (world.environment === "" && world.picture === null && world.files.length === 0)) return null;
  const { picture } = world;
  return (
    <section className={styles["world"]} aria-label={t("trace.world")}>
      <header className={styles["head"]}>
        <h3>{t("trace.world")}</h3>
        {world.task !== "" && <span>{world.task}</span>}
        {world.environment !== "" && <span className={styles["soft"]}>{t("trace.world.steps", { count: world.steps })}</span>}
        {world.done && <span className={styles["soft"]}>{t("trace.world.done")}</span>}
      </header>
      {world.verdict !== null && <VerdictCard verdict={world.verdict} />}
      {picture !== null && (
        <div>
          <p className={styles["soft"]}>{t("trace.world.picture")} <SeqLink seq={picture.seq} /></p>
          <Attachments files={[{ name: picture.path, media_type: picture.media_type, size: picture.size ?? 0, url: fileAddress(id, picture.seq, picture.number) }]} />
        </div>
      )}
      {world.text !== "" && (
        <details className={styles["text"]}>
          <summary>{t("trace.world.text")} {world.seen_seq !== null && <SeqLink seq={world.seen_seq} />}</summary>
          <pre tabIndex={0}>{world.text}</pre>
        </details>
      )}
      {world.files.length > 0 && (
        <ul className={styles["files"]}>
          {world.files.map((file) => (
            <li key={file.path}>
              <span className={styles["what"]}>{t(`trace.world.${file.what}`, { defaultValue: file.what })}</span>
              {file.number === null ? <code>{file.path}</code> : <a href={fileAddress(id, file.seq, file.number)} download={file.path}>{file.path}</a>}
              {file.size !== null && <span className={styles["soft"]}>{bytes(file.size)}</span>}
              <SeqLink seq={file.seq} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
