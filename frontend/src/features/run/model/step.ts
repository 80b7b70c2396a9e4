import type { EventStore } from "@/lib/events/event-store";

/** The nearest known event after (`by` 1) or before (`by` -1) `seq` that `matches`; null for none. */
export function step(store: EventStore, seq: number | null, by: 1 | -1, matches: (seq: number) => boolean): number | null {
  const last = store.head;
  let at = seq === null ? (by === 1 ? 0 : last) : seq + by;
  for (; at >= 0 && at <= last; at += by) if (matches(at)) return at;
  return null;
}

/** The next or previous error. At the end it starts over: the first error is never far. */
export function stepError(store: EventStore, seq: number | null, by: 1 | -1): number | null {
  const { errors } = store;
  if (errors.length === 0) return null;
  if (by === 1) return errors.find((error) => error > (seq ?? -1)) ?? errors[0] ?? null;
  return errors.findLast((error) => error < (seq ?? Infinity)) ?? errors.at(-1) ?? null;
}

/**
 * The agent above or below: the event of its lane that is nearest in time to `seq`, at or before
 * it where there is one. Lanes without an event are passed over.
 */
export function stepLane(store: EventStore, seq: number | null, by: 1 | -1): number | null {
  const here = seq ?? store.known.last;
  if (here < 0) return null;
  const rows = store.lanes.order;
  for (let row = rows.indexOf(store.lane(here)) + by; row >= 0 && row < rows.length; row += by) {
    const lane = rows[row];
    const inLane = (at: number) => store.has(at) && store.lane(at) === lane;
    const found = step(store, here + 1, -1, inLane) ?? step(store, here, 1, inLane);
    if (found !== null) return found;
  }
  return null;
}
