import { describe, expect, it } from "vitest";

import { completeBreakpoint } from "@/lib/api/breakpoints";

import { faultyField, partsOf, readNames } from "./breakpoint-words";

describe("a server's sentence about a breakpoint", () => {
  it("is shown at the field that it speaks of", () => {
    expect(faultyField("The condition 'tool = 3' cannot be read at character 6: expected `==`, found '='.")).toBe("condition");
    expect(faultyField("The message 'hi {foo}' cannot be read at character 4: there is no field 'foo'.")).toBe("log");
    expect(faultyField("Breakpoint 'a': from_hit is 0. Use 1 or more.")).toBe("from_hit");
    expect(faultyField("There is no kind 'tol.*'.", "breakpoints[3].kinds[0]")).toBe("kinds");
  });

  it("is shown beside none where it speaks of none", () => {
    expect(faultyField("There are two breakpoints with the id 'a'.")).toBe("");
  });
});

describe("a breakpoint in words", () => {
  it("says when, what, who and under which condition, in that order", () => {
    const breakpoint = completeBreakpoint({ id: "a", kinds: ["tool.failed"], agents: ["solver"], tools: ["calculator"], condition: "errors > 2", every: 3, once: true });
    expect(partsOf(breakpoint).map(({ name, text }) => `${name} ${text}`.trim())).toEqual([
      "when after",
      "kind tool.failed",
      "agent solver",
      "tool calculator",
      "condition errors > 2",
      "every 3",
      "once",
    ]);
  });

  it("names an error instead of a kind where it stops on one", () => {
    expect(partsOf(completeBreakpoint({ id: "a", stop_on: "error" }))).toEqual([{ name: "stop_on", text: "error" }]);
  });
});

it("reads names with commas or spaces between, each once", () => {
  expect(readNames(" tool.*, llm.failed  tool.* ")).toEqual(["tool.*", "llm.failed"]);
});
