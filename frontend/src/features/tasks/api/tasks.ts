import { useMutation, useQueryClient } from "@tanstack/react-query";

import { api } from "@/lib/api/client";
import { ApiError } from "@/lib/api/error";
import type { ImportOutcome, LineProblem, Task } from "@/lib/api/types";

export type TaskDraft = Omit<Task, "id">;

function useTasksChanged(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: ["tasks"] });
}

/** Adds a task, or changes the one with `id`. */
export function useSaveTask() {
  const changed = useTasksChanged();
  return useMutation({
    mutationFn: ({ id, task }: { id: string | null; task: TaskDraft }) => (id === null ? api.post<Task>("/tasks", task) : api.put<Task>(`/tasks/${id}`, task)),
    onSuccess: changed,
  });
}

export function useDeleteTask() {
  const changed = useTasksChanged();
  return useMutation({ mutationFn: (id: string) => api.delete(`/tasks/${id}`), onSettled: changed });
}

export interface TaskFile {
  file: File;
  set: string;
  dryRun: boolean;
}

/** Reads a file of tasks; with `dryRun` nothing is written. Broken lines are a result here, not a failure. */
export function useImportTasks() {
  const changed = useTasksChanged();
  return useMutation({
    mutationFn: async ({ file, set, dryRun }: TaskFile): Promise<ImportOutcome> => {
      const form = new FormData();
      form.set("file", file);
      form.set("set", set);
      form.set("dry_run", String(dryRun));
      try {
        return await api.post<ImportOutcome>("/tasks/import", form);
      } catch (error) {
        const problems = error instanceof ApiError && error.status === 422 ? error.extra["problems"] : undefined;
        if (Array.isArray(problems)) return { added: 0, updated: 0, problems: problems as LineProblem[] };
        throw error;
      }
    },
    onSuccess: (_, { dryRun }) => (dryRun ? undefined : changed()),
  });
}
