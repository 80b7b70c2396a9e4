import { describe, expect, it } from "vitest";

import { matches } from "./matches";

describe("the palette's match", () => {
  it("takes everything for an empty text", () => {
    expect(matches("Runs", " ")).toBe(true);
  });

  it("takes the beginnings of words in any order", () => {
    expect(matches("Switch to the dark theme", "da sw")).toBe(true);
  });

  it("does not take one letter from inside a word", () => {
    expect(matches("Runs", "n")).toBe(false);
  });

  it("takes Chinese from anywhere, since it has no spaces", () => {
    expect(matches("切换到深色主题", "深色")).toBe(true);
  });
});
