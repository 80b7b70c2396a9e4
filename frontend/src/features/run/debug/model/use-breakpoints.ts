import { useQuery, useQueryClient } from "@tanstack/react-query";

import { completeBreakpoint, saveTeamBreakpoints, teamBreakpointsQuery, type Breakpoint, type TeamBreakpoints, type Unbound } from "@/lib/api/breakpoints";
import { teamsQuery } from "@/lib/api/queries";
import type { TeamDefinition } from "@/lib/api/types";

import { useRunPlace } from "../../model/run-context";
import { debugApi } from "../api/debug-api";

const ENDED = new Set(["finished", "failed", "cancelled"]);

interface BreakpointsOfRun {
  breakpoints: Breakpoint[];
  unbound: Unbound[];
  /** The stored team that they belong to; null where the run's team is not stored. */
  teamId: string | null;
  error: unknown;
  loaded: boolean;
  /** Saves them with the team, and arms them on the run while it goes on. */
  save: (breakpoints: Breakpoint[]) => Promise<void>;
}

/** The breakpoints of the run's team; of a team that is not stored, the run's own. */
export function useBreakpoints(): BreakpointsOfRun {
  const { run } = useRunPlace();
  const client = useQueryClient();
  const teams = useQuery({ ...teamsQuery, staleTime: 60_000 });
  const teamId = teams.data?.find(({ name }) => name === run.team_name)?.id ?? null;
  const stored = useQuery({ ...teamBreakpointsQuery(teamId ?? ""), enabled: teamId !== null });
  const ownKey = ["run", run.run_id, "breakpoints"];
  const own = useQuery({
    queryKey: ownKey,
    queryFn: () => ((run.team as TeamDefinition & { breakpoints?: Partial<Breakpoint>[] }).breakpoints ?? []).map(completeBreakpoint),
    enabled: teams.data !== undefined && teamId === null,
    staleTime: Infinity,
  });
  const save = async (breakpoints: Breakpoint[]) => {
    if (teamId === null) client.setQueryData(ownKey, breakpoints);
    else client.setQueryData<TeamBreakpoints>(["team-breakpoints", teamId], await saveTeamBreakpoints(teamId, breakpoints));
    if (!ENDED.has(run.status)) await debugApi.arm(run.run_id, breakpoints);
  };
  return {
    breakpoints: (teamId === null ? own.data : stored.data?.breakpoints) ?? [],
    unbound: stored.data?.unbound ?? [],
    teamId,
    error: teams.error ?? stored.error,
    loaded: teamId === null ? own.data !== undefined : stored.data !== undefined,
    save,
  };
}
