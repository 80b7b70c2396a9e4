import type { Sort } from "@/components/table";
import type { Run } from "@/lib/api/types";

/** Columns that are sorted here, within the loaded page; `when` is the server's order. */
const VALUES: Record<string, (run: Run, nowUs: number) => number | string> = {
  team: (run) => run.team_name,
  errors: (run) => run.errors * 1e6 + run.warnings,
  events: (run) => run.last_seq,
  tokens: (run) => run.input_tokens + run.output_tokens,
  cost: (run) => run.cost_usd,
  duration: (run, nowUs) => (run.started_at === 0 ? -1 : (run.finished_at || nowUs) - run.started_at),
};

/** The rows in the column's order; rows that are alike stay as they came. */
export function sorted(runs: Run[], sort: Sort | null, nowUs: number): Run[] {
  const value = sort === null ? undefined : VALUES[sort.column];
  if (value === undefined || sort === null) return runs;
  const direction = sort.descending ? -1 : 1;
  return [...runs].sort((a, b) => {
    const [left, right] = [value(a, nowUs), value(b, nowUs)];
    return left === right ? 0 : (left < right ? -1 : 1) * direction;
  });
}

/** A press on a column's head: numbers begin with the greatest; a third press goes back. */
export function nextSort(sort: Sort | null, column: string): Sort | null {
  const first = column !== "team";
  if (sort?.column !== column) return { column, descending: first };
  return sort.descending === first ? { column, descending: !first } : null;
}
