import { describe, expect, it, vi } from "vitest";

import { chord, keyCaps, match, useHotkeyRegistry, type Hotkey } from "./hotkeys";

const press = (key: string, held: Partial<KeyboardEvent> = {}) => ({ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...held });
const hotkey = (keys: string, run: () => void = () => undefined): Hotkey => ({ keys, label: "l", group: "g", run });

describe("the name of a press", () => {
  it("is the same for Ctrl and ⌘", () => {
    expect([chord(press("k", { ctrlKey: true })), chord(press("k", { metaKey: true }))]).toEqual(["mod+k", "mod+k"]);
  });

  it("names shift beside a letter, and not beside a sign that it makes", () => {
    expect([chord(press("N", { shiftKey: true })), chord(press("?", { shiftKey: true })), chord(press(" "))]).toEqual(["shift+n", "?", "space"]);
  });
});

describe("finding the hotkey", () => {
  it("takes the sequence before the single key", () => {
    const all = [hotkey("t"), hotkey("g t")];
    expect([match(all, "t", "g")?.keys, match(all, "t", "")?.keys]).toEqual(["g t", "t"]);
  });

  it("takes the part that came last", () => {
    const later = hotkey("f");
    expect(match([hotkey("f"), later], "f", "")).toBe(later);
  });
});

describe("pressing keys on the page", () => {
  const type = (target: EventTarget, key: string) => target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));

  it("runs a sequence, and not while a text is typed", () => {
    const run = vi.fn();
    useHotkeyRegistry.setState({ hotkeys: [hotkey("g r", run)] });
    type(document.body, "g");
    type(document.body, "r");
    expect(run).toHaveBeenCalledTimes(1);
    const field = document.body.appendChild(document.createElement("input"));
    type(field, "g");
    type(field, "r");
    field.remove();
    expect(run).toHaveBeenCalledTimes(1);
    useHotkeyRegistry.setState({ hotkeys: [] });
  });
});

describe("key caps", () => {
  it("are one a press", () => {
    expect([keyCaps("g r"), keyCaps("?")]).toEqual([[["G"], ["R"]], [["?"]]]);
  });
});
