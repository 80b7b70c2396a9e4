import { CLOSED, KNOWN, OPENER, QUIET } from "@/lib/events/page";

import type { BarSegment } from "./bar-segment";
import type { TimeView } from "./time-view";

/** Bits of one pixel of one row. 0 is empty. */
export const FAMILY_BITS = 7;
/** The first pixel of a bar: drawn darker, so that two bars that touch can be told apart. */
export const EDGE = 8;
export const WARNING = 16;
export const ERROR = 32;
/** Of a span that has not ended. */
export const OPEN = 64;
/** Of something without length. */
export const POINT = 128;

/** Where and for what a raster is made. */
export interface RasterView {
  view: TimeView;
  /** Device pixels across. */
  width: number;
  rows: number;
  /** Row of each lane number; -1 draws nothing. */
  rowOf: Int32Array;
  /** Where open spans end for now, microseconds since the run's start. */
  now: number;
  /** Spans that begin before this seq and have no end are not all known, so they have no length. */
  openFrom: number;
  /** Whether open spans go on. Of a run that has ended, they end where it ended. */
  live: boolean;
}

const FEWEST_PIXELS = 2;
const SEVERITY_BITS = new Uint8Array([0, WARNING, ERROR]);

/**
 * One byte a pixel and row: which family is there, whether something is wrong, open, a point.
 *
 * This is the level of detail: whatever a pixel covers, an error in it wins, and entries that fall
 * on a pixel that shows the same already cost one comparison.
 */
export class Raster {
  codes = new Uint8Array(0);
  private lastPixel = new Int32Array(0);
  private lastCode = new Uint8Array(0);
  private shape: RasterView | null = null;

  /** Begin anew for a view. */
  begin(shape: RasterView): void {
    const size = shape.rows * shape.width;
    if (this.codes.length === size) this.codes.fill(0);
    else this.codes = new Uint8Array(size);
    if (this.lastPixel.length < shape.rows) {
      this.lastPixel = new Int32Array(shape.rows);
      this.lastCode = new Uint8Array(shape.rows);
    }
    this.lastPixel.fill(-1);
    this.lastCode.fill(0);
    this.shape = shape;
  }

  /** Put a segment's bars on the pixels they cover. */
  add(segment: BarSegment): void {
    const { shape } = this;
    if (shape === null) return;
    const { start, end, lane, severity, family, flags, count } = segment;
    const { t0, t1 } = shape.view;
    const scale = shape.width / (t1 - t0);
    const { rowOf, rows, width, now, openFrom } = shape;
    const { lastPixel, lastCode } = this;
    for (let i = 0; i < count; i += 1) {
      const flag = flags === null ? KNOWN : (flags[i] as number);
      if ((flag & (KNOWN | QUIET)) !== KNOWN) continue;
      const isOpen = (flag & (OPENER | CLOSED)) === OPENER && segment.firstSeq + i >= openFrom;
      const from = start[i] as number;
      const to = isOpen ? Math.max(now, from) : (end[i] as number);
      if (to < t0 || from > t1) continue;
      const row = rowOf[lane[i] as number] ?? -1;
      if (row < 0 || row >= rows) continue;
      const look = isOpen && shape.live ? OPEN : to === from ? POINT : 0;
      const code = ((family[i] as number) + 1) | (SEVERITY_BITS[severity[i] as number] as number) | look;
      let x0 = Math.floor((from - t0) * scale);
      let x1 = Math.ceil((to - t0) * scale);
      if (x0 < 0) x0 = 0;
      if (x1 > width) x1 = width;
      if (x0 === lastPixel[row] && x1 <= x0 + 1 && code === lastCode[row]) continue;
      lastPixel[row] = x0;
      lastCode[row] = code;
      this.put(row * width, x0, Math.max(x1, Math.min(width, x0 + FEWEST_PIXELS)), code, from >= t0);
    }
  }

  private put(base: number, x0: number, x1: number, code: number, begins: boolean): void {
    const { codes } = this;
    const isError = (code & ERROR) !== 0;
    const edge = begins && x1 - x0 > 3 ? EDGE : 0;
    for (let x = x0; x < x1; x += 1) {
      const there = codes[base + x] as number;
      if ((there & ERROR) !== 0 && !isError) continue;
      codes[base + x] = code | (x === x0 ? edge : 0);
    }
  }
}

/** Pixels of a row where an error begins, at least `apart` from each other: where marks are drawn. */
export function errorMarks(codes: Uint8Array, row: number, width: number, apart: number): number[] {
  const marks: number[] = [];
  let inside = false;
  let last = -Infinity;
  for (let x = 0; x < width; x += 1) {
    const here = ((codes[row * width + x] as number) & ERROR) !== 0;
    if (here && (!inside || ((codes[row * width + x] as number) & EDGE) !== 0) && x - last >= apart) {
      marks.push(x);
      last = x;
    }
    inside = here;
  }
  return marks;
}
