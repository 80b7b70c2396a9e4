import { KNOWN } from "@/lib/events/page";

import type { BarSegment } from "../timeline/bar-segment";

/** One bar of a test. */
export interface Bar {
  start: number;
  end?: number;
  lane?: number;
  severity?: number;
  family?: number;
  flags?: number;
}

/** Bars as a segment with seqs from `firstSeq`. */
export function segment(bars: readonly Bar[], firstSeq = 0): BarSegment {
  return {
    count: bars.length,
    start: Float64Array.from(bars, (bar) => bar.start),
    end: Float64Array.from(bars, (bar) => bar.end ?? bar.start),
    lane: Uint16Array.from(bars, (bar) => bar.lane ?? 0),
    severity: Uint8Array.from(bars, (bar) => bar.severity ?? 0),
    family: Uint8Array.from(bars, (bar) => bar.family ?? 0),
    flags: Uint8Array.from(bars, (bar) => bar.flags ?? KNOWN),
    longestSeq: null,
    severitySeq: null,
    firstSeq,
  };
}

/** A million one-millisecond model calls on four lanes, back to back, one of them an error. */
export function million(errorAt: number): BarSegment {
  const count = 1_000_000;
  const bars: BarSegment = {
    count,
    start: new Float64Array(count),
    end: new Float64Array(count),
    lane: new Uint16Array(count),
    severity: new Uint8Array(count),
    family: new Uint8Array(count),
    flags: new Uint8Array(count).fill(KNOWN),
    longestSeq: null,
    severitySeq: null,
    firstSeq: 0,
  };
  for (let i = 0; i < count; i += 1) {
    bars.start[i] = i * 1_000;
    bars.end[i] = i * 1_000 + 1_000;
    bars.lane[i] = i & 3;
  }
  bars.severity[errorAt] = 2;
  return bars;
}
