import { createStore, type StoreApi } from "zustand/vanilla";

import { remembered } from "@/lib/storage";

import type { Edits, Held, Holder } from "../api/debug-api";
import { SPEEDS, type Speed } from "./playback";

/** What lies over the page; one at a time. */
export type DebugDialog =
  | { name: "edit"; seq: number }
  | { name: "fork"; at: number; edits: Edits }
  | { name: "answer"; span: number; opened: Held }
  | { name: "breakpoints"; from: number | null }
  | { name: "replay" };

export type InspectorPart = "event" | "state" | "prompt" | "payload" | "raw";

/** What the debugger's parts share beside the page's state, and what no link needs to reproduce. */
export interface DebugUi {
  dialog: DebugDialog | null;
  playing: boolean;
  speed: Speed;
  /** The state shows only what the step changed. */
  changedOnly: boolean;
  part: InspectorPart;
  /** Who holds the debugger; undefined until the server told. */
  holder: Holder | null | undefined;
}

export type DebugUiStore = StoreApi<DebugUi>;

export const SPEED_KEY = "debug.speed";

const isSpeed = (value: unknown): value is Speed => (SPEEDS as readonly unknown[]).includes(value);

export function createDebugUi(): DebugUiStore {
  return createStore<DebugUi>(() => ({
    dialog: null,
    playing: false,
    speed: remembered<Speed>(SPEED_KEY, 1, isSpeed),
    changedOnly: false,
    part: "event",
    holder: undefined,
  }));
}
