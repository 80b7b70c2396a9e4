import { describe, expect, it } from "vitest";

import type { Model, Provider } from "@/lib/api/types";

import { blankModel, draftOf, draftProblems, inputOf, withMoved, withProvider } from "./connection";

const openai: Provider = { name: "openai", title: "OpenAI", base_url: "https://api.openai.com/v1", url_example: "", needs_key: true, key_env: "OPENAI_API_KEY", quirks: [] };
const own: Provider = { name: "compatible", title: "Own", base_url: "", url_example: "http://127.0.0.1:8000/v1", needs_key: false, key_env: "", quirks: [] };
const stored: Model = {
  id: "1", name: "qwen", provider: "qwen", base_url: "https://x/v1", model: "qwen3-32b", has_key: true, key_hint: "9f2c",
  parameters: { temperature: 0, top_p: 0.9 }, price: { input: 0.4, output: 1.2 }, limits: { concurrent: 4, cost_per_day_usd: 2.5 }, fallbacks: ["local"],
  spending: { day_usd: 0.1, month_usd: 3 }, source: "settings", hidden: false, state: "ok",
};

describe("a model connection", () => {
  it("comes back the same when nothing is edited, and leaves the key alone", () => {
    const { name, provider, base_url, model, parameters, price, limits, fallbacks } = stored;
    expect(inputOf(draftOf(stored))).toEqual({ name, provider, base_url, model, parameters, price, limits, fallbacks });
  });

  it("sends a typed key, and an empty one only to remove it", () => {
    expect(inputOf({ ...draftOf(stored), key: " sk-1 " }).api_key).toBe("sk-1");
    expect(inputOf({ ...draftOf(stored), removeKey: true }).api_key).toBe("");
  });

  it("has no price where none is typed, and keeps a price of zero", () => {
    expect(inputOf({ ...draftOf(stored), price_input: "", price_output: "" }).price).toBeNull();
    expect(inputOf({ ...draftOf(stored), price_input: "0", price_output: "0" }).price).toEqual({ input: 0, output: 0 });
  });

  it("names what cannot be sent", () => {
    const draft = { ...blankModel(openai), temperature: "warm", more: "{oops", price_input: "-1" };
    expect(draftProblems(draft).map((problem) => problem.field)).toEqual(["name", "temperature", "price", "more"]);
  });

  it("takes no limit of nothing, no half call, and no budget without a price", () => {
    const draft = draftOf({ ...stored, price: null });
    const limits = { ...draft.limits, requests_per_minute: "0", concurrent: "1.5" };
    expect(draftProblems({ ...draft, limits })).toEqual([
      { field: "requests_per_minute", problem: "not_a_limit" },
      { field: "concurrent", problem: "not_whole" },
      { field: "cost_per_day_usd", problem: "no_price" },
    ]);
  });

  it("takes a list for no parameters", () => {
    expect(draftProblems({ ...draftOf(stored), more: "[1]" })).toEqual([{ field: "more", problem: "not_json" }]);
  });
});

describe("changing the provider", () => {
  it("brings its address", () => {
    expect(withProvider(blankModel(own), openai, [openai, own]).base_url).toBe(openai.base_url);
  });

  it("keeps an address that was typed", () => {
    expect(withProvider({ ...blankModel(own), base_url: "http://gpu:8000/v1" }, openai, [openai, own]).base_url).toBe("http://gpu:8000/v1");
  });
});

describe("the order of fallbacks", () => {
  it("changes by one place, and not beyond its ends", () => {
    expect(withMoved(["a", "b", "c"], "c", -1)).toEqual(["a", "c", "b"]);
    expect(withMoved(["a", "b", "c"], "a", 1)).toEqual(["b", "a", "c"]);
    expect(withMoved(["a", "b"], "a", -1)).toEqual(["a", "b"]);
  });
});
