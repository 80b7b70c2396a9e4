import { describe, expect, it } from "vitest";

import type { Run } from "@/lib/api/types";

import { midnight, today } from "./today";

const run = (fields: Partial<Run>) => ({ status: "finished", created_at: 0, input_tokens: 0, output_tokens: 0, cost_usd: 0, ...fields }) as Run;

describe("today's sums", () => {
  it("count only runs created since midnight", () => {
    const runs = [run({ created_at: 20, input_tokens: 5, output_tokens: 2, cost_usd: 0.5 }), run({ created_at: 9, input_tokens: 100 })];
    expect(today(runs, 2, 10)).toEqual({ runs: 1, failed: 0, tokens: 7, costUsd: 0.5, cut: false });
  });

  it("count a lost run as failed", () => {
    expect(today([run({ created_at: 20, status: "lost" }), run({ created_at: 20, status: "failed" })], 2, 10).failed).toBe(2);
  });

  it("say that they are cut where every loaded run is of today and there are more", () => {
    expect(today([run({ created_at: 20 })], 300, 10).cut).toBe(true);
    expect(today([run({ created_at: 20 }), run({ created_at: 1 })], 300, 10).cut).toBe(false);
  });

  it("begin at the person's own midnight", () => {
    const noon = new Date(2026, 11, 1, 12, 30);
    expect(midnight(noon)).toBe(new Date(2026, 11, 1).getTime() * 1000);
  });
});
