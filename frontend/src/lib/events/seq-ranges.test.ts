import { describe, expect, it } from "vitest";

import { SeqRanges } from "./seq-ranges";

describe("seq ranges", () => {
  it("merge what touches and name what is missing", () => {
    const ranges = new SeqRanges();
    ranges.add(0, 9);
    ranges.add(20, 29);
    ranges.add(40, 49);
    expect(ranges.missing(0, 59)).toEqual([{ from: 10, to: 19 }, { from: 30, to: 39 }, { from: 50, to: 59 }]);
    ranges.add(10, 19);
    expect(ranges.missing(5, 45)).toEqual([{ from: 30, to: 39 }]);
    expect([ranges.size, ranges.tailStart, ranges.last]).toEqual([40, 40, 49]);
  });

  it("agree with a plain set under random additions", () => {
    let state = 7;
    const random = (below: number) => (state = (state * 48_271) % 2_147_483_647) % below;
    const ranges = new SeqRanges();
    const set = new Set<number>();
    for (let round = 0; round < 400; round += 1) {
      const from = random(300);
      const to = from + random(6);
      ranges.add(from, to);
      for (let seq = from; seq <= to; seq += 1) set.add(seq);
      const missing = ranges.missing(0, 310).flatMap(({ from: a, to: b }) => Array.from({ length: b - a + 1 }, (_, k) => a + k));
      expect(ranges.size).toBe(set.size);
      expect(missing).toEqual(Array.from({ length: 311 }, (_, k) => k).filter((k) => !set.has(k)));
    }
    expect([...set].every((seq) => ranges.has(seq))).toBe(true);
  });
});
