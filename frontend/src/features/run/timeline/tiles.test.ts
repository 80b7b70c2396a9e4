import { describe, expect, it } from "vitest";

import { ABSENT, readBars, seqOf } from "./bar-segment";
import { bucketUs, levelFor, Tiles } from "./tiles";

interface Entry {
  start: number;
  end: number;
  lane: number;
  severity?: number;
  severitySeq?: number;
  longestSeq?: number;
}

/** Bytes as apps/runs/bars.py writes them. */
function bytes(level: number, lanes: string[], entries: Entry[], lastSeq = 99): ArrayBuffer {
  const head = JSON.stringify({ level, count: entries.length, lanes, run_start_at: 0, last_seq: lastSeq, bucket_us: bucketUs(level) });
  const headLength = Math.ceil((8 + head.length) / 8) * 8 - 8;
  const padded = (n: number) => Math.ceil(n / 8) * 8;
  const n = entries.length;
  const buffer = new ArrayBuffer(8 + headLength + padded(8 * n) * 2 + padded(4 * n) * 6 + padded(n) * 2);
  const view = new DataView(buffer);
  view.setUint32(0, 0x31524142, true);
  view.setUint32(4, headLength, true);
  new Uint8Array(buffer, 8).set(new TextEncoder().encode(head.padEnd(headLength, " ")));
  let at = 8 + headLength;
  const column = (size: number, put: (where: number, entry: Entry) => void) => {
    entries.forEach((entry, i) => put(at + i * size, entry));
    at += padded(size * n);
  };
  column(8, (where, entry) => view.setFloat64(where, entry.start, true));
  column(8, (where, entry) => view.setFloat64(where, entry.end, true));
  column(4, (where, entry) => view.setUint32(where, entry.lane, true));
  column(4, (where) => view.setUint32(where, 1, true));
  column(4, (where, entry) => view.setUint32(where, entry.severitySeq ?? ABSENT, true));
  column(4, (where, entry) => view.setUint32(where, entry.longestSeq ?? ABSENT, true));
  column(4, (where) => view.setUint32(where, 0, true));
  column(4, (where) => view.setFloat32(where, 0, true));
  column(1, (where, entry) => view.setUint8(where, entry.severity ?? 0));
  column(1, (where) => view.setUint8(where, 1));
  return buffer;
}

const settled = () => new Promise<void>((done) => setImmediate(done));

describe("the bars of the server", () => {
  it("are read in place, lanes by their name on this page", () => {
    const entries = [{ start: 5, end: 9, lane: 1, longestSeq: 7 }, { start: 8, end: 8, lane: 0, severity: 2, severitySeq: 8, longestSeq: 3 }, { start: 9, end: 9, lane: 1 }];
    const { head, segment } = readBars(bytes(3, ["a", "b"], entries), (name) => (name === "a" ? 10 : 20));
    expect(head.level).toBe(3);
    expect([...segment.lane]).toEqual([20, 10, 20]);
    expect([...segment.start]).toEqual([5, 8, 9]);
    expect([0, 1].map((i) => seqOf(segment, i))).toEqual([7, 8]);
  });

  it("refuse what is none with a sentence", () => {
    expect(() => readBars(new TextEncoder().encode("<!doctype html>").buffer as ArrayBuffer, () => 0)).toThrow("no BAR1 table");
  });
});

describe("tiles", () => {
  it("come from the coarsest level that a pixel still tells apart", () => {
    expect([1, 999, 3_999, 4_000, 64_000, 1e12].map(levelFor)).toEqual([0, 0, 0, 1, 3, 12]);
  });

  it("are fetched once, and shown when they arrive", async () => {
    const asked: string[] = [];
    let arrived = 0;
    const tiles = new Tiles({
      fetch: (level, start) => {
        asked.push(`${String(level)}@${String(start)}`);
        return Promise.resolve(bytes(level, ["a"], [{ start, end: start + 1, lane: 0 }]));
      },
      laneNumber: () => 0,
      arrived: () => (arrived += 1),
    });
    const view = { t0: 0, t1: 1e6 };
    expect(tiles.segments(view, 900, 1e7)).toEqual([]);
    await settled();
    expect(tiles.segments(view, 900, 1e7)).toHaveLength(1);
    expect([asked, arrived]).toEqual([["0@0"], 1]);
  });

  it("are stood in for by a coarser one while they are on their way", async () => {
    const tiles = new Tiles({
      fetch: (level, start) =>
        level === 0 ? new Promise(() => undefined) : Promise.resolve(bytes(level, ["a"], [{ start, end: start, lane: 0 }])),
      laneNumber: () => 0,
      arrived: () => undefined,
    });
    tiles.segments({ t0: 0, t1: 8e6 }, 4_000, 8e6);
    await settled();
    expect(tiles.segments({ t0: 0, t1: 1e6 }, 500, 8e6)).toHaveLength(1);
  });
});
