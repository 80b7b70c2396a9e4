import type { Event, Payload } from "../../../generated/events";

const START = 1_764_590_000_000_000;

/** An event of a test run: `at` counts microseconds from the run's start. */
export function sample(seq: number, at: number, actor: string, payload: Payload, more: Partial<Event> = {}): Event {
  return { run_id: "r", seq, at: START + at, actor, payload, ...more };
}

/** `seq` 0 of a test run. */
export function created(): Event {
  return sample(0, 0, "supervisor", { kind: "run.created", team_name: "team", input: "17 × 23?" });
}

/** A plain message, where only the seq matters. */
export function message(seq: number, at: number = seq * 1000, actor = "solver"): Event {
  return sample(seq, at, actor, { kind: "message.sent", content: `message ${String(seq)}` });
}
