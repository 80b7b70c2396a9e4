/**
 * The registry of keys. A part says which keys it takes while it is on the page; the help
 * overlay (`?`) lists what is registered, so it can never tell of a key that does nothing.
 *
 * A key is written `j`, `shift+j`, `mod+k` (⌘ on a Mac, Ctrl elsewhere), or a sequence `g r`.
 */
import { useEffect, useRef } from "react";
import { create } from "zustand";

export interface Hotkey {
  keys: string;
  /** Translation key of what it does. */
  label: string;
  /** Translation key of the heading in the help overlay. */
  group: string;
  run: (event: KeyboardEvent) => void;
  /** Also while a text field has the focus (only for keys with `mod`). */
  inFields?: boolean;
}

interface Registry {
  hotkeys: readonly Hotkey[];
}

export const useHotkeyRegistry = create<Registry>(() => ({ hotkeys: [] }));

const SEQUENCE_MS = 1_000;

/** The name of the pressed key in the registry's writing. */
export function chord(event: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">): string {
  const key = event.key === " " ? "space" : event.key.toLowerCase();
  const parts: string[] = [];
  if (event.ctrlKey || event.metaKey) parts.push("mod");
  if (event.altKey) parts.push("alt");
  // A shifted sign such as `?` already says so; shift is named only beside letters and named keys.
  if (event.shiftKey && (/^[a-z]$/.test(key) || key.length > 1)) parts.push("shift");
  parts.push(key);
  return parts.join("+");
}

function typing(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches("input, textarea, select, [role=textbox]"))
  );
}

function inOverlay(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("[role=dialog], [role=menu], [role=listbox]") !== null;
}

let pending = "";
let pendingAt = 0;

/** Finds the hotkey for a press, given what was pressed just before. The latest registered wins. */
export function match(hotkeys: readonly Hotkey[], pressed: string, before: string): Hotkey | undefined {
  const sequence = before === "" ? undefined : hotkeys.findLast((h) => h.keys === `${before} ${pressed}`);
  return sequence ?? hotkeys.findLast((h) => h.keys === pressed);
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || event.key === "Shift") return;
  const { hotkeys } = useHotkeyRegistry.getState();
  const pressed = chord(event);
  const before = event.timeStamp - pendingAt < SEQUENCE_MS ? pending : "";
  pending = "";
  const field = typing(event.target);
  const found = match(hotkeys, pressed, before);
  if (found !== undefined) {
    if ((field || inOverlay(event.target)) && found.inFields !== true) return;
    event.preventDefault();
    found.run(event);
  } else if (!field && !inOverlay(event.target)) {
    if (hotkeys.some((h) => h.keys.startsWith(`${pressed} `))) {
      pending = pressed;
      pendingAt = event.timeStamp;
    }
  }
}

window.addEventListener("keydown", onKeyDown);

/** Registers keys while the calling part is mounted. `run` may change freely between renders. */
export function useHotkeys(hotkeys: readonly Hotkey[], enabled = true): void {
  const latest = useRef(hotkeys);
  useEffect(() => {
    latest.current = hotkeys;
  });
  const identity = hotkeys.map((h) => `${h.keys}|${h.label}|${h.group}|${String(h.inFields)}`).join("\n");
  useEffect(() => {
    if (!enabled) return;
    const registered = latest.current.map((hotkey, index) => ({
      ...hotkey,
      run: (event: KeyboardEvent) => latest.current[index]?.run(event),
    }));
    useHotkeyRegistry.setState(({ hotkeys: all }) => ({ hotkeys: [...all, ...registered] }));
    return () => {
      useHotkeyRegistry.setState(({ hotkeys: all }) => ({
        hotkeys: all.filter((h) => !registered.includes(h as (typeof registered)[number])),
      }));
    };
  }, [identity, enabled]);
}

const MAC = typeof navigator !== "undefined" && /Mac|iPhone|iPad/.test(navigator.userAgent);
const SIGNS: Record<string, string> = {
  mod: MAC ? "⌘" : "Ctrl",
  shift: "⇧",
  alt: MAC ? "⌥" : "Alt",
  space: "Space",
  enter: "↵",
  escape: "Esc",
  home: "Home",
  end: "End",
  arrowup: "↑",
  arrowdown: "↓",
  arrowleft: "←",
  arrowright: "→",
};

/** The caps to draw: `mod+k` gives [["⌘","K"]], `g r` gives [["G"],["R"]]. */
export function keyCaps(keys: string): string[][] {
  return keys.split(" ").map((press) =>
    // `+` itself is a key: split only where something follows.
    press.split(/\+(?=.)/).map((part) => SIGNS[part] ?? part.toUpperCase()),
  );
}
