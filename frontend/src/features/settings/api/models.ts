import { useMutation, useQueryClient } from "@tanstack/react-query";

import { api } from "@/lib/api/client";
import type { Model, ModelTest } from "@/lib/api/types";

import type { ModelInput } from "../model/connection";

function useModelsChanged(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    await client.invalidateQueries({ queryKey: ["models"] });
    // A team may have lacked this model.
    await client.invalidateQueries({ queryKey: ["teams"] });
  };
}

/** Adds a connection, or changes the one with `id`. Without `api_key` the stored key stays. */
export function useSaveModel() {
  const changed = useModelsChanged();
  return useMutation({
    mutationFn: ({ id, input }: { id: string | null; input: ModelInput }) => (id === null ? api.post<Model>("/models", input) : api.put<Model>(`/models/${id}`, input)),
    onSuccess: changed,
  });
}

export function useDeleteModel() {
  const changed = useModelsChanged();
  return useMutation({ mutationFn: (id: string) => api.delete(`/models/${id}`), onSettled: changed });
}

/** Asks the model one word; the answer has the provider's own words. */
export function useTestModel() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.post<ModelTest>(`/models/${id}/test`),
    onSettled: () => client.invalidateQueries({ queryKey: ["models"] }),
  });
}
