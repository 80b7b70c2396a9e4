/** A team's definition as it is edited. Nothing here changes what it is given. */
import type { AgentDefinition, ApprovalPolicy, Limits, NetworkPolicy, TeamDefinition } from "@/lib/api/types";

const LIMITS: Limits = { steps: 60, tokens: null, seconds: 900, cost_usd: null };

export function blankAgent(name: string, model: string): AgentDefinition {
  return { name, role: "", model, instructions: "", tools: [], parameters: {} };
}

/** A solver with a verifier behind it: the smallest team that checks itself. */
export function blankTeam(model: string): TeamDefinition {
  return {
    name: "",
    description: "",
    topology: "pipeline",
    max_rounds: 2,
    agents: [
      { ...blankAgent("solver", model), role: "solver" },
      { ...blankAgent("verifier", model), role: "verifier" },
    ],
    limits: LIMITS,
  };
}

const object = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
const text = (value: unknown): string => (typeof value === "string" ? value : value === undefined || value === null ? "" : String(value));
const amount = (value: unknown): number | null => (typeof value === "number" ? value : null);

function completeAgent(value: unknown): AgentDefinition {
  const agent = object(value);
  return {
    ...agent,
    name: text(agent["name"]),
    role: text(agent["role"]),
    model: text(agent["model"]),
    instructions: text(agent["instructions"]),
    tools: Array.isArray(agent["tools"]) ? agent["tools"].map(text) : null,
    parameters: object(agent["parameters"]),
  };
}

/** A definition with every field that the form shows; fields it does not know stay as they are. */
export function complete(value: unknown): TeamDefinition {
  const team = object(value);
  const limits = object(team["limits"]);
  return {
    ...team,
    name: text(team["name"]),
    description: text(team["description"]),
    topology: text(team["topology"]) || "pipeline",
    max_rounds: amount(team["max_rounds"]) ?? 2,
    agents: Array.isArray(team["agents"]) ? team["agents"].map(completeAgent) : [],
    limits: {
      ...limits,
      steps: "steps" in limits ? amount(limits["steps"]) : LIMITS.steps,
      tokens: amount(limits["tokens"]),
      seconds: "seconds" in limits ? amount(limits["seconds"]) : LIMITS.seconds,
      cost_usd: amount(limits["cost_usd"]),
    },
    ...completePolicies(team),
  };
}

/** What is not the default of `approval` and `network`: a team that says nothing of them stays so. */
function completePolicies(team: Record<string, unknown>): Pick<TeamDefinition, "approval" | "network"> {
  const policies: Pick<TeamDefinition, "approval" | "network"> = {};
  if ("approval" in team) policies.approval = approvalOf(team);
  if ("network" in team) policies.network = networkOf(team);
  return policies;
}

/** A team's approval, never where it says nothing. */
export function approvalOf(team: { approval?: unknown }): ApprovalPolicy {
  const given = object(team.approval);
  const mode = text(given["mode"]);
  return {
    ...given,
    mode: mode === "always" || mode === "pattern" ? mode : "never",
    patterns: Array.isArray(given["patterns"]) ? given["patterns"].map(text) : [],
    timeout_s: amount(given["timeout_s"]),
  };
}

/** The hosts a team's tools may reach, none where it says nothing. */
export function networkOf(team: { network?: unknown }): NetworkPolicy {
  const given = object(team.network);
  return { ...given, allow: Array.isArray(given["allow"]) ? given["allow"].map(text) : [] };
}

/** `agent`, or `agent-2`, `agent-3` … where that is taken. */
export function freeName(taken: string[], wanted: string): string {
  if (!taken.includes(wanted)) return wanted;
  let number = 2;
  while (taken.includes(`${wanted}-${String(number)}`)) number += 1;
  return `${wanted}-${String(number)}`;
}

export function withAgent(team: TeamDefinition, index: number, change: Partial<AgentDefinition>): TeamDefinition {
  return { ...team, agents: team.agents.map((agent, i) => (i === index ? { ...agent, ...change } : agent)) };
}

/** A new agent at the end, talking to the model that the last one uses. */
export function agentAdded(team: TeamDefinition, model: string): TeamDefinition {
  const name = freeName(team.agents.map((agent) => agent.name), "agent");
  return { ...team, agents: [...team.agents, blankAgent(name, team.agents.at(-1)?.model ?? model)] };
}

export function agentRemoved(team: TeamDefinition, index: number): TeamDefinition {
  return { ...team, agents: team.agents.filter((_, i) => i !== index) };
}

/** The agent at `from` at `to`; out of range stays. */
export function agentMoved(team: TeamDefinition, from: number, to: number): TeamDefinition {
  const agent = team.agents[from];
  if (agent === undefined || to < 0 || to >= team.agents.length) return team;
  const agents = team.agents.filter((_, i) => i !== from);
  agents.splice(to, 0, agent);
  return { ...team, agents };
}

/** Whether two definitions say the same, whatever the order of their keys. */
export function same(a: unknown, b: unknown): boolean {
  return canonical(a) === canonical(b);
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner !== "object" || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([x], [y]) => (x < y ? -1 : 1)));
  });
}
