import { useVirtualizer, type Virtualizer } from "@tanstack/react-virtual";
import { ArrowDown } from "lucide-react";
import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from "react";
import { useTranslation } from "react-i18next";

import { Button } from "@/components/button";
import { EmptyState, SkeletonRows } from "@/components/states";

import { select } from "../model/page-state";
import { useFromStore, usePage, useRunPlace } from "../model/run-context";
import { GapRow } from "./gap-row";
import { rowOf, shownAs, type TranscriptRow } from "./transcript-index";
import { TranscriptEvent } from "./transcript-event";
import styles from "./transcript.module.css";

const AT_END = 32;

/** What was said and done, in order. Virtual; follows a live run until the person scrolls away. */
export function Transcript({ rows, matches }: { rows: TranscriptRow[]; matches: ReadonlySet<number> }) {
  const { t } = useTranslation();
  const { session, page, live, narrow } = useRunPlace();
  const seq = usePage((state) => state.seq);
  const follow = usePage((state) => state.follow);
  const loading = useFromStore(({ loading: { state } }) => state);
  const scroller = useRef<HTMLDivElement>(null);
  const touched = useRef(false);
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(new Set());
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 56,
    overscan: 8,
    getItemKey: (index) => {
      const row = rows[index];
      return row === undefined ? index : row.type === "event" ? row.seq : -1 - row.from;
    },
  });

  const shown = seq === null ? null : shownAs(session.store, seq);
  const index = shown === null ? -1 : rowOf(rows, shown);
  const here = rows[index]?.type === "event";
  const revealed = useRef<number | null>(null);
  useEffect(() => {
    if (!here) return;
    // In the first frame the list has no height yet; what is far is shown in the middle.
    const first = revealed.current === null;
    const frame = requestAnimationFrame(() => {
      virtual.scrollToIndex(index, { align: first ? "center" : "auto" });
      revealed.current = shown;
    });
    return () => cancelAnimationFrame(frame);
    // Only where the selection moved: rows that arrive must not scroll what is read.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [shown, here]);
  useAnchor(rows, virtual, scroller, shown);

  const last = rows.length;
  // The height too: text that streams into the last row makes it taller, not the rows more.
  const height = virtual.getTotalSize();
  useEffect(() => {
    if (follow && live && last > 0) virtual.scrollToIndex(last - 1, { align: "end" });
  }, [follow, live, last, height, virtual]);

  const onScroll = () => {
    const element = scroller.current;
    if (element === null || !touched.current || !live) return;
    const atEnd = element.scrollHeight - element.scrollTop - element.clientHeight < AT_END;
    if (page.getState().follow !== atEnd) page.setState({ follow: atEnd });
  };
  const touch = () => {
    touched.current = true;
  };

  if (rows.length === 0) {
    return loading === "loading" ? <SkeletonRows rows={8} height={48} /> : <NothingYet />;
  }
  return (
    <div className={styles["frame"]}>
      <div
        ref={scroller}
        className={styles["scroller"]}
        onScroll={onScroll}
        onWheel={touch}
        onTouchMove={touch}
        onPointerDown={touch}
        role="feed"
        aria-label={t("trace.transcript.label")}
        aria-busy={loading === "loading"}
        tabIndex={0}
      >
        <div className={styles["whole"]} style={{ height }}>
          {virtual.getVirtualItems().map((item) => {
            const row = rows[item.index];
            if (row === undefined) return null;
            return (
              <div
                key={item.key}
                ref={virtual.measureElement}
                data-index={item.index}
                className={styles["place"]}
                style={{ transform: `translateY(${String(item.start)}px)` }}
              >
                {row.type === "gap" ? (
                  <GapRow from={row.from} to={row.to} />
                ) : (
                  <TranscriptEvent
                    seq={row.seq}
                    selected={row.seq === shown}
                    found={matches.has(row.seq)}
                    unfolded={unfolded.has(row.seq)}
                    onSelect={() => select(page, row.seq, narrow)}
                    onFold={() => setUnfolded((before) => toggled(before, row.seq))}
                  />
                )}
              </div>
            );
          })}
        </div>
      </div>
      {live && !follow && (
        <Button className={styles["toEnd"] ?? ""} icon={<ArrowDown size={14} />} onClick={() => page.setState({ follow: true })}>
          {t("trace.follow")}
        </Button>
      )}
    </div>
  );
}

/** Keeps what is read where it is when rows are loaded above it: the selection, or the top row. */
function useAnchor(
  rows: TranscriptRow[],
  virtual: Virtualizer<HTMLDivElement, Element>,
  scroller: RefObject<HTMLDivElement | null>,
  shown: number | null,
): void {
  const held = useRef<{ seq: number; index: number; below: number } | null>(null);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const before = held.current;
    if (before !== null) {
      const index = rowOf(rows, before.seq);
      const offset = virtual.getOffsetForIndex(index, "start");
      if (index !== before.index && offset !== undefined) element.scrollTop = offset[0] - before.below;
    }
  }, [rows, virtual, scroller]);
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const top = element.scrollTop;
    const seen = virtual.getVirtualItems().filter((item) => item.end > top && item.start < top + element.clientHeight);
    const events = seen.flatMap((item) => {
      const row = rows[item.index];
      return row?.type === "event" ? [{ seq: row.seq, index: item.index, below: item.start - top }] : [];
    });
    held.current = events.find(({ seq }) => seq === shown) ?? events[0] ?? null;
  });
}

function NothingYet() {
  const { t } = useTranslation();
  const filtered = usePage((state) => state.lane !== "" || state.kind !== "");
  const { page } = useRunPlace();
  if (!filtered) return <EmptyState title={t("trace.empty.title")}>{t("trace.empty.text")}</EmptyState>;
  const action = <Button onClick={() => page.setState({ lane: "", kind: "" })}>{t("trace.filter.clear")}</Button>;
  return <EmptyState title={t("trace.empty.filtered")} action={action} />;
}

function toggled(set: ReadonlySet<number>, value: number): ReadonlySet<number> {
  const next = new Set(set);
  if (!next.delete(value)) next.add(value);
  return next;
}
