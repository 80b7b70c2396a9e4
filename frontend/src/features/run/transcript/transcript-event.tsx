import { memo, useEffect } from "react";

import { classNames } from "@/components/class-names";
import type { Event } from "@/generated/events";
import { familyOf } from "@/lib/events/kinds";
import { duration } from "@/lib/format";

import { EditedBadge, SourceBadge } from "../debug/components/source-badge";
import { KindBadge } from "../details/kind-badge";
import { useFromStore, useRunPlace } from "../model/run-context";
import { summary } from "../model/summary";
import { tickLabel } from "../timeline/ticks";
import { Body, Recipients } from "./body";
import styles from "./transcript.module.css";

interface TranscriptEventProps {
  seq: number;
  selected: boolean;
  found: boolean;
  unfolded: boolean;
  onSelect: () => void;
  onFold: () => void;
}

const MILLISECOND = 1_000;

/** One row: who, what kind, how long, when; below it what was said, asked or given back. */
export const TranscriptEvent = memo(function TranscriptEvent({ seq, selected, found, unfolded, onSelect, onFold }: TranscriptEventProps) {
  const { session, run } = useRunPlace();
  const { store } = session;
  const loaded = useFromStore(() => store.events.has(seq));
  useEffect(() => {
    if (!loaded) session.ensure(seq, seq);
  }, [loaded, session, seq]);
  const kind = store.kind(seq);
  const severity = store.severity(seq);
  const event = store.events.get(seq);
  const quiet = isQuiet(kind, severity);
  return (
    <article
      className={classNames(
        styles["row"],
        styles[familyOf(kind)],
        quiet && styles["quiet"],
        selected && styles["selected"],
        found && styles["found"],
        severity === 2 && styles["error"],
        run.parent_run_id !== "" && seq <= run.parent_seq && styles["shared"],
      )}
      aria-label={`#${String(seq)} ${kind}`}
      aria-current={selected || undefined}
      onClick={onSelect}
    >
      <Head seq={seq} event={event} quiet={quiet} />
      {event === undefined && <div className={styles["waiting"]} />}
      {event !== undefined && !quiet && <Body event={event} unfolded={unfolded} onFold={onFold} />}
    </article>
  );
});

function Head({ seq, event, quiet }: { seq: number; event: Event | undefined; quiet: boolean }) {
  const { store } = useRunPlace().session;
  const open = useFromStore(() => store.isOpen(seq));
  const span = store.span(seq);
  const length = span >= 0 && span !== seq && store.has(span) ? store.at(seq) - store.at(span) : 0;
  return (
    <header className={styles["head"]}>
      <span className={styles["actor"]}>{event?.actor ?? store.lanes.get(store.lane(seq))?.name}</span>
      <KindBadge kind={store.kind(seq)} severity={store.severity(seq)} />
      <SourceBadge event={event} />
      <EditedBadge seq={seq} />
      {quiet && event !== undefined && <span className={styles["inline"]}>{summary(event)}</span>}
      {event?.payload.kind === "message.sent" && <Recipients event={event} purpose={event.payload.purpose ?? ""} />}
      {length > 0 && <span className={styles["length"]}>{duration(length)}</span>}
      {open && <span className={styles["running"]} aria-hidden />}
      <span className={styles["time"]}>{tickLabel(Math.round(store.at(seq) / MILLISECOND) * MILLISECOND, MILLISECOND * 100)}</span>
      <span className={styles["seq"]}>#{seq}</span>
    </header>
  );
}

/** Comings and goings, in one line without air. */
function isQuiet(kind: string, severity: number): boolean {
  return severity === 0 && (kind.startsWith("node.") || (kind.startsWith("run.") && kind !== "run.created" && kind !== "run.finished"));
}
