import type { Policies, PolicyWord } from "../api/debug-api";

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
