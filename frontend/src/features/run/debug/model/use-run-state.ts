import { keepPreviousData, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";

import { useRunPlace } from "../../model/run-context";
import { debugApi, type RunState } from "../api/debug-api";

const REST_MS = 120;

/** The state after a step. The log up to a step never changes, so it is asked for once. */
export const stateQuery = (runId: string, seq: number) =>
  queryOptions({
    queryKey: ["run", runId, "state", seq],
    queryFn: ({ signal }) => debugApi.state(runId, seq, signal),
    staleTime: Infinity,
    gcTime: 120_000,
    enabled: seq >= 0,
  });

interface RunStateAnswer {
  /** The state at the playhead; while that loads, the one before. */
  state: RunState | undefined;
  /** A step earlier, to tell what is new. */
  before: RunState | undefined;
  /** What is shown is not yet the state at the playhead. */
  behind: boolean;
  error: unknown;
  retry: () => void;
}

/** What every node knew after `seq`. A fetch that was overtaken is given up; neighbours are fetched ahead. */
export function useRunState(seq: number): RunStateAnswer {
  const { session } = useRunPlace();
  const client = useQueryClient();
  const id = session.runId;
  const query = useQuery({ ...stateQuery(id, seq), placeholderData: keepPreviousData });
  const before = useQuery({ ...stateQuery(id, seq - 1), enabled: seq > 0 && query.isSuccess && !query.isPlaceholderData });
  const { head } = session.store;
  useEffect(() => {
    const timer = setTimeout(() => {
      if (seq < head) void client.prefetchQuery(stateQuery(id, seq + 1));
    }, REST_MS);
    return () => clearTimeout(timer);
  }, [client, id, seq, head]);
  return {
    state: query.data,
    before: before.data,
    behind: query.isPlaceholderData,
    error: query.error,
    retry: () => void query.refetch(),
  };
}
