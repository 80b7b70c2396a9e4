/** A model connection as it is edited: all text, so that a half-typed number is not lost. */
import type { Model, ModelLimits, Price, Provider } from "@/lib/api/types";

export interface ModelInput {
  name: string;
  provider: string;
  base_url: string;
  model: string;
  parameters: Record<string, unknown>;
  price: Price | null;
  limits: ModelLimits;
  fallbacks: string[];
  /** Absent keeps the stored key, "" removes it. */
  api_key?: string;
}

export interface ModelDraft {
  name: string;
  provider: string;
  base_url: string;
  model: string;
  temperature: string;
  max_tokens: string;
  /** Further parameters as JSON, "" for none. */
  more: string;
  price_input: string;
  price_output: string;
  price_cached: string;
  price_write: string;
  limits: Record<LimitName, string>;
  /** Names of connections, in the order in which they are asked. */
  fallbacks: string[];
  /** What is typed; "" leaves the stored key. */
  key: string;
  removeKey: boolean;
}

export const LIMITS = ["requests_per_minute", "tokens_per_minute", "concurrent", "cost_per_day_usd", "cost_per_month_usd"] as const;
export type LimitName = (typeof LIMITS)[number];
const BUDGETS: readonly LimitName[] = ["cost_per_day_usd", "cost_per_month_usd"];

const PLAIN = ["temperature", "max_tokens"] as const;

const shown = (value: unknown): string => (typeof value === "number" ? String(value) : "");

function limitTexts(limits: ModelLimits): Record<LimitName, string> {
  return Object.fromEntries(LIMITS.map((name) => [name, shown(limits[name])])) as Record<LimitName, string>;
}

/** A new connection to a provider, with its own address filled in. */
export function blankModel(provider: Provider | undefined): ModelDraft {
  return {
    name: "", provider: provider?.name ?? "", base_url: provider?.base_url ?? "", model: "", temperature: "", max_tokens: "", more: "",
    price_input: "", price_output: "", price_cached: "", price_write: "", limits: limitTexts({}), fallbacks: [], key: "", removeKey: false,
  };
}

export function draftOf(model: Model): ModelDraft {
  const more = Object.fromEntries(Object.entries(model.parameters).filter(([name, value]) => !(PLAIN as readonly string[]).includes(name) || typeof value !== "number"));
  return {
    ...blankModel(undefined),
    name: model.name,
    provider: model.provider,
    base_url: model.base_url,
    model: model.model,
    temperature: shown(model.parameters["temperature"]),
    max_tokens: shown(model.parameters["max_tokens"]),
    more: Object.keys(more).length === 0 ? "" : JSON.stringify(more, null, 2),
    price_input: shown(model.price?.input),
    price_output: shown(model.price?.output),
    price_cached: shown(model.price?.cached_input),
    price_write: shown(model.price?.cache_write),
    limits: limitTexts(model.limits),
    fallbacks: model.fallbacks,
  };
}

/** The order of fallbacks after one was moved by `step` places; unchanged at the ends. */
export function withMoved(names: string[], name: string, step: -1 | 1): string[] {
  const from = names.indexOf(name);
  const to = from + step;
  if (from < 0 || to < 0 || to >= names.length) return names;
  const rest = names.filter((other) => other !== name);
  return [...rest.slice(0, to), name, ...rest.slice(to)];
}

/** Another provider: its address, unless the person has typed one of their own. */
export function withProvider(draft: ModelDraft, next: Provider, providers: Provider[]): ModelDraft {
  const own = draft.base_url !== "" && !providers.some((provider) => provider.base_url === draft.base_url);
  return { ...draft, provider: next.name, base_url: own ? draft.base_url : next.base_url };
}

export type DraftProblem = { field: "name" | "more" | "temperature" | "max_tokens" | "price" | LimitName; problem: "missing" | "not_a_number" | "not_a_limit" | "not_whole" | "no_price" | "not_json" };

function number(text: string): number | null | undefined {
  if (text.trim() === "") return null;
  const value = Number(text);
  return Number.isFinite(value) && value >= 0 ? value : undefined;
}

function parameters(draft: ModelDraft): Record<string, unknown> | null {
  if (draft.more.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(draft.more);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function limitProblem(draft: ModelDraft, name: LimitName): DraftProblem["problem"] | null {
  const value = number(draft.limits[name]);
  if (value === null) return null;
  if (value === undefined || value === 0) return "not_a_limit";
  if (!BUDGETS.includes(name)) return Number.isInteger(value) ? null : "not_whole";
  return draft.price_input.trim() === "" && draft.price_output.trim() === "" ? "no_price" : null;
}

/** What keeps a draft from being sent. */
export function draftProblems(draft: ModelDraft): DraftProblem[] {
  const problems: DraftProblem[] = [];
  if (draft.name.trim() === "") problems.push({ field: "name", problem: "missing" });
  for (const field of PLAIN) if (number(draft[field]) === undefined) problems.push({ field, problem: "not_a_number" });
  if ([draft.price_input, draft.price_output, draft.price_cached, draft.price_write].some((text) => number(text) === undefined)) problems.push({ field: "price", problem: "not_a_number" });
  for (const field of LIMITS) {
    const problem = limitProblem(draft, field);
    if (problem !== null) problems.push({ field, problem });
  }
  if (parameters(draft) === null) problems.push({ field: "more", problem: "not_json" });
  return problems;
}

/** The request. Call it only where there are no problems. */
export function inputOf(draft: ModelDraft): ModelInput {
  const all: Record<string, unknown> = { ...parameters(draft) };
  for (const name of PLAIN) {
    const value = number(draft[name]);
    if (typeof value === "number") all[name] = value;
  }
  const [input, output, cached, write] = [number(draft.price_input), number(draft.price_output), number(draft.price_cached), number(draft.price_write)];
  const limits: ModelLimits = {};
  for (const name of LIMITS) {
    const value = number(draft.limits[name]);
    if (typeof value === "number") limits[name] = value;
  }
  const priced = typeof input === "number" || typeof output === "number";
  return {
    name: draft.name.trim(),
    provider: draft.provider,
    base_url: draft.base_url.trim(),
    model: draft.model.trim(),
    parameters: all,
    price: priced ? { input: input ?? 0, output: output ?? 0, ...(typeof cached === "number" && { cached_input: cached }), ...(typeof write === "number" && { cache_write: write }) } : null,
    limits,
    fallbacks: draft.fallbacks,
    ...(draft.key !== "" ? { api_key: draft.key.trim() } : draft.removeKey ? { api_key: "" } : {}),
  };
}
