import { queryOptions } from "@tanstack/react-query";

import type { FileLink } from "@/components/attachments";
import { api } from "@/lib/api/client";
import type { Schema } from "@/lib/json-schema";

/** A team that has a tool, and which of its agents. */
export interface ToolUser {
  id: string;
  name: string;
  agents: string[];
}

export interface CatalogueTool {
  name: string;
  description: string;
  effect: "read_only" | "idempotent" | "unsafe";
  origin: "built_in" | "own" | "mcp" | "registered";
  /** A file, or an MCP server, in words. */
  source: string;
  timeout_s: number;
  teams: ToolUser[];
}

export interface ToolDetail extends CatalogueTool {
  parameters: Schema;
  long_results: boolean;
}

export interface Catalogue {
  tools: CatalogueTool[];
  problems: { where: string; message: string }[];
}

/** Times in microseconds. */
export interface Usage {
  runs: number;
  calls: number;
  errors: number;
  total_us: number;
  longest_us: number;
  last_at: number;
}

export interface ToolUsage {
  tools: Record<string, Usage>;
  runs_looked_at: number;
  runs_total: number;
}

export interface Call {
  run_id: string;
  team: string;
  seq: number;
  end_seq: number | null;
  actor: string;
  at: number;
  us: number;
  arguments: string;
  text: string;
  ok: boolean;
  reason: string;
  source: string;
}

export interface ToolCalls {
  calls: Call[];
  usage: Usage;
  runs_looked_at: number;
  runs_total: number;
}

/** How a call that was tried ended. */
export interface Outcome {
  number: number;
  ok: boolean;
  seconds: number;
  text: string;
  data: unknown;
  attachments: FileLink[];
  reason: string;
}

export const catalogueQuery = queryOptions({
  queryKey: ["tools", "catalogue"],
  queryFn: ({ signal }) => api.get<Catalogue>("/tool-catalogue", {}, signal),
});

export const usageQuery = queryOptions({
  queryKey: ["tools", "usage"],
  queryFn: ({ signal }) => api.get<ToolUsage>("/tool-usage", {}, signal),
  refetchInterval: 15_000,
});

export const toolQuery = (name: string) =>
  queryOptions({
    queryKey: ["tools", "one", name],
    queryFn: ({ signal }) => api.get<ToolDetail>(`/tools/${encodeURIComponent(name)}`, {}, signal),
  });

export const callsQuery = (name: string, errors: boolean) =>
  queryOptions({
    queryKey: ["tools", "calls", name, errors],
    queryFn: ({ signal }) => api.get<ToolCalls>(`/tools/${encodeURIComponent(name)}/calls`, { errors }, signal),
    refetchInterval: 15_000,
  });

export interface Trial {
  tool: string;
  arguments: Record<string, unknown>;
  timeout_s: number | null;
  network: string[];
}

/** A scratch folder on the server, made with the first call and ended when the page is left. */
export const trials = {
  open: () => api.post<{ id: string }>("/tool-trials"),
  call: (id: string, trial: Trial) => api.post<Outcome>(`/tool-trials/${id}/calls`, trial),
  cancel: (id: string) => api.post(`/tool-trials/${id}/cancel`),
  close: (id: string) => api.delete(`/tool-trials/${id}`),
};
