import { CLOSED, KNOWN, OPENER, QUIET } from "@/lib/events/page";

import { seqOf, type BarSegment } from "./bar-segment";

/** What the pointer is on. */
export interface Pick {
  seq: number;
  start: number;
  end: number;
  severity: number;
  open: boolean;
}

/**
 * The entry of a lane at a time, within `slack` microseconds: an error before all else, then the
 * shortest span that holds the time, then the nearest.
 */
export function pick(segments: readonly BarSegment[], lane: number, at: number, slack: number, now: number, openFrom: number): Pick | null {
  let best: Pick | null = null;
  let bestCost = Infinity;
  for (const segment of segments) {
    const { start, end, severity, flags, lane: lanes, count } = segment;
    for (let i = 0; i < count; i += 1) {
      if (lanes[i] !== lane) continue;
      const flag = flags === null ? KNOWN : (flags[i] as number);
      if ((flag & KNOWN) === 0 || (flag & QUIET) !== 0) continue;
      const open = (flag & (OPENER | CLOSED)) === OPENER && segment.firstSeq + i >= openFrom;
      const from = start[i] as number;
      const to = open ? Math.max(now, from) : (end[i] as number);
      const away = at < from ? from - at : at > to ? at - to : 0;
      if (away > slack) continue;
      const worst = severity[i] as number;
      // Distances are below 1e15: severity decides, then distance, then length.
      const cost = (worst === 2 ? 0 : 1e17) + away * 1e3 + (to - from);
      if (cost >= bestCost) continue;
      bestCost = cost;
      best = { seq: seqOf(segment, i), start: from, end: to, severity: worst, open };
    }
  }
  return best;
}
