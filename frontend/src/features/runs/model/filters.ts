/** The page's filters, each a part of the address, so that every view is a link. */
import type { Query } from "@/lib/api/client";
import type { RunCounts, RunStatus } from "@/lib/api/types";

export const PAGE_SIZE = 50;

export const ORDERS = ["failures_first", "newest", "oldest"] as const;
export type Order = (typeof ORDERS)[number];

export interface Filters {
  /** A group's statuses, comma separated; "" is all. */
  status: string;
  team: string;
  source: string;
  tool: string;
  /** Such as `suite:gaia-own`; only links set it. */
  tag: string;
  text: string;
  errors: boolean;
  order: Order;
  /** From 1. */
  page: number;
}

export interface StatusGroup {
  name: string;
  statuses: RunStatus[];
}

/** The chips over the table. */
export const GROUPS: StatusGroup[] = [
  { name: "all", statuses: [] },
  { name: "failures", statuses: ["failed", "lost"] },
  { name: "running", statuses: ["running"] },
  { name: "paused", statuses: ["paused", "parked"] },
  { name: "finished", statuses: ["finished"] },
  { name: "cancelled", statuses: ["cancelled"] },
];

const isOrder = (value: string | null): value is Order => (ORDERS as readonly (string | null)[]).includes(value);

/** Reads an address. What it does not know it leaves at its default. */
export function readFilters(search: URLSearchParams, rememberedOrder: Order = "failures_first"): Filters {
  const order = search.get("order");
  const page = Number(search.get("page") ?? "1");
  return {
    status: search.get("status") ?? "",
    team: search.get("team") ?? "",
    source: search.get("source") ?? "",
    tool: search.get("tool") ?? "",
    tag: search.get("tag") ?? "",
    text: search.get("text") ?? "",
    errors: search.get("errors") === "1",
    order: isOrder(order) ? order : rememberedOrder,
    page: Number.isInteger(page) && page > 0 ? page : 1,
  };
}

/** The address with a change; a changed filter goes back to the first page, defaults are left out. */
export function withFilter(search: URLSearchParams, change: Partial<Record<keyof Filters, string | boolean | number>>): URLSearchParams {
  const next = new URLSearchParams(search);
  if (!("page" in change)) next.delete("page");
  for (const [key, value] of Object.entries(change)) {
    const text = value === true ? "1" : value === false ? "" : String(value);
    if (text === "" || (key === "page" && text === "1")) next.delete(key);
    else next.set(key, text);
  }
  return next;
}

/** What the server is asked. */
export function toQuery(filters: Filters): Query {
  const { page, ...rest } = filters;
  return { ...rest, limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE };
}

/** Whether anything but the order restricts the list. */
export function isFiltered({ status, team, source, tool, tag, text, errors }: Filters): boolean {
  return [status, team, source, tool, tag, text].some((value) => value !== "") || errors;
}

/** How many runs a chip stands for, of all runs. */
export function groupCount(group: StatusGroup, counts: RunCounts): number {
  const statuses = group.statuses.length > 0 ? group.statuses : (Object.keys(counts) as RunStatus[]);
  return statuses.reduce((sum, status) => sum + (counts[status] ?? 0), 0);
}
