import type { Event } from "@/generated/events";
import type { EventStore } from "@/lib/events/event-store";

/** Why a run stands still. */
export interface PauseReason {
  cause: "breakpoint" | "step" | "person";
  /** The breakpoint's id, or who paused it. */
  name: string;
  /** The breakpoint's words, or the person's. */
  note: string;
  /** The event after which the nodes were held. */
  at: number;
  /** Held before the next thing is carried out. */
  before: boolean;
  /** UTC microseconds. */
  since: number;
}

const FAR = 2_000;

/** Why the run is paused, from the end of its log; null where that is not loaded or it goes on. */
export function pauseReason(store: EventStore): PauseReason | null {
  for (let seq = store.known.last; seq >= Math.max(0, store.known.last - FAR); seq -= 1) {
    const kind = store.kind(seq);
    if (kind === "run.resumed") return null;
    if (kind !== "run.paused") continue;
    const paused = store.events.peek(seq);
    return paused === undefined ? null : read(store, paused);
  }
  return null;
}

function read(store: EventStore, event: Event): PauseReason | null {
  if (event.payload.kind !== "run.paused") return null;
  const { by = "", reason = "" } = event.payload;
  if (by !== "breakpoint") return { cause: "person", name: by, note: reason, at: event.seq - 1, before: false, since: event.at };
  const hit = hitBefore(store, event.seq, reason);
  return {
    cause: reason === "step" ? "step" : "breakpoint",
    name: reason,
    note: hit?.note ?? "",
    at: hit?.at_seq ?? event.seq - 1,
    before: hit?.before ?? false,
    since: event.at,
  };
}

function hitBefore(store: EventStore, seq: number, id: string) {
  for (let at = seq - 1; at >= Math.max(0, seq - 50); at -= 1) {
    const payload = store.events.peek(at)?.payload;
    if (payload?.kind === "breakpoint.hit" && payload.breakpoint === id) return payload;
  }
  return null;
}
