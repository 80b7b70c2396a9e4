import type { EventStore } from "@/lib/events/event-store";
import { PAGE_BITS, PAGE_SIZE, type EventPage } from "@/lib/events/page";

import type { BarSegment } from "./bar-segment";

const made = new WeakMap<EventPage, BarSegment>();

/** The store's pages as segments. They share the store's memory: nothing is copied. */
export function storeBars(store: EventStore): BarSegment[] {
  const segments: BarSegment[] = [];
  for (let number = 0; number < store.pageCount; number += 1) {
    const firstSeq = number << PAGE_BITS;
    const page = store.page(firstSeq);
    if (page === undefined) continue;
    let segment = made.get(page);
    if (segment === undefined) {
      segment = asSegment(page, firstSeq);
      made.set(page, segment);
    }
    segment.count = Math.min(PAGE_SIZE, store.known.last - firstSeq + 1);
    segments.push(segment);
  }
  return segments;
}

function asSegment(page: EventPage, firstSeq: number): BarSegment {
  return {
    count: 0,
    start: page.at,
    end: page.end,
    lane: page.lane,
    severity: page.outcome,
    family: page.family,
    flags: page.flags,
    longestSeq: null,
    severitySeq: null,
    firstSeq,
  };
}
