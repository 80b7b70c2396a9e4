import { describe, expect, it } from "vitest";

import { niceStep, tickLabel, ticks } from "./ticks";
import { fit, pan, reveal, seesEnd, SHORTEST_US, stick, zoom } from "./time-view";

const label = (us: number, step: number) => tickLabel(us, step);

describe("the ruler", () => {
  it("counts in ones, twos and fives below a second and in a clock's steps above", () => {
    expect([3, 18, 40_000, 300_000, 700_000, 3e6, 40e6, 1e9].map((least) => niceStep(least)[0])).toEqual([
      5, 20, 50_000, 500_000, 1e6, 5e6, 60e6, 1_800e6,
    ]);
  });

  it("keeps labels apart whatever the zoom", () => {
    for (let length = 300; length < 1e12; length *= 3.7) {
      const { step, at } = ticks(17, 17 + length, 1_000, 90);
      expect((step / length) * 1_000).toBeGreaterThanOrEqual(90);
      expect(at.length).toBeGreaterThan(0);
      expect(at.every((us) => us >= 17 && us <= 17 + length)).toBe(true);
    }
  });

  it("writes a label as exact as its step", () => {
    expect(label(0, 1e6)).toBe("0");
    expect(label(1_500_000, 500_000)).toBe("1.5 s");
    expect(label(250_000, 50_000)).toBe("250 ms");
    expect(label(1_250, 50)).toBe("1.25 ms");
    expect(label(2_000_400, 200)).toBe("2.0004 s");
    expect(label(125e6, 5e6)).toBe("2:05");
    expect(label(3_725e6, 5e6)).toBe("1:02:05");
    expect(label(65_500_000, 500_000)).toBe("1:05.5");
    expect(label(114_970_000, 100_000)).toBe("1:55.0");
    expect(label(59_960_000, 100_000)).toBe("1:00.0");
  });
});

describe("the view", () => {
  it("leaves the time under the pointer where it is", () => {
    const view = { t0: 0, t1: 1_000_000 };
    const next = zoom(view, 0.5, 250_000, 1_000_000);
    expect((250_000 - next.t0) / (next.t1 - next.t0)).toBeCloseTo(0.25);
    expect(next.t1 - next.t0).toBe(500_000);
  });

  it("zooms neither deeper than its shortest nor far beyond the run", () => {
    let view = fit(1e6);
    for (let n = 0; n < 100; n += 1) view = zoom(view, 0.5, 500_000, 1e6);
    expect(view.t1 - view.t0).toBeCloseTo(SHORTEST_US);
    for (let n = 0; n < 100; n += 1) view = zoom(view, 2, 500_000, 1e6);
    expect(view.t1 - view.t0).toBeLessThan(2e6);
  });

  it("never leaves the run", () => {
    const view = pan({ t0: 0, t1: 1_000 }, 1e9, 10_000);
    expect(view.t0).toBeLessThan(10_000);
    expect(pan(view, -1e9, 10_000).t1).toBeGreaterThan(0);
  });

  it("moves to what is selected only where that is not seen already", () => {
    const view = { t0: 0, t1: 1_000 };
    expect(reveal(view, 200, 300, 10_000)).toBe(view);
    const moved = reveal(view, 5_000, 5_100, 10_000);
    expect([moved.t0, moved.t1]).toEqual([4_550, 5_550]);
  });

  it("sticks to the end without changing its length", () => {
    const view = stick({ t0: 0, t1: 1_000 }, 50_000);
    expect(view.t1 - view.t0).toBe(1_000);
    expect(seesEnd(view, 50_000)).toBe(true);
  });
});
