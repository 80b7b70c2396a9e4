import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";

import { classNames } from "@/components/class-names";
import { EmptyState } from "@/components/states";
import { duration, exact } from "@/lib/format";

import { KindBadge } from "../details/kind-badge";
import { filters, matching } from "../model/filter";
import { select } from "../model/page-state";
import { usePage, useRunPlace, useStoreVersion } from "../model/run-context";
import { summary } from "../model/summary";
import { tickLabel } from "../timeline/ticks";
import styles from "./event-table.module.css";

const ROW = 28;
const MILLISECOND = 1_000;
const OVERSCAN = 12;
/** Browsers draw nothing below about 33 million pixels; a longer table is scrolled in proportion. */
const TALLEST = 30_000_000;

/**
 * Every event as a row: what the canvas shows, for eyes and screen readers that want a table.
 * Without a filter row i is seq i, so any place of any run is one jump away.
 */
export function EventTable({ matches }: { matches: ReadonlySet<number> }) {
  const { t } = useTranslation();
  const { session, page, live, narrow } = useRunPlace();
  const { store } = session;
  const version = useStoreVersion();
  const lane = usePage((state) => state.lane);
  const kind = usePage((state) => state.kind);
  const seq = usePage((state) => state.seq);
  const follow = usePage((state) => state.follow);
  const filtered = filters({ lane, kind });
  const seqs = useMemo(
    () => (filtered ? matching(store, { lane, kind }) : null),
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the store changes in place; its version tells
    [store, filtered, lane, kind, version],
  );
  const count = seqs === null ? store.head + 1 : seqs.length;
  const seqAt = (row: number) => (seqs === null ? row : (seqs[row] ?? -1));
  const rowAt = (of: number) => (seqs === null ? of : lowerBound(seqs, of));
  const scroller = useRef<HTMLDivElement>(null);
  const { first, last, offset, height, jump, onScroll } = useFixedRows(scroller, count);

  useEffect(() => {
    if (seqs === null) session.ensure(first, last);
    else for (let row = first; row <= last; row += 1) if (!store.events.has(seqAt(row))) session.ensure(seqAt(row), seqAt(row));
    // eslint-disable-next-line react-hooks/exhaustive-deps -- seqAt follows from seqs
  }, [session, store, seqs, first, last]);

  const chosen = seq === null ? -1 : rowAt(seq);
  const here = chosen >= 0 && chosen < count;
  useEffect(() => {
    if (here) jump(chosen, "auto");
    // Only where the selection moved.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [seq, here]);
  useEffect(() => {
    if (live && follow && count > 0) jump(count - 1, "end");
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [live, follow, count]);

  const onKeyDown = (event: KeyboardEvent) => {
    const page_ = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / ROW) - 2);
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: page_, PageUp: -page_ }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const row = Math.min(count - 1, Math.max(0, (chosen < 0 ? -1 : chosen) + by));
    select(page, seqAt(row));
  };

  if (count === 0) return <EmptyState title={t(filtered ? "trace.empty.filtered" : "trace.empty.title")}>{filtered ? undefined : t("trace.empty.text")}</EmptyState>;
  const rows: number[] = [];
  for (let row = first; row <= last; row += 1) rows.push(row);
  return (
    <div
      ref={scroller}
      className={styles["scroller"]}
      role="grid"
      aria-label={t("trace.table.label")}
      aria-rowcount={count + 1}
      aria-colcount={6}
      aria-activedescendant={chosen >= first && chosen <= last ? `event-${String(seq)}` : undefined}
      tabIndex={0}
      onScroll={onScroll}
      onKeyDown={onKeyDown}
    >
      <div className={classNames(styles["row"], styles["head"])} role="row" aria-rowindex={1}>
        <span role="columnheader" className={styles["number"]}>{t("trace.table.seq")}</span>
        <span role="columnheader" className={styles["number"]}>{t("trace.table.time")}</span>
        <span role="columnheader">{t("trace.table.actor")}</span>
        <span role="columnheader">{t("trace.table.kind")}</span>
        <span role="columnheader">{t("trace.table.summary")}</span>
        <span role="columnheader" className={styles["number"]}>{t("trace.table.length")}</span>
      </div>
      <div className={styles["whole"]} style={{ height }}>
        <div className={styles["shown"]} style={{ transform: `translateY(${String(offset)}px)` }}>
          {rows.map((row) => (
            <Row key={seqAt(row)} seq={seqAt(row)} index={row} selected={row === chosen && seqAt(row) === seq} found={matches.has(seqAt(row))} onSelect={() => select(page, seqAt(row), narrow)} />
          ))}
        </div>
      </div>
    </div>
  );
}

