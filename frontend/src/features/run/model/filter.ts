import { FAMILIES } from "@/generated/events";
import type { EventStore } from "@/lib/events/event-store";
import { KNOWN, PAGE_BITS, PAGE_MASK } from "@/lib/events/page";

import type { KindFilter } from "./address";

/** Which events are listed. */
export interface EventFilter {
  lane: string;
  kind: KindFilter;
}

export function filters(filter: EventFilter): boolean {
  return filter.lane !== "" || filter.kind !== "";
}

/** A test on the columns; lanes of an agent's tools belong to the agent. */
export function matcher(store: EventStore, filter: EventFilter): (seq: number) => boolean {
  const family = FAMILIES.indexOf(filter.kind as (typeof FAMILIES)[number]);
  const lanes = lanesOf(store, filter.lane);
  return (seq) => {
    const page = store.page(seq);
    const i = seq & PAGE_MASK;
    if (page === undefined || ((page.flags[i] as number) & KNOWN) === 0) return false;
    if (lanes !== null && !lanes.has(page.lane[i] as number)) return false;
    if (filter.kind === "errors") return page.severity[i] === 2;
    return family < 0 || page.family[i] === family;
  };
}

/** Known seqs that match, in order. */
export function matching(store: EventStore, filter: EventFilter): Int32Array {
  const matches = matcher(store, filter);
  const found = new Int32Array(store.known.size);
  let length = 0;
  for (let number = 0; number < store.pageCount; number += 1) {
    const first = number << PAGE_BITS;
    if (store.page(first) === undefined) continue;
    const last = Math.min(first + PAGE_MASK, store.known.last);
    for (let seq = first; seq <= last; seq += 1) {
      if (matches(seq)) {
        found[length] = seq;
        length += 1;
      }
    }
  }
  return found.subarray(0, length);
}

/** How many known errors a filter hides. They are never hidden without being counted. */
export function hiddenErrors(store: EventStore, filter: EventFilter): number {
  if (!filters(filter) || filter.kind === "errors") {
    if (filter.lane === "") return 0;
  }
  const matches = matcher(store, filter);
  return store.errors.reduce((sum, seq) => sum + (matches(seq) ? 0 : 1), 0);
}

function lanesOf(store: EventStore, name: string): ReadonlySet<number> | null {
  if (name === "") return null;
  const own = store.lanes.find(name);
  const set = new Set<number>();
  for (let number = 0; number < store.lanes.count; number += 1) {
    if (number === own || (own >= 0 && store.lanes.get(number)?.parent === own)) set.add(number);
  }
  return set;
}
