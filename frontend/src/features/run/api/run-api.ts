import type { Event } from "@/generated/events";
import { address, api } from "@/lib/api/client";
import type { Run, RunDetail } from "@/lib/api/types";

export interface EventPageAnswer {
  events: Event[];
  last_seq: number;
}

export interface EventQuery {
  after: number;
  limit: number;
  kinds?: string;
  actors?: string;
  min_severity?: number;
}

/** One message of a prompt as it was sent; `from_seq` is the event it came from. */
export interface PromptMessage {
  role: string;
  content: string;
  tool_calls?: unknown[];
  from_seq: number | null;
}

export interface Prompt {
  messages: PromptMessage[];
  tools: Record<string, unknown>[];
}

/** Calls about one run. */
export const runApi = {
  run: (id: string, signal?: AbortSignal) => api.get<RunDetail>(`/runs/${id}`, {}, signal),
  events: (id: string, query: EventQuery, signal?: AbortSignal) =>
    api.get<EventPageAnswer>(`/runs/${id}/events`, { ...query }, signal),
  event: (id: string, seq: number, signal?: AbortSignal) =>
    api.get<Event>(`/runs/${id}/events/${String(seq)}`, {}, signal),
  /** Where a worker fetches an event with its whole payload. */
  eventAddress: (id: string, seq: number) => address(`/runs/${id}/events/${String(seq)}`),
  bars: (id: string, level: number, start: number, end: number, signal?: AbortSignal) =>
    api.bytes(`/runs/${id}/bars`, { level, start, end }, signal),
  context: (id: string, seq: number, signal?: AbortSignal) =>
    api.get<Prompt>(`/runs/${id}/context/${String(seq)}`, {}, signal),
  command: (id: string, name: "cancel" | "pause" | "resume") => api.post<Run>(`/runs/${id}/${name}`),
  answer: (id: string, span: number, answer: string) => api.post(`/runs/${id}/answer`, { span, answer }),
  remove: (id: string) => api.delete(`/runs/${id}`),
  again: (run: RunDetail) => {
    const { suite = "", task_id: task = "" } = run.environment ?? {};
    const environment = suite !== "" && task !== "" ? { environment: `${suite}/${task}` } : {};
    return api.post<Run>("/runs", { team: run.team, input: run.input, task_id: run.task_id, ...environment });
  },
  copy: (id: string, as: "python" | "curl") => api.get<{ text: string }>(`/runs/${id}/copy`, { as }),
  archiveAddress: (id: string) => address(`/runs/${id}/archive`),
  queue: (signal?: AbortSignal) =>
    api.get<{ runs: Run[]; total: number }>("/runs", { status: "queued", order: "queue", limit: 200 }, signal),
};
