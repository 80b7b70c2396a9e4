import type { Event, Payload } from "@/generated/events";
import { api } from "@/lib/api/client";
import type { Breakpoint } from "@/lib/api/breakpoints";
import type { Run, RunStatus } from "@/lib/api/types";

/** A message that a node has before it. */
export interface NodeMessage {
  /** The event it comes from. */
  seq: number;
  role: string;
  content: string;
  tool_calls?: Record<string, unknown>[];
  /** A person changed it. */
  edited: boolean;
}

export interface OpenCall {
  span: number;
  kind: string;
  what: string;
  /** UTC microseconds. */
  since: number;
}

/** What one node knew. */
export interface NodeState {
  name: string;
  node_type: string;
  role: string;
  present: boolean;
  phase: string;
  /** The last 200 of its context. */
  messages: NodeMessage[];
  messages_total: number;
  open_calls: OpenCall[];
  /** The raw fields. */
  state: Record<string, unknown>;
  /** Fields that differ from the step before. */
  changed: string[];
}

export interface Budget {
  used: number;
  limit: number | null;
}

/** Something that a paused run would carry out next. */
export interface Held {
  actor: string;
  payload: Payload;
}

/** What every node knew after a step. */
export interface RunState {
  seq: number;
  /** UTC microseconds. */
  at: number;
  paused: boolean;
  ended: boolean;
  nodes: NodeState[];
  budget: Record<string, Budget>;
  held: Held | null;
  edits: { target: number; by: string; seq: number }[];
}

/** An effect of the recorded run behind a fork, and what the fork does with its like. */
export interface PlannedEffect {
  seq: number;
  actor: string;
  /** `model`, or the tool's name. */
  what: string;
  request: unknown;
  policy: string;
}

export type PolicyWord = "live" | "replay" | "mock" | "ask";

export interface ForkPlan {
  effects: PlannedEffect[];
  counts: Partial<Record<PolicyWord, number>>;
}

/** By tool name, `model`, or `*` for every other tool: `live`, `replay`, `ask`, `mock:TEXT`. */
export type Policies = Record<string, string>;

export type Edits = Record<string, Record<string, unknown>>;

export interface Branch {
  run_id: string;
  status: RunStatus;
  /** The last step that it shares with its parent. */
  parent_seq: number;
  answer: string;
  error: string;
  created_at: number;
  children: Branch[];
}

export interface ReplayReport {
  identical: boolean;
  compared: number;
  last_seq: number;
  difference: { seq: number; recorded: Event | null; produced: Event | null } | null;
  text: string;
}

export interface Holder {
  by: string;
  /** UTC microseconds. */
  until: number;
}

/** Calls with which a run is debugged. */
export const debugApi = {
  state: (id: string, seq: number, signal?: AbortSignal) => api.get<RunState>(`/runs/${id}/state`, { seq }, signal),
  step: (id: string) => api.post<Run>(`/runs/${id}/step`),
  runTo: (id: string, seq: number) => api.post<Run>(`/runs/${id}/run-to`, { seq }),
  edit: (id: string, target: number, after: Record<string, unknown>) => api.post<Run>(`/runs/${id}/edit`, { target, after }),
  substitute: (id: string, span: number, payload: Record<string, unknown>) =>
    api.post<Run>(`/runs/${id}/substitute`, { span, payload }),
  arm: (id: string, breakpoints: Breakpoint[]) => api.post<Run>(`/runs/${id}/arm`, { breakpoints }),
  forkPlan: (id: string, at: number, policies: Policies, signal?: AbortSignal) =>
    api.get<ForkPlan>(`/runs/${id}/fork-plan`, { at, policies: JSON.stringify(policies) }, signal),
  fork: (id: string, at: number, edits: Edits, policies: Policies) => api.post<Run>(`/runs/${id}/fork`, { at, edits, policies }),
  family: (id: string, signal?: AbortSignal) => api.get<{ root: Branch }>(`/runs/${id}/family`, {}, signal),
  replay: (id: string, signal?: AbortSignal) => api.get<ReplayReport>(`/runs/${id}/replay`, {}, signal),
  debugger: (id: string, take: boolean) => api.post<{ holder: Holder | null }>(`/runs/${id}/debugger`, { take }),
};
