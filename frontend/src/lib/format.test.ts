import { describe, expect, it } from "vitest";

import { bytes, compact, duration, exact, money, relative, shortId } from "./format";

const SECOND = 1_000_000;

describe("numbers", () => {
  it("are whole up to five figures, then short", () => {
    expect([0, 1204, 9999, 10_000, 18_240, 999_600, 3_400_000].map(compact)).toEqual(["0", "1,204", "9,999", "10k", "18.2k", "1M", "3.4M"]);
  });

  it("of bytes count in 1024", () => {
    expect([312, 1536, 20 * 1024 * 1024].map(bytes)).toEqual(["312 B", "1.5 KB", "20 MB"]);
  });

  it("of money never read as nothing where there is something", () => {
    expect([0, 0.00001, 0.0042, 0.5, 1234.5].map(money)).toEqual(["$0", "<$0.0001", "$0.0042", "$0.50", "$1,234.50"]);
  });
});

describe("a length of time", () => {
  it("takes the unit that fits", () => {
    expect([850, 3_400, 12_000, 3.4 * SECOND, 125 * SECOND, 3725 * SECOND].map(duration)).toEqual(["850 µs", "3.4 ms", "12 ms", "3.4 s", "2:05", "1:02:05"]);
  });

  it("never shows sixty seconds", () => {
    expect([59.94 * SECOND, 59.97 * SECOND, 3599.7 * SECOND].map(duration)).toEqual(["59.9 s", "1:00", "1:00:00"]);
  });
});

describe("a time", () => {
  it("is told from now, in the language", () => {
    expect(relative(0, 3 * 60 * SECOND, "en")).toBe("3 min. ago");
    expect(relative(0, 2 * 3600 * SECOND, "zh")).toBe("2小时前");
  });

  it("is exact with its zone", () => {
    expect(exact(1_764_590_527_123_000, "en", "UTC")).toBe("1 Dec 2025, 12:02:07.123 UTC");
  });
});

describe("an id", () => {
  it("is cut only where it is long", () => {
    expect([shortId("t1"), shortId("8f3a91c000b7e4d2")]).toEqual(["t1", "00b7e4d2"]);
  });
});
