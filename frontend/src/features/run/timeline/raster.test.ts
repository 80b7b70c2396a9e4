import { describe, expect, it } from "vitest";

import { KNOWN, OPENER, QUIET } from "@/lib/events/page";

import { million, segment } from "../testing/segment";
import { colours, mix, paintRow } from "./paint";
import { pick } from "./pick";
import { EDGE, ERROR, errorMarks, FAMILY_BITS, OPEN, POINT, Raster, type RasterView } from "./raster";
import { fit } from "./time-view";

const RED = 0xff2e54e5;
const palette = { background: 0xffffffff, family: [1, 2, 3, 4, 5, 6, 7].map((n) => 0xff000000 + n), error: RED, warning: 0xff00c0ff };
const shape = (more: Partial<RasterView> = {}): RasterView => ({
  view: { t0: 0, t1: 1_000 },
  width: 100,
  rows: 1,
  rowOf: new Int32Array([0, 1, 2, 3]),
  now: 1_000,
  openFrom: 0,
  live: false,
  ...more,
});
const codesOf = (bars: Parameters<typeof segment>[0], more: Partial<RasterView> = {}) => {
  const raster = new Raster();
  raster.begin(shape(more));
  raster.add(segment(bars));
  return raster.codes;
};

describe("the raster", () => {
  it("shows a 1 ms error among a million events as a red pixel, in a view of the whole run", () => {
    const width = 1_200;
    const errorAt = 654_322;
    const raster = new Raster();
    raster.begin(shape({ view: fit(1e9), width, rows: 4 }));
    raster.add(million(errorAt));

    const pixels = new Uint32Array(width * 20);
    paintRow(pixels, width, raster.codes, 2 * width, width, { top: 0, height: 20, bar: 14 }, colours(palette));

    const view = fit(1e9);
    const x = Math.floor(((errorAt * 1_000 - view.t0) / (view.t1 - view.t0)) * width);
    const red = [...pixels.keys()].filter((at) => pixels[at] === RED);
    expect(new Set(red.map((at) => at % width))).toEqual(new Set([x, x + 1]));
    expect(new Set(red.map((at) => Math.floor(at / width))).size).toBe(20);
    expect(errorMarks(raster.codes, 2, width, 8)).toEqual([x]);
  });

  it("keeps an error visible when a later bar covers its pixel", () => {
    const codes = codesOf([{ start: 500, end: 501, severity: 2 }, { start: 400, end: 900 }]);
    expect((codes[50] as number) & ERROR).toBe(ERROR);
    expect((codes[60] as number) & ERROR).toBe(0);
  });

  it("draws a bar from its start to its end with a first pixel of its own", () => {
    const codes = codesOf([{ start: 100, end: 200, family: 1 }]);
    expect([...codes.keys()].filter((x) => codes[x] !== 0)).toEqual([10, 11, 12, 13, 14, 15, 16, 17, 18, 19]);
    expect([(codes[10] as number) & EDGE, (codes[11] as number) & EDGE]).toEqual([EDGE, 0]);
    expect((codes[11] as number) & FAMILY_BITS).toBe(2);
  });

  it("lets an open span grow to now while the run is live", () => {
    const bar = { start: 200, flags: KNOWN | OPENER };
    const live = codesOf([bar], { now: 600, live: true });
    expect([...live.keys()].filter((x) => ((live[x] as number) & OPEN) !== 0)).toHaveLength(40);
    const ended = codesOf([bar], { now: 600 });
    expect(ended.some((code) => (code & OPEN) !== 0)).toBe(false);
    expect([...ended].filter((code) => code !== 0)).toHaveLength(40);
  });

  it("gives no length to a span whose end may only not be loaded", () => {
    const codes = codesOf([{ start: 200, flags: KNOWN | OPENER }], { now: 600, live: true, openFrom: 5 });
    expect([...codes.keys()].filter((x) => codes[x] !== 0)).toEqual([20, 21]);
  });

  it("marks what has no length as a point two pixels wide, and leaves out quiet ends of spans", () => {
    const codes = codesOf([{ start: 300 }, { start: 700, flags: KNOWN | QUIET }]);
    expect([...codes.keys()].filter((x) => codes[x] !== 0)).toEqual([30, 31]);
    expect((codes[30] as number) & POINT).toBe(POINT);
  });

  it("cuts bars at the edges of the view and leaves out what lies beyond", () => {
    const codes = codesOf([{ start: -500, end: 50 }, { start: 950, end: 9_000 }, { start: 2_000, end: 3_000 }]);
    expect([...codes.keys()].filter((x) => codes[x] !== 0)).toEqual([0, 1, 2, 3, 4, 95, 96, 97, 98, 99]);
  });
});

describe("painting", () => {
  it("leaves a pixel without a bar as it is and gives a bar less height than the row", () => {
    const pixels = new Uint32Array(100 * 10);
    const codes = codesOf([{ start: 100, end: 200 }]);
    paintRow(pixels, 100, codes, 0, 100, { top: 0, height: 10, bar: 6 }, colours(palette));
    const rows = [...Array(10).keys()].filter((y) => pixels[y * 100 + 15] !== 0);
    expect(rows).toEqual([2, 3, 4, 5, 6, 7]);
    expect(pixels[5 * 100 + 50]).toBe(0);
  });

  it("mixes colours channel by channel", () => {
    expect(mix(0xff000000, 0xffffffff, 0.5)).toBe(0xff808080);
  });
});

describe("picking", () => {
  const bars = [
    segment([
      { start: 0, end: 1_000 },
      { start: 300, end: 400 },
      { start: 350, severity: 2 },
      { start: 300, end: 400, lane: 1 },
    ], 40),
  ];
  it("takes an error first, then the shortest span, then the nearest", () => {
    expect(pick(bars, 0, 352, 5, 0, 0)?.seq).toBe(42);
    expect(pick(bars, 0, 320, 5, 0, 0)?.seq).toBe(41);
    expect(pick(bars, 0, 800, 5, 0, 0)?.seq).toBe(40);
    expect(pick(bars, 0, 1_004, 5, 0, 0)?.seq).toBe(40);
    expect(pick(bars, 1, 500, 5, 0, 0)).toBeNull();
  });
});
