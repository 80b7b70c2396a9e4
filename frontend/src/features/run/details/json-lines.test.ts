import { describe, expect, it } from "vitest";

import { indexJson, indexText, visibleLines, WIDEST } from "./json-lines";

const shown = (text: string) => {
  const lines = indexJson(text);
  return [...lines.start].map((start, i) => " ".repeat(lines.depth[i] as number) + text.slice(start, lines.end[i]));
};

describe("JSON as lines", () => {
  it("breaks and indents as a person would, without parsing", () => {
    expect(shown('{"a":1,"b":{"c":[true,null],"d":{}},"e":[]}')).toEqual([
      "{", ' "a":1,', ' "b":{', '  "c":[', "   true,", "   null", "  ],", '  "d":{}', " },", ' "e":[]', "}",
    ]);
  });

  it("has as many lines as JSON.stringify with an indent", () => {
    const value = { a: [1, "x,{}[]\\\"", { b: null }], c: "", d: [[], {}], e: -1.5e9, 证: "明" };
    expect(indexJson(JSON.stringify(value)).count).toBe(JSON.stringify(value, null, 1).split("\n").length);
    expect(indexJson(JSON.stringify(value, null, 4)).count).toBe(indexJson(JSON.stringify(value)).count);
  });

  it("is not confused by quotes and brackets inside strings", () => {
    expect(shown(String.raw`{"a":"\"}{\\","b":2}`)).toEqual(["{", String.raw` "a":"\"}{\\",`, ' "b":2', "}"]);
  });

  it("cuts a long string into lines and loses no character", () => {
    const long = "证".repeat(WIDEST * 5);
    const text = JSON.stringify({ long });
    const lines = indexJson(text);
    expect(lines.count).toBeGreaterThan(5);
    const joined = [...lines.start].map((start, i) => text.slice(start, lines.end[i])).join("");
    expect(joined).toBe(text);
  });

  it("shows text that is no JSON, or is cut in the middle, as far as it goes", () => {
    expect(shown("{\"a\":[1,2")).toEqual(["{", ' "a":[', "  1,", "  2"]);
    expect(shown("no JSON")).toEqual(["no JSON"]);
  });

  it("knows where each object closes, so that it can be folded", () => {
    const lines = indexJson('{"a":{"b":1},"c":2}');
    expect(lines.closes[1]).toBe(3);
    expect([...(visibleLines(lines, new Set([1])) ?? [])]).toEqual([0, 1, 4, 5]);
    expect(visibleLines(lines, new Set())).toBeNull();
  });

  it("keeps one index of two offsets a line for a million members", () => {
    const text = `[${"1,".repeat(999_999)}1]`;
    expect(indexJson(text).count).toBe(1_000_002);
  });
});

describe("text as lines", () => {
  it("breaks at its own breaks and where a line is too wide", () => {
    const lines = indexText(`a\n\n${"b".repeat(WIDEST + 5)}`);
    expect([...lines.end].map((end, i) => end - (lines.start[i] as number))).toEqual([1, 0, WIDEST, 5]);
  });
});
