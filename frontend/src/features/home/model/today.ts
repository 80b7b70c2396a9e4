import type { Run } from "@/lib/api/types";

export interface Today {
  runs: number;
  failed: number;
  tokens: number;
  costUsd: number;
  /** True where there may be more runs of today than were loaded. */
  cut: boolean;
}

/** Midnight of the person's own day, UTC microseconds. */
export function midnight(now: Date): number {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime() * 1000;
}

/** Sums over the runs created since `since`, out of the newest that were loaded. */
export function today(newest: Run[], total: number, since: number): Today {
  const runs = newest.filter((run) => run.created_at >= since);
  return {
    runs: runs.length,
    failed: runs.filter((run) => run.status === "failed" || run.status === "lost").length,
    tokens: runs.reduce((sum, run) => sum + run.input_tokens + run.output_tokens, 0),
    costUsd: runs.reduce((sum, run) => sum + run.cost_usd, 0),
    cut: runs.length === newest.length && total > newest.length,
  };
}
