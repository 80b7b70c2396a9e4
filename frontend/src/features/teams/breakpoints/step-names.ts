import type { Role, TeamDefinition } from "@/lib/api/types";

/** The agents and tools that a team's steps can name; an agent without tools of its own has its role's. */
export function stepNames(team: TeamDefinition, roles: readonly Role[]): { agents: string[]; tools: string[] } {
  const tools = team.agents.flatMap((agent) => agent.tools ?? roles.find(({ name }) => name === agent.role)?.tools ?? []);
  return { agents: team.agents.map(({ name }) => name).filter((name) => name !== ""), tools: [...new Set(tools)].sort() };
}
