import type { Problem } from "@/lib/api/types";

/** The first problem exactly at a place, such as `agents[1].model`. */
export function problemAt(problems: Problem[], where: string): string | undefined {
  return problems.find((problem) => problem.where === where)?.message;
}

/** The first problem at a place or inside it: `agents[1].tools` for `agents[1].tools[0]`. */
export function problemWithin(problems: Problem[], where: string): string | undefined {
  return problems.find((problem) => inside(problem.where, where))?.message;
}

function inside(where: string, place: string): boolean {
  return where === place || where.startsWith(`${place}.`) || where.startsWith(`${place}[`);
}

/** Problems that no field of the form shows. */
export function elsewhere(problems: Problem[], shown: string[]): Problem[] {
  return problems.filter((problem) => !shown.some((place) => inside(problem.where, place)));
}

const AGENT_FIELDS = ["name", "role", "model", "instructions", "tools", "parameters"];

/** Every place that the form has a field for. */
export function formPlaces(agents: number): string[] {
  const fields = ["name", "description", "topology", "max_rounds", "limits.steps", "limits.tokens", "limits.seconds", "limits.cost_usd", "approval", "network"];
  for (let i = 0; i < agents; i += 1) fields.push(...AGENT_FIELDS.map((field) => `agents[${String(i)}].${field}`));
  return fields;
}
