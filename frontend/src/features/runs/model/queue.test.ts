import { describe, expect, it } from "vitest";

import type { Run } from "@/lib/api/types";

import { moveTo, reordered } from "./queue";

const queue = ["a", "b", "c"].map((run_id, i) => ({ run_id, priority: i === 0 ? 5 : 0, position: i * 10 }) as Run);

describe("moving a run in the queue", () => {
  it("up names the run that it comes ahead of", () => {
    expect(moveTo(queue, "c", 0)).toEqual({ before: "a" });
  });

  it("down by one names the run after the next", () => {
    expect(moveTo(queue, "a", 1)).toEqual({ before: "c" });
  });

  it("to the end takes the last one's priority and a later position", () => {
    expect(moveTo(queue, "a", 2)).toEqual({ priority: 0, position: 21 });
  });

  it("to where it stands is no move", () => {
    expect(moveTo(queue, "b", 1)).toBeNull();
  });

  it("of a run that has left the queue is no move", () => {
    expect(moveTo(queue, "z", 1)).toBeNull();
  });

  it("is shown at once", () => {
    expect(reordered(queue, "c", 0).map((run) => run.run_id)).toEqual(["c", "a", "b"]);
  });
});