function Row({ seq, index, selected, found, onSelect }: { seq: number; index: number; selected: boolean; found: boolean; onSelect: () => void }) {
  const { i18n } = useTranslation();
  const { store } = useRunPlace().session;
  const known = store.has(seq);
  const event = store.events.peek(seq);
  const severity = store.severity(seq);
  const length = store.end(seq) - store.at(seq);
  const open = known && store.isOpen(seq);
  return (
    <div
      id={`event-${String(seq)}`}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={selected}
      className={classNames(styles["row"], selected && styles["selected"], severity === 2 && styles["error"], found && styles["found"])}
      onClick={onSelect}
    >
      <span role="gridcell" className={styles["number"]}>{seq}</span>
      <span role="gridcell" className={styles["number"]} title={known && store.startAt !== null ? exact(store.startAt + store.at(seq), i18n.language) : undefined}>
        {known ? tickLabel(Math.round(store.at(seq) / MILLISECOND) * MILLISECOND, MILLISECOND) : ""}
      </span>
      <span role="gridcell">{known ? (event?.actor ?? store.lanes.get(store.lane(seq))?.name) : ""}</span>
      <span role="gridcell">{known && <KindBadge kind={store.kind(seq)} severity={severity} />}</span>
      <span role="gridcell" className={styles["summary"]}>{event === undefined ? <span className={styles["pending"]} /> : summary(event)}</span>
      <span role="gridcell" className={styles["number"]}>{open ? "…" : length > 0 ? duration(length) : ""}</span>
    </div>
  );
}

function lowerBound(seqs: Int32Array, seq: number): number {
  let low = 0;
  let high = seqs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((seqs[middle] as number) < seq) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Which rows of equal height are seen. Makes no object a row, so a million cost what ten do. */
function useFixedRows(scroller: React.RefObject<HTMLDivElement | null>, count: number) {
  const [top, setTop] = useState(0);
  const [seen, setSeen] = useState(600);
  const natural = count * ROW;
  const height = Math.min(natural, TALLEST);
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setSeen(element.clientHeight - ROW));
    observer.observe(element);
    return () => observer.disconnect();
    // The scroller is there once there are rows.
  }, [scroller, count === 0]); // eslint-disable-line react-hooks/exhaustive-deps
  const room = Math.max(1, height - seen);
  const scale = Math.max(1, (natural - seen) / room);
  const at = top * scale;
  const first = Math.max(0, Math.floor(at / ROW) - OVERSCAN);
  const last = Math.min(count - 1, Math.ceil((at + seen) / ROW) + OVERSCAN);
  // Rows stand where the eye is, not where a table without a limit would have them.
  const offset = top - (at - first * ROW);
  const jump = (row: number, align: "auto" | "end") => {
    const element = scroller.current;
    if (element === null) return;
    const here = row * ROW;
    const now = element.scrollTop * scale;
    if (align === "end" || here + ROW > now + seen) element.scrollTop = (here + ROW - seen + (align === "end" ? 0 : ROW)) / scale;
    else if (here < now) element.scrollTop = Math.max(0, here - ROW) / scale;
  };
  return { first, last, offset, height, jump, onScroll: (event: React.UIEvent) => setTop(event.currentTarget.scrollTop) };
}
