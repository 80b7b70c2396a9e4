import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";

import type { FileLink } from "@/components/attachments";
import { api, type Query } from "@/lib/api/client";
import type { Run } from "@/lib/api/types";
import type { Schema } from "@/lib/json-schema";

export interface Support {
  name: string;
  supported: boolean;
  why: string;
}

export interface Suite {
  name: string;
  title: string;
  tasks: number;
  imported: boolean;
}

export interface Environment {
  name: string;
  title: string;
  description: string;
  /** The first says whether anything of it works on the server's machine. */
  support: Support[];
  suites: Suite[];
}

/** A task, never with its answer. */
export interface TaskRow {
  id: string;
  suite: string;
  /** `suite/id`. */
  reference: string;
  environment: string;
  question: string;
  level: string;
  tags: string[];
  graded: boolean;
  max_steps: number | null;
  seconds: number | null;
  file_names: string[];
}

export interface Action {
  name: string;
  description: string;
  parameters: Schema;
  effect: string;
}

export interface SuiteTask extends TaskRow {
  network: string[];
  environment_title: string;
  files: FileLink[];
  actions: Action[];
}

interface Count {
  name: string;
  count: number;
}

export interface SuitePage {
  suite: string;
  environment: string;
  title: string;
  imported: boolean;
  tasks: TaskRow[];
  total: number;
  count: number;
  levels: Count[];
  tags: Count[];
  ungraded: number;
}

export interface Verdict {
  score: number | null;
  why: string;
  details: Record<string, unknown>;
  near_miss: string;
}

/** What was done, in order, as the kinds of events name it. */
export type Entry =
  | { kind: "environment.reset"; environment: string; task: string }
  | { kind: "environment.stepped"; action: { name: string; arguments: Record<string, unknown> } }
  | ({ kind: "environment.verified" } & Partial<Verdict>);

export interface Episode {
  id: string;
  task: string;
  actions: Action[];
  observation: { text: string; data: unknown; attachments: FileLink[]; done: boolean };
  steps: number;
  verdict: Verdict | null;
  journal: Entry[];
  idle_s: number;
  idle_limit_s: number;
}

export const environmentsQuery = queryOptions({
  queryKey: ["environments"],
  queryFn: ({ signal }) => api.get<Environment[]>("/environments", {}, signal),
  staleTime: 30_000,
});

export const suiteQuery = (suite: string, filter: Query) =>
  queryOptions({
    queryKey: ["suites", suite, filter],
    queryFn: ({ signal }) => api.get<SuitePage>(`/suites/${encodeURIComponent(suite)}/tasks`, filter, signal),
    placeholderData: keepPreviousData,
  });

export const suiteTaskQuery = (suite: string, id: string) =>
  queryOptions({
    queryKey: ["suites", suite, "task", id],
    queryFn: ({ signal }) => api.get<SuiteTask>(`/suites/${encodeURIComponent(suite)}/task`, { id }, signal),
  });

/** Where a task's page is. */
export function taskPath(task: { suite: string; id: string }): string {
  return `/environments/${encodeURIComponent(task.suite)}/${encodeURIComponent(task.id)}`;
}

/** What a person does in an episode. */
export const episodes = {
  open: (task: string) => api.post<Episode>("/episodes", { task }),
  step: (id: string, name: string, given: Record<string, unknown>) => api.post<Episode>(`/episodes/${id}/step`, { name, arguments: given }),
  observe: (id: string) => api.post<Episode>(`/episodes/${id}/observe`),
  reset: (id: string) => api.post<Episode>(`/episodes/${id}/reset`),
  verify: (id: string, answer: string) => api.post<Episode>(`/episodes/${id}/verify`, { answer }),
  close: (id: string) => api.delete(`/episodes/${id}`),
};

/** Queues one run of a task. */
export function useRunTask() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ team, reference }: { team: string; reference: string }) => api.post<Run>("/runs", { team_id: team, environment: reference }),
    onSettled: () => client.invalidateQueries({ queryKey: ["runs"] }),
  });
}

export interface SuiteRun {
  suite: string;
  team_id: string;
  level: string;
  tag: string;
  graded: boolean | null;
  text: string;
  attempts: number;
}

/** Queues a run for each task that fits. */
export function useRunSuite() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ suite, ...body }: SuiteRun) => api.post<{ queued: number; run_ids: string[]; tag: string }>(`/suites/${encodeURIComponent(suite)}/runs`, body),
    onSettled: () => client.invalidateQueries({ queryKey: ["runs"] }),
  });
}

/** Brings a suite: one archive, or the files of a folder. */
export function useImportSuite() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ environment, suite, files }: { environment: string; suite: string; files: File[] }) => {
      const form = new FormData();
      form.set("suite", suite);
      form.set("paths", files.map((file) => file.webkitRelativePath || file.name).join("\n"));
      for (const file of files) form.append("files", file);
      return api.post<{ name: string; tasks: number }>(`/environments/${environment}/import`, form);
    },
    onSuccess: () => Promise.all([client.invalidateQueries({ queryKey: ["environments"] }), client.invalidateQueries({ queryKey: ["suites"] })]),
  });
}

export function useRemoveSuite() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (suite: string) => api.delete(`/suites/${encodeURIComponent(suite)}`),
    onSettled: () => client.invalidateQueries({ queryKey: ["environments"] }),
  });
}
