/** What a person does to runs, from whatever page. Each tells the cache. */
import { useMutation, useQueryClient } from "@tanstack/react-query";

import { api } from "./client";
import type { Run, RunDetail, TeamDefinition } from "./types";

export interface NewRun {
  input: string;
  team_id?: string;
  team?: TeamDefinition;
  task_id?: string;
  priority?: number;
}

function useRunsChanged(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: ["runs"] });
}

/** Queues a run. The caller goes to its page. */
export function useStartRun() {
  const changed = useRunsChanged();
  return useMutation({
    mutationFn: (run: NewRun) => api.post<Run>("/runs", run),
    onSettled: changed,
  });
}

/** Ends a run that waits or runs. */
export function useCancelRun() {
  const changed = useRunsChanged();
  return useMutation({
    mutationFn: (id: string) => api.post<Run>(`/runs/${id}/cancel`),
    onSettled: changed,
  });
}

/** Removes a run for good: call it when the undo has gone. */
export function useDeleteRun() {
  const changed = useRunsChanged();
  return useMutation({
    mutationFn: (id: string) => api.delete(`/runs/${id}`),
    onSettled: changed,
  });
}

/** Changes a waiting run's place: `before` puts it directly ahead of another. */
export function useMoveRun() {
  const changed = useRunsChanged();
  return useMutation({
    mutationFn: ({ id, ...change }: { id: string; priority?: number; position?: number; before?: string }) =>
      api.patch<Run>(`/runs/${id}`, change),
    onSettled: changed,
  });
}

/** Takes in an archive that a colleague sent. */
export function useImportRun() {
  const changed = useRunsChanged();
  return useMutation({
    mutationFn: (file: File) => {
      const form = new FormData();
      form.set("file", file);
      return api.post<RunDetail>("/runs/import", form);
    },
    onSettled: changed,
  });
}
