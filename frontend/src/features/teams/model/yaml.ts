/** A definition as YAML and back. */
import { parseDocument, stringify } from "yaml";

import type { TeamDefinition } from "@/lib/api/types";

import { complete } from "./definition";

/** A definition as text, with the values that every agent leaves at their default left out. */
export function toYaml(team: TeamDefinition): string {
  const agents = team.agents.map(({ instructions, tools, parameters, ...rest }) => ({
    ...rest,
    ...(instructions !== "" && { instructions }),
    ...(tools !== null && { tools }),
    ...(Object.keys(parameters).length > 0 && { parameters }),
  }));
  return stringify({ ...team, agents }, { lineWidth: 100 });
}

/** The parser's sentence without its place, which is told apart, and without the drawn line. */
function withoutPlace(message: string): string {
  return (message.split("\n")[0] ?? "").replace(/ at line \d+, column \d+:?$/, "");
}

export type Parsed = { team: TeamDefinition } | { line: number; message: string };

/** The definition in a text, or the first place where it cannot be read. */
export function fromYaml(text: string): Parsed {
  const document = parseDocument(text, { prettyErrors: true });
  const [error] = document.errors;
  if (error !== undefined) {
    return { line: error.linePos?.[0].line ?? 1, message: withoutPlace(error.message) };
  }
  const value: unknown = document.toJS({ maxAliasCount: 100 });
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { line: 1, message: "not a mapping" };
  }
  return { team: complete(value) };
}
