import { describe, expect, it } from "vitest";

import { SequenceGate } from "./sequence-gate";

const seqs = (...all: number[]) => all.map((seq) => ({ seq }));

describe("the sequence gate", () => {
  it("lets dense events through and drops duplicates", () => {
    const gate = new SequenceGate(0);
    expect(gate.offer(seqs(0, 1, 2))).toEqual({ ready: seqs(0, 1, 2), gap: null, duplicates: 0 });
    expect(gate.offer(seqs(1, 2, 3))).toEqual({ ready: seqs(3), gap: null, duplicates: 2 });
  });

  it("holds what lies beyond a gap until the gap is filled, then gives all in order", () => {
    const gate = new SequenceGate(5);
    expect(gate.offer(seqs(5, 8, 9))).toEqual({ ready: seqs(5), gap: { from: 6, to: 7 }, duplicates: 0 });
    expect(gate.held).toBe(2);
    expect(gate.offer(seqs(6, 7))).toEqual({ ready: seqs(6, 7, 8, 9), gap: null, duplicates: 0 });
  });

  it("names the next gap after one was filled", () => {
    const gate = new SequenceGate(0);
    gate.offer(seqs(2, 5));
    expect(gate.offer(seqs(0, 1))).toEqual({ ready: seqs(0, 1, 2), gap: { from: 3, to: 4 }, duplicates: 0 });
  });

  it("drops a duplicate that waited twice beyond a gap", () => {
    const gate = new SequenceGate(0);
    gate.offer(seqs(2));
    expect(gate.offer(seqs(2, 3)).duplicates).toBe(1);
    expect(gate.offer(seqs(0, 1)).ready).toEqual(seqs(0, 1, 2, 3));
  });

  it("goes on after a jump with what waited there", () => {
    const gate = new SequenceGate(0);
    gate.offer(seqs(50, 51));
    expect(gate.skipTo(50)).toEqual({ ready: seqs(50, 51), gap: null, duplicates: 0 });
    expect(gate.last).toBe(51);
  });
});
