import type { PlannedEffect, Policies, PolicyWord } from "../api/debug-api";

export const MODEL = "model";
export const OTHERS = "*";

/** A policy as its form has it. */
export interface Choice {
  word: PolicyWord;
  /** The text of a mock. */
  text: string;
}

export function readPolicy(policy: string | undefined): Choice {
  if (policy === undefined) return { word: "live", text: "" };
  if (policy.startsWith("mock:")) return { word: "mock", text: policy.slice("mock:".length) };
  return { word: policy === "replay" || policy === "ask" ? policy : "live", text: "" };
}

export function writePolicy({ word, text }: Choice): string {
  return word === "mock" ? `mock:${text}` : word;
}

/** A model cannot be mocked: a person answers in its place. */
export function wordsFor(name: string): PolicyWord[] {
  return name === MODEL ? ["live", "replay", "ask"] : ["live", "replay", "mock", "ask"];
}

/** The policies with one changed. */
export function withPolicy(policies: Policies, name: string, choice: Choice): Policies {
  return { ...policies, [name]: writePolicy(choice) };
}

/** Tools that a fork's policies can name: of the team, and those that the run called, in order. */
export function toolNames(teamTools: readonly string[], called: readonly string[]): string[] {
  return [...new Set([...teamTools, ...called])].sort();
}

export interface PlanCount {
  /** `model`, or the tool's name. */
  what: string;
  word: PolicyWord;
  count: number;
}

/** How many effects of each kind a policy takes: the model first, then tools by name. */
export function planCounts(effects: readonly PlannedEffect[]): PlanCount[] {
  const counts = new Map<string, PlanCount>();
  for (const { what, policy } of effects) {
    const { word } = readPolicy(policy);
    const key = `${what} ${word}`;
    const known = counts.get(key) ?? { what, word, count: 0 };
    counts.set(key, { ...known, count: known.count + 1 });
  }
  return [...counts.values()].sort((a, b) => Number(b.what === MODEL) - Number(a.what === MODEL) || a.what.localeCompare(b.what));
}
