import { useQuery } from "@tanstack/react-query";

import type { Event } from "@/generated/events";

import { runApi } from "../api/run-api";
import { useFromStore, useRunPlace } from "../model/run-context";

/**
 * An event by seq: from the store, or asked for by itself where the store does not hold it, or
 * where `whole` and its payload lies elsewhere.
 */
export function useEvent(seq: number, whole = false): { event: Event | undefined; error: unknown; retry: () => void } {
  const { session } = useRunPlace();
  const held = useFromStore(({ store }) => store.events.has(seq) && !(whole && store.events.peek(seq)?.payload.kind === "payload.offloaded"));
  const query = useQuery({
    queryKey: ["run", session.runId, "event", seq],
    queryFn: ({ signal }) => runApi.event(session.runId, seq, signal),
    enabled: !held,
    staleTime: Infinity,
    gcTime: 60_000,
  });
  const event = held ? session.store.events.peek(seq) : query.data;
  return { event, error: held ? null : query.error, retry: () => void query.refetch() };
}
