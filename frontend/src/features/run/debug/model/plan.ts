import type { EventStore } from "@/lib/events/event-store";

export interface Plan {
  seq: number;
  steps: string[];
}

const FAR = 20_000;

/** What an agent meant to do at a step: its last plan up to there; null where it had none near by. */
export function planOf(store: EventStore, agent: string, seq: number): Plan | null {
  const lane = store.lanes.find(agent);
  if (lane < 0) return null;
  for (let at = seq; at >= Math.max(0, seq - FAR); at -= 1) {
    if (store.lane(at) !== lane || !store.has(at)) continue;
    const kind = store.kind(at);
    if (kind !== "plan.proposed" && kind !== "plan.revised") continue;
    const edited = store.edits.findLast((edit) => edit <= seq && targets(store, edit, at));
    const own = store.events.peek(edited ?? at)?.payload;
    if (own?.kind === "edit.applied") return { seq: at, steps: steps(own.after["steps"]) };
    if (own?.kind === "plan.proposed" || own?.kind === "plan.revised") return { seq: at, steps: own.steps };
  }
  return null;
}

function targets(store: EventStore, edit: number, target: number): boolean {
  const payload = store.events.peek(edit)?.payload;
  return payload?.kind === "edit.applied" && payload.target === target;
}

function steps(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
