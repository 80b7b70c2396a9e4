import { describe, expect, it } from "vitest";

import { linesOf, setFromName } from "./file";

describe("a set's name", () => {
  it("comes from the file's, in small letters with dashes", () => {
    expect(setFromName("GAIA Validation (level 1).jsonl")).toBe("gaia-validation-level-1");
  });

  it("keeps Chinese", () => {
    expect(setFromName("数学题.csv")).toBe("数学题");
  });
});

describe("a file's lines", () => {
  it("are its text, line by line", async () => {
    expect(await linesOf(new Blob(["a\nb\n"]))).toEqual(["a", "b", ""]);
  });
});
