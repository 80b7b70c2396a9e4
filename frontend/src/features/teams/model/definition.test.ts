import { describe, expect, it } from "vitest";

import { agentAdded, agentMoved, agentRemoved, blankTeam, complete, freeName, same } from "./definition";

const names = (team: ReturnType<typeof blankTeam>) => team.agents.map((agent) => agent.name);

describe("editing a team", () => {
  it("gives a new agent a free name and the last one's model", () => {
    const once = agentAdded(blankTeam("local"), "other");
    const twice = agentAdded(once, "other");
    expect(names(twice)).toEqual(["solver", "verifier", "agent", "agent-2"]);
    expect(twice.agents.at(-1)?.model).toBe("local");
  });

  it("takes the first model where there is no agent yet", () => {
    expect(agentAdded({ ...blankTeam("local"), agents: [] }, "other").agents[0]?.model).toBe("other");
  });

  it("moves an agent and leaves the given team as it was", () => {
    const team = blankTeam("local");
    expect(names(agentMoved(team, 1, 0))).toEqual(["verifier", "solver"]);
    expect(names(team)).toEqual(["solver", "verifier"]);
  });

  it("does not move an agent past the ends", () => {
    const team = blankTeam("local");
    expect(agentMoved(team, 0, -1)).toBe(team);
    expect(agentMoved(team, 1, 2)).toBe(team);
  });

  it("removes by place", () => {
    expect(names(agentRemoved(blankTeam("local"), 0))).toEqual(["verifier"]);
  });

  it("finds a free name after gaps", () => {
    expect(freeName(["a", "a-2", "a-4"], "a")).toBe("a-3");
  });
});

describe("completing a definition", () => {
  it("fills what is missing and keeps what it does not know", () => {
    const team = complete({ name: "x", agents: [{ name: "a", color: "red" }], notes: "mine" });
    expect(team).toMatchObject({ name: "x", topology: "pipeline", max_rounds: 2, notes: "mine" });
    expect(team.agents[0]).toEqual({ name: "a", role: "", model: "", instructions: "", tools: null, parameters: {}, color: "red" });
  });

  it("keeps a limit that was taken away apart from one that was never named", () => {
    expect(complete({ limits: { steps: null } }).limits).toEqual({ steps: null, tokens: null, seconds: 900, cost_usd: null });
  });

  it("makes a team even of what is none", () => {
    expect(complete("hello").agents).toEqual([]);
  });
});

describe("sameness", () => {
  it("does not see the order of keys, and sees the order of agents", () => {
    expect(same({ a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 })).toBe(true);
    expect(same({ a: [1, 2] }, { a: [2, 1] })).toBe(false);
  });
});
