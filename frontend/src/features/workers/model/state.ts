import type { Mark } from "@/components/status-mark";
import type { SetupStep } from "@/lib/api/types";

const PROCESS: Record<string, Mark> = {
  waiting: "waiting",
  starting: "running",
  running: "ok",
  unresponsive: "error",
  restarting: "warning",
  stopping: "warning",
  stopped: "cancelled",
};

/** The states that have a word in the dictionaries. */
export const PROCESS_STATES = Object.keys(PROCESS);

/** The mark of a process's state; a word it does not know is only waiting, and is shown as it is. */
export function processMark(state: string): Mark {
  return PROCESS[state] ?? "waiting";
}

const STEP: Record<SetupStep["state"], Mark> = { waiting: "waiting", running: "running", done: "ok", failed: "failed" };

export function stepMark(step: SetupStep): Mark {
  return STEP[step.state];
}
