/** Carries what the socket tells into the cache of queries. */
import type { QueryClient } from "@tanstack/react-query";

import type { ServerMessage } from "../live/messages";
import type { Run, RunCounts, RunList, Session, Setup } from "./types";

/** The list with the changed runs put in place; the same object where none of them is in it. */
export function withChanged(list: RunList, changed: Run[], counts: RunCounts): RunList {
  const byId = new Map(changed.map((run) => [run.run_id, run]));
  return { ...list, counts, runs: list.runs.map((run) => byId.get(run.run_id) ?? run) };
}

const SETTLE_MS = 800;

/** A listener for the socket. Rows change at once; order and membership are asked for, at most every 0.8 s. */
export function liveCache(client: QueryClient): (message: ServerMessage) => void {
  let timer = 0;
  return (message) => {
    if (message.type === "setup") {
      client.setQueryData<Session>(["session"], (old) => old && { ...old, setup: message.setup as Setup });
    } else if (message.type === "runs") {
      const changed = message.changed as Run[];
      client.setQueriesData<RunList>({ queryKey: ["runs"] }, (old) => old && withChanged(old, changed, message.counts));
      if (timer !== 0 || changed.length === 0) return;
      timer = window.setTimeout(() => {
        timer = 0;
        void client.invalidateQueries({ queryKey: ["runs"] });
      }, SETTLE_MS);
    }
  };
}
