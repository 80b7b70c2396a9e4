import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";

import { api } from "@/lib/api/client";
import type { Problem, Team, TeamDefinition } from "@/lib/api/types";

export const teamQuery = (id: string) =>
  queryOptions({
    queryKey: ["teams", id],
    queryFn: ({ signal }) => api.get<Team>(`/teams/${id}`, {}, signal),
  });

/** What is wrong with a definition, as the server sees it before it would run. */
export const checkQuery = (definition: TeamDefinition) =>
  queryOptions({
    queryKey: ["team-check", definition],
    queryFn: ({ signal }) => api.post<{ problems: Problem[] }>("/teams/check", { definition }, signal),
    staleTime: 10_000,
    gcTime: 60_000,
    placeholderData: keepPreviousData,
  });

/** Adds a team, or saves one where its id and the version that was edited are given. */
export function useSaveTeam() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, version, definition }: { id: string | null; version: number; definition: TeamDefinition }) =>
      id === null ? api.post<Team>("/teams", { definition }) : api.put<Team>(`/teams/${id}`, { definition, version }),
    onSuccess: (team) => {
      client.setQueryData(["teams", team.id], team);
      void client.invalidateQueries({ queryKey: ["teams"], exact: true });
    },
  });
}

export function useDeleteTeam() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.delete(`/teams/${id}`),
    onSettled: () => client.invalidateQueries({ queryKey: ["teams"], exact: true }),
  });
}
