import { describe, expect, it } from "vitest";

import { decode, findBytes, indexJson, visibleLines, WIDEST } from "./json-lines";

const bytes = (text: string) => new TextEncoder().encode(text);
const shown = (text: string) => {
  const lines = indexJson(bytes(text));
  return [...lines.start].map((start, i) => " ".repeat(lines.depth[i] as number) + decode(bytes(text), start, lines.end[i] as number));
};

describe("JSON as lines", () => {
  it("breaks and indents as a person would, without parsing", () => {
    expect(shown('{"a":1,"b":{"c":[true,null],"d":{}},"e":[]}')).toEqual([
      "{", ' "a":1,', ' "b":{', '  "c":[', "   true,", "   null", "  ],", '  "d":{}', " },", ' "e":[]', "}",
    ]);
  });

  it("has as many lines as JSON.stringify with an indent", () => {
    const value = { a: [1, "x,{}[]\\\"", { b: null }], c: "", d: [[], {}], e: -1.5e9, 证: "明" };
    expect(indexJson(bytes(JSON.stringify(value))).count).toBe(JSON.stringify(value, null, 1).split("\n").length);
    expect(indexJson(bytes(JSON.stringify(value, null, 4))).count).toBe(indexJson(bytes(JSON.stringify(value))).count);
  });

  it("is not confused by quotes and brackets inside strings", () => {
    expect(shown(String.raw`{"a":"\"}{\\","b":2}`)).toEqual(["{", String.raw` "a":"\"}{\\",`, ' "b":2', "}"]);
  });

  it("cuts a long string into lines and loses no character", () => {
    const long = "证".repeat(WIDEST * 5);
    const text = JSON.stringify({ long });
    const lines = indexJson(bytes(text));
    expect(lines.count).toBeGreaterThan(5);
    const joined = [...lines.start].map((start, i) => decode(bytes(text), start, lines.end[i] as number)).join("");
    expect(joined).toBe(text);
  });

  it("shows text that is no JSON, or is cut in the middle, as far as it goes", () => {
    expect(shown("{\"a\":[1,2")).toEqual(["{", ' "a":[', "  1,", "  2"]);
    expect(shown("no JSON")).toEqual(["no JSON"]);
  });

  it("knows where each object closes, so that it can be folded", () => {
    const lines = indexJson(bytes('{"a":{"b":1},"c":2}'));
    expect(lines.closes[1]).toBe(3);
    expect([...(visibleLines(lines, new Set([1])) ?? [])]).toEqual([0, 1, 4, 5]);
    expect(visibleLines(lines, new Set())).toBeNull();
  });

  it("keeps one index of two offsets a line for a million members", () => {
    const text = `[${"1,".repeat(999_999)}1]`;
    expect(indexJson(bytes(text)).count).toBe(1_000_002);
  });
});

describe("finding in bytes", () => {
  it("finds text of any script from a place on", () => {
    const text = bytes("abc 求证 abd 求证");
    expect(findBytes(text, bytes("abd"), 0)).toBe(11);
    expect(findBytes(text, bytes("求证"), 5)).toBe(15);
    expect(findBytes(text, bytes("求x"), 0)).toBe(-1);
  });
});
