import { describe, expect, it } from "vitest";

import { blankTeam } from "./definition";
import { fromYaml, toYaml } from "./yaml";

describe("a team as YAML", () => {
  it("comes back the same", () => {
    const team = { ...blankTeam("local"), name: "数学", description: "Checks: itself # twice" };
    expect(fromYaml(toYaml(team))).toEqual({ team });
  });

  it("leaves out what an agent has at its default", () => {
    const text = toYaml(blankTeam("local"));
    expect(text).not.toContain("instructions");
    expect(text).toContain("role: solver");
  });

  it("tells no tools from those of the role", () => {
    const text = "name: x\nagents:\n  - name: a\n    role: solver\n  - name: b\n    role: solver\n    tools: []\n";
    const read = fromYaml(text);
    if (!("team" in read)) throw new Error(read.message);
    expect(read.team.agents.map(({ tools }) => tools)).toEqual([null, []]);
    expect(fromYaml(toYaml(read.team))).toEqual(read);
  });

  it("keeps several lines of instructions readable", () => {
    const team = blankTeam("local");
    const [first] = team.agents;
    if (first === undefined) throw new Error("the blank team has agents");
    const text = toYaml({ ...team, agents: [{ ...first, instructions: "One.\nTwo.\n" }] });
    expect(text).toContain("instructions: |");
  });

  it("names the line that cannot be read", () => {
    expect(fromYaml("name: x\nagents: [a, b\nlimits: {}\n")).toMatchObject({ line: 3 });
  });

  it("says the place once", () => {
    expect(fromYaml("x: [a\n")).toMatchObject({ message: expect.not.stringContaining("line 1") });
  });

  it("is a mapping, or nothing", () => {
    expect(fromYaml("- a\n- b")).toEqual({ line: 1, message: "not a mapping" });
    expect(fromYaml("")).toEqual({ line: 1, message: "not a mapping" });
  });
});
