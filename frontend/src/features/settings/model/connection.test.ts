import { describe, expect, it } from "vitest";

import type { Model, Provider } from "@/lib/api/types";

import { blankModel, draftOf, draftProblems, inputOf, withProvider } from "./connection";

const openai: Provider = { name: "openai", title: "OpenAI", base_url: "https://api.openai.com/v1", needs_key: true };
const own: Provider = { name: "compatible", title: "Own", base_url: "", needs_key: false };
const stored: Model = {
  id: "1", name: "qwen", provider: "qwen", base_url: "https://x/v1", model: "qwen3-32b", has_key: true, key_hint: "9f2c",
  parameters: { temperature: 0, top_p: 0.9 }, price: { input: 0.4, output: 1.2 }, state: "ok",
};

describe("a model connection", () => {
  it("comes back the same when nothing is edited, and leaves the key alone", () => {
    const { name, provider, base_url, model, parameters, price } = stored;
    expect(inputOf(draftOf(stored))).toEqual({ name, provider, base_url, model, parameters, price });
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
