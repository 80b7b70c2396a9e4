import type { Event } from "@/generated/events";
import { kindOf } from "@/lib/events/kinds";
import { completeBreakpoint, type Breakpoint } from "@/lib/api/breakpoints";

/** Kinds of which no run stops after: it is over, or stopped already. */
const ENDS = new Set(["run.finished", "run.failed", "run.cancelled"]);
const CONTROL = new Set(["breakpoint.hit", "run.paused", "run.resumed", "run.parked", "run.lost"]);

/** "Stop where this happens": the step of an event, never its number. */
export function breakpointAt(event: Event | undefined, id: string): Breakpoint {
  if (event === undefined) return completeBreakpoint({ id, stop_on: "error" });
  const kind = kindOf(event);
  if (CONTROL.has(kind)) return completeBreakpoint({ id });
  const { payload } = event;
  const tool = "tool" in payload && typeof payload.tool === "string" && payload.tool !== "" ? [payload.tool] : [];
  const agents = event.actor === "supervisor" || event.actor.startsWith("person:") ? [] : [event.actor];
  return completeBreakpoint({ id, kinds: [kind], tools: tool, agents, when: ENDS.has(kind) && kind !== "run.cancelled" ? "before" : "after" });
}
