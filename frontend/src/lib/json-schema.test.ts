import { describe, expect, it } from "vitest";

import { fieldsOf, readForm, readJson, writeForm } from "./json-schema";

const schema = {
  type: "object",
  properties: {
    note: { type: "string", description: "What to say" },
    target: { type: "string" },
    times: { type: "integer", minimum: 1, maximum: 3 },
    button: { enum: ["left", "right"] },
    paths: { type: "array", items: { type: "string" } },
    sheets: { type: "object", additionalProperties: true },
    deep: { type: ["boolean", "null"] },
    maybe: { anyOf: [{ type: "number" }, { type: "null" }] },
  },
  required: ["target"],
};

describe("the fields of a schema", () => {
  it("begin with those that are required, each with its kind and its type in words", () => {
    expect(fieldsOf(schema).map(({ name, kind, type }) => [name, kind, type])).toEqual([
      ["target", "text", "string"],
      ["note", "text", "string"],
      ["times", "number", "integer, ≥ 1 ≤ 3"],
      ["button", "choice", "left | right"],
      ["paths", "lines", "list of string"],
      ["sheets", "json", "object"],
      ["deep", "boolean", "boolean"],
      ["maybe", "number", "number"],
    ]);
  });

  it("are none where the schema is no object's", () => {
    expect(fieldsOf({})).toEqual([]);
    expect(fieldsOf({ properties: [1], required: "x" })).toEqual([]);
  });
});

describe("a form", () => {
  const fields = fieldsOf(schema);

  it("becomes arguments, without what was left empty", () => {
    const values = { target: "e1", times: "2", paths: "a\n\nb", sheets: '{"a": 1}', deep: "false", note: "" };
    expect(readForm(fields, values)).toEqual({
      ok: true,
      value: { target: "e1", times: 2, paths: ["a", "b"], sheets: { a: 1 }, deep: false },
    });
  });

  it("names each field whose text is no value", () => {
    expect(readForm(fields, { times: "1.5", sheets: "{", maybe: "x" })).toEqual({
      ok: false,
      problems: { target: "required", times: "whole", sheets: "json", maybe: "number" },
    });
  });

  it("takes up what was written as JSON", () => {
    const value = { target: "e1", times: 2, paths: ["a", "b"], sheets: { a: 1 }, deep: true };
    expect(readForm(fields, writeForm(fields, value))).toEqual({ ok: true, value });
  });
});

describe("arguments as JSON", () => {
  it("are an object, and nothing written is an empty one", () => {
    expect(readJson('{"a": 1}').value).toEqual({ a: 1 });
    expect(readJson("  ").value).toEqual({});
  });

  it("say what is wrong with them", () => {
    expect(readJson("[1]").problem).toBe("{…}");
    expect(readJson("{").problem).toMatch(/JSON/);
  });
});
