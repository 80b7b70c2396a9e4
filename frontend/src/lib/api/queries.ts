/** Reads that more than one page makes; one key each, so that all pages share one answer. */
import { keepPreviousData, queryOptions } from "@tanstack/react-query";

import { api, type Query } from "./client";
import type { Model, Process, Provider, Role, RunList, Session, TaskList, Team, Tool } from "./types";

export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: ({ signal }) => api.get<Session>("/session", {}, signal),
  // The socket tells of the set-up; asking again covers the time before it is open.
  refetchInterval: (query) => (query.state.data?.setup.ready === true ? false : 2_000),
});

export const runsQuery = (filter: Query) =>
  queryOptions({
    queryKey: ["runs", filter],
    queryFn: ({ signal }) => api.get<RunList>("/runs", filter, signal),
    placeholderData: keepPreviousData,
    // The socket tells of changes at once; this only heals what it lost.
    refetchInterval: 15_000,
  });

export const teamsQuery = queryOptions({
  queryKey: ["teams"],
  queryFn: ({ signal }) => list<Team>("/teams", "teams", signal),
});

export const rolesQuery = queryOptions({
  queryKey: ["roles"],
  queryFn: ({ signal }) => list<Role>("/roles", "roles", signal),
  staleTime: 60_000,
});

export const toolsQuery = queryOptions({
  queryKey: ["tools"],
  queryFn: ({ signal }) => list<Tool>("/tools", "tools", signal),
  staleTime: 60_000,
});

export const modelsQuery = queryOptions({
  queryKey: ["models"],
  queryFn: ({ signal }) => list<Model>("/models", "models", signal),
});

export const providersQuery = queryOptions({
  queryKey: ["providers"],
  queryFn: ({ signal }) => list<Provider>("/providers", "providers", signal),
  staleTime: 60_000,
});

export const processesQuery = queryOptions({
  queryKey: ["processes"],
  queryFn: ({ signal }) => list<Process>("/processes", "processes", signal),
  refetchInterval: 3_000,
});

export const tasksQuery = (filter: Query) =>
  queryOptions({
    queryKey: ["tasks", filter],
    queryFn: ({ signal }) => api.get<TaskList>("/tasks", filter, signal),
    placeholderData: keepPreviousData,
  });

/** A list, bare or under its name. */
async function list<T>(path: string, name: string, signal: AbortSignal): Promise<T[]> {
  const answer = await api.get<T[] | Record<string, T[]>>(path, {}, signal);
  return Array.isArray(answer) ? answer : (answer[name] ?? []);
}
