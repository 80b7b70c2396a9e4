import { describe, expect, it } from "vitest";

import { processMark, stepMark } from "./state";

describe("a process's mark", () => {
  it("warns of one that is being restarted and of one that does not answer", () => {
    expect([processMark("restarting"), processMark("unresponsive")]).toEqual(["warning", "error"]);
  });

  it("does not call a state fine that it does not know", () => {
    expect(processMark("hibernating")).toBe("waiting");
  });
});

describe("a step's mark", () => {
  it("is a cross where it failed", () => {
    expect(stepMark({ name: "x", state: "failed", detail: "", progress: null })).toBe("failed");
  });
});
