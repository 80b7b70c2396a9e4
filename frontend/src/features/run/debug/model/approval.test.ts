import { describe, expect, it } from "vitest";

import { argumentLines, readArguments } from "./approval";

describe("the arguments of a call that waits", () => {
  it("show text as it is and anything else as JSON", () => {
    expect(argumentLines({ command: "ls\n-l", deep: { a: [1] } })).toEqual([
      { name: "command", text: "ls\n-l" },
      { name: "deep", text: '{\n  "a": [\n    1\n  ]\n}' },
    ]);
  });

  it("say how much of a long text is left out", () => {
    expect(argumentLines({ text: "x".repeat(4_010) })[0]?.text.endsWith("… (+10)")).toBe(true);
  });

  it("are read back from what was written", () => {
    expect(readArguments('{"a": 1}')).toEqual({ values: { a: 1 } });
    expect(readArguments("[1]").problem).toBeDefined();
    expect(readArguments("{").problem).toBeDefined();
  });
});
