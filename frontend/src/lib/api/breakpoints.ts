/** Breakpoints: of a team, tried on past runs. */
import { keepPreviousData, queryOptions } from "@tanstack/react-query";

import { api } from "./client";

/** Where a run stops, or leaves a note. All that is named must fit; what is empty does not restrict. */
export interface Breakpoint {
  id: string;
  enabled: boolean;
  when: "before" | "after";
  kinds: string[];
  agents: string[];
  tools: string[];
  condition: string;
  /** The first match that counts, from 1. */
  from_hit: number;
  /** From there on each so-many-th. */
  every: number;
  once: boolean;
  /** A message with `{field}`s: then it does not stop. */
  log: string;
  stop_on: "" | "error" | "conflict" | "loop";
  note: string;
}

export interface Unbound {
  id: string;
  message: string;
}

export interface TeamBreakpoints {
  breakpoints: Breakpoint[];
  unbound: Unbound[];
}

export interface TrialPlace {
  run_id: string;
  seq: number;
  breakpoint: string;
  note: string;
}

/** What breakpoints would have done in past runs. */
export interface Trial {
  stops: number;
  runs_stopped: number;
  runs_looked_at: number;
  places: TrialPlace[];
}

const FIELDS: Breakpoint = {
  id: "",
  enabled: true,
  when: "after",
  kinds: [],
  agents: [],
  tools: [],
  condition: "",
  from_hit: 1,
  every: 1,
  once: false,
  log: "",
  stop_on: "",
  note: "",
};

/** A breakpoint with every field; the server leaves out what is as usual. */
export function completeBreakpoint(given: Partial<Breakpoint>): Breakpoint {
  return { ...FIELDS, ...given };
}

/** An id that none of the others has: `stop-1`, `stop-2` … */
export function freeId(taken: readonly { id: string }[]): string {
  const ids = new Set(taken.map(({ id }) => id));
  let number = taken.length + 1;
  while (ids.has(`stop-${String(number)}`)) number += 1;
  return `stop-${String(number)}`;
}

export const teamBreakpointsQuery = (teamId: string) =>
  queryOptions({
    queryKey: ["team-breakpoints", teamId],
    queryFn: async ({ signal }): Promise<TeamBreakpoints> => {
      const { breakpoints, unbound } = await api.get<{ breakpoints: Partial<Breakpoint>[]; unbound?: Unbound[] }>(
        `/teams/${teamId}/breakpoints`,
        {},
        signal,
      );
      return { breakpoints: breakpoints.map(completeBreakpoint), unbound: unbound ?? [] };
    },
  });

export async function saveTeamBreakpoints(teamId: string, breakpoints: Breakpoint[]): Promise<TeamBreakpoints> {
  const saved = await api.put<{ breakpoints: Partial<Breakpoint>[]; unbound?: Unbound[] }>(`/teams/${teamId}/breakpoints`, { breakpoints });
  return { breakpoints: saved.breakpoints.map(completeBreakpoint), unbound: saved.unbound ?? [] };
}

/** Where these would have stopped the newest runs of a team ("" for all); wrong ones are refused. */
export const trialQuery = (breakpoints: Breakpoint[], team: string) =>
  queryOptions({
    queryKey: ["breakpoint-trial", team, breakpoints],
    queryFn: ({ signal }) => api.post<Trial>("/breakpoints/try", { breakpoints, ...(team !== "" && { team }), limit_runs: 200 }, signal),
    staleTime: 15_000,
    gcTime: 60_000,
    retry: false,
    placeholderData: keepPreviousData,
  });
