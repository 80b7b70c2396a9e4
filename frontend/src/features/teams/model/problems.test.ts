import { describe, expect, it } from "vitest";

import { elsewhere, formPlaces, problemAt, problemWithin } from "./problems";

const problems = [
  { where: "agents[1].tools[0]", message: "unknown tool" },
  { where: "agents[10].name", message: "taken" },
  { where: "agents", message: "a cycle" },
];

describe("a problem's field", () => {
  it("is the one that it names", () => {
    expect(problemAt(problems, "agents[10].name")).toBe("taken");
    expect(problemAt(problems, "agents[1].name")).toBeUndefined();
  });

  it("takes what lies inside it", () => {
    expect(problemWithin(problems, "agents[1].tools")).toBe("unknown tool");
  });

  it("is not one whose name only begins alike", () => {
    expect(problemWithin([{ where: "agents[10].tools", message: "x" }], "agents[1]")).toBeUndefined();
  });

  it("leaves over what no field shows", () => {
    expect(elsewhere(problems, formPlaces(2)).map((p) => p.message)).toEqual(["taken", "a cycle"]);
  });
});
