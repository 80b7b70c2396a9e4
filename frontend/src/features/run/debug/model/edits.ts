import type { EventStore } from "@/lib/events/event-store";

/** A change that a person made to an event. */
export interface Edit {
  /** The event that records it. */
  seq: number;
  target: number;
  before: Record<string, unknown>;
  after: Record<string, unknown>;
  by: string;
  /** UTC microseconds. */
  at: number;
}

/** The changes of one event, oldest first. */
export function editsOf(store: EventStore, target: number): Edit[] {
  return store.edits.flatMap((seq) => {
    const event = store.events.peek(seq);
    if (event?.payload.kind !== "edit.applied" || event.payload.target !== target) return [];
    const { before, after, by = "" } = event.payload;
    return [{ seq, target, before, after, by, at: event.at }];
  });
}

/** The payload as its nodes see it at `upTo`: the event's own, or the last change of it. */
export function seenPayload(own: Record<string, unknown>, edits: readonly Edit[], upTo = Infinity): Record<string, unknown> {
  return edits.findLast(({ seq }) => seq <= upTo)?.after ?? own;
}
