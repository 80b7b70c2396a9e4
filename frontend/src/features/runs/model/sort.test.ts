import { describe, expect, it } from "vitest";

import type { Run } from "@/lib/api/types";

import { nextSort, sorted } from "./sort";

const run = (run_id: string, fields: Partial<Run>) => ({ run_id, errors: 0, warnings: 0, started_at: 0, finished_at: 0, ...fields }) as Run;
const ids = (runs: Run[]) => runs.map(({ run_id }) => run_id).join("");

describe("sorting the loaded runs", () => {
  it("leaves the server's order without a column", () => {
    expect(ids(sorted([run("b", {}), run("a", {})], null, 0))).toBe("ba");
  });

  it("counts a run that goes on until now", () => {
    const runs = [run("done", { started_at: 10, finished_at: 40 }), run("going", { started_at: 10 })];
    expect(ids(sorted(runs, { column: "duration", descending: true }, 100))).toBe("goingdone");
  });

  it("puts errors before warnings", () => {
    const runs = [run("w", { warnings: 90 }), run("e", { errors: 1 })];
    expect(ids(sorted(runs, { column: "errors", descending: true }, 0))).toBe("ew");
  });
});

describe("pressing a column's head", () => {
  it("goes greatest first, smallest first, and back", () => {
    const one = nextSort(null, "cost");
    const two = nextSort(one, "cost");
    expect([one, two, nextSort(two, "cost")]).toEqual([{ column: "cost", descending: true }, { column: "cost", descending: false }, null]);
  });

  it("begins a name at A", () => {
    expect(nextSort(null, "team")).toEqual({ column: "team", descending: false });
  });
});
