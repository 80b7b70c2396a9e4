import { expect, it } from "vitest";

import type { AgentDefinition, TeamDefinition } from "@/lib/api/types";

import { stepNames } from "./step-names";

const agent = (name: string, role: string, tools?: string[]) => ({ name, role, tools }) as AgentDefinition;

it("names every agent, its own tools, and its role's where it has none of its own", () => {
  const team = { agents: [agent("ada", "solver"), agent("bob", "verifier", ["logic_check"]), agent("", "solver", [])] } as unknown as TeamDefinition;
  const roles = [{ name: "solver", instructions: "", tools: ["calculator"] }];
  expect(stepNames(team, roles)).toEqual({ agents: ["ada", "bob"], tools: ["calculator", "logic_check"] });
});
