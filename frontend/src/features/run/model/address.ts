import { FAMILIES, type Family } from "@/generated/events";

import type { TimeView } from "../timeline/time-view";

export type MainView = "transcript" | "events";
/** `""` shows all kinds, `errors` what is an error, a family its events. */
export type KindFilter = "" | "errors" | Family;

/** What of the page's state is in its address, so that a link reproduces the view. */
export interface AddressState {
  /** The selected event, and with it the playhead. */
  seq: number | null;
  /** The part of the run on the timeline, microseconds since its start; null is all of it. */
  window: TimeView | null;
  /** An agent's name; "" shows all. */
  lane: string;
  kind: KindFilter;
  /** The text to find. */
  q: string;
  view: MainView;
}

function isKindFilter(value: string): value is KindFilter {
  return value === "errors" || (FAMILIES as readonly string[]).includes(value);
}

function whole(text: string | null): number | null {
  if (text === null || !/^\d{1,15}$/.test(text)) return null;
  return Number(text);
}

function micros(text: string | null): number | null {
  if (text === null || !/^-?\d{1,16}$/.test(text)) return null;
  return Number(text);
}

/** Reads an address. What cannot be read is as if it were not there. */
export function readAddress(query: URLSearchParams): AddressState {
  const t0 = micros(query.get("t0"));
  const t1 = micros(query.get("t1"));
  const kind = query.get("kind") ?? "";
  return {
    seq: whole(query.get("seq")),
    window: t0 !== null && t1 !== null && t1 > t0 ? { t0, t1 } : null,
    lane: query.get("lane") ?? "",
    kind: isKindFilter(kind) ? kind : "",
    q: query.get("q") ?? "",
    view: query.get("view") === "events" ? "events" : "transcript",
  };
}

/** The query of an address, "" where all is as a new page has it. */
export function writeAddress(state: AddressState): string {
  const query = new URLSearchParams();
  if (state.seq !== null) query.set("seq", String(state.seq));
  if (state.window !== null) {
    const t0 = Math.floor(state.window.t0);
    query.set("t0", String(t0));
    query.set("t1", String(Math.max(t0 + 1, Math.ceil(state.window.t1))));
  }
  if (state.lane !== "") query.set("lane", state.lane);
  if (state.kind !== "") query.set("kind", state.kind);
  if (state.q !== "") query.set("q", state.q);
  if (state.view !== "transcript") query.set("view", state.view);
  const text = query.toString();
  return text === "" ? "" : `?${text}`;
}
