import type { Event } from "@/generated/events";

/** Where an outcome comes from if it was not really carried out. */
export type Source = { from: "replay"; seq: number | null } | { from: "mock" } | { from: "person"; name: string };

/** Reads `replay:41`, `mock`, `person:ada`; null for what was carried out. */
export function sourceOf(event: Event | undefined): Source | null {
  const payload = event?.payload;
  const outcome = payload?.kind === "llm.responded" || payload?.kind === "tool.returned" || payload?.kind === "tool.failed";
  const text = outcome ? payload.source : undefined;
  if (text === undefined || text === "") return null;
  const [from, rest = ""] = splitOnce(text);
  if (from === "replay") return { from, seq: /^\d+$/.test(rest) ? Number(rest) : null };
  if (from === "mock") return { from };
  return from === "person" ? { from, name: rest } : null;
}

function splitOnce(text: string): [string, string] {
  const cut = text.indexOf(":");
  return cut < 0 ? [text, ""] : [text.slice(0, cut), text.slice(cut + 1)];
}
