import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";

import { api } from "@/lib/api/client";

/** A token with which a program acts for a person; times in UTC microseconds. */
export interface AccessToken {
  id: string;
  name: string;
  hint: string;
  created_at: number;
  used_at: number;
}

export const tokensQuery = queryOptions({
  queryKey: ["tokens"],
  queryFn: ({ signal }) => api.get<AccessToken[]>("/tokens", {}, signal),
});

/** The answer has the secret, this once. */
export function useMakeToken() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => api.post<AccessToken & { secret: string }>("/tokens", { name }),
    onSettled: () => client.invalidateQueries({ queryKey: ["tokens"] }),
  });
}

export function useDeleteToken() {
  const client = useQueryClient();
  return useMutation({ mutationFn: (id: string) => api.delete(`/tokens/${id}`), onSettled: () => client.invalidateQueries({ queryKey: ["tokens"] }) });
}
