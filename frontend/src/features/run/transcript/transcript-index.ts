import type { EventStore } from "@/lib/events/event-store";
import { CLOSED, KNOWN, OPENER, PAGE_BITS, PAGE_MASK } from "@/lib/events/page";

import { filters, matcher, type EventFilter } from "../model/filter";

/** A row of the transcript: an event, or events that are not loaded. */
export type TranscriptRow = { type: "event"; seq: number } | { type: "gap"; from: number; to: number };

/** Rows that are kept ready round the place that is looked at. */
const MOST_ROWS = 40_000;

/**
 * The transcript of what is known. The opener of a span is a row while the span is open; then the
 * event that ended it is, with what was asked folded into it.
 */
export function transcriptRows(store: EventStore, filter: EventFilter, around: number | null): TranscriptRow[] {
  const matches = matcher(store, filter);
  const showGaps = !filters(filter);
  const rows: TranscriptRow[] = [];
  let expected = 0;
  if (store.known.size === 0) return rows;
  for (let number = 0; number < store.pageCount; number += 1) {
    const first = number << PAGE_BITS;
    const page = store.page(first);
    if (page === undefined) continue;
    const last = Math.min(first + PAGE_MASK, store.known.last);
    for (let seq = first; seq <= last; seq += 1) {
      const flags = page.flags[seq & PAGE_MASK] as number;
      if ((flags & KNOWN) === 0) continue;
      if (showGaps && seq > expected) rows.push({ type: "gap", from: expected, to: seq - 1 });
      expected = seq + 1;
      if ((flags & (OPENER | CLOSED)) === (OPENER | CLOSED) || !matches(seq)) continue;
      rows.push({ type: "event", seq });
    }
  }
  if (showGaps && expected <= store.head) rows.push({ type: "gap", from: expected, to: store.head });
  return near(rows, around);
}

function near(rows: TranscriptRow[], around: number | null): TranscriptRow[] {
  if (rows.length <= MOST_ROWS) return rows;
  const centre = around === null ? rows.length : rowOf(rows, around);
  const start = Math.max(0, Math.min(centre - MOST_ROWS / 2, rows.length - MOST_ROWS));
  return rows.slice(start, start + MOST_ROWS);
}

function firstSeq(row: TranscriptRow): number {
  return row.type === "event" ? row.seq : row.from;
}

/** Index of the row that shows a seq: its own, or the gap it lies in, or the next one. */
export function rowOf(rows: readonly TranscriptRow[], seq: number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const row = rows[middle] as TranscriptRow;
    const last = row.type === "event" ? row.seq : row.to;
    if (last < seq) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The seq that stands for `seq` in the transcript: of a closed opener, the end of its span. */
export function shownAs(store: EventStore, seq: number): number {
  const closer = store.closer(seq);
  return closer < 0 ? seq : closer;
}

/** The row after (`by` 1) or before (`by` -1) a seq that is an event; null for none. */
export function stepRow(rows: readonly TranscriptRow[], seq: number | null, by: 1 | -1): number | null {
  let index = seq === null ? (by === 1 ? -1 : rows.length) : rowOf(rows, seq);
  const here = rows[index];
  // Between two rows the next one is found already.
  if (here !== undefined && firstSeq(here) !== seq && by === 1) index -= 1;
  for (index += by; index >= 0 && index < rows.length; index += by) {
    const row = rows[index];
    if (row?.type === "event") return row.seq;
  }
  return null;
}
