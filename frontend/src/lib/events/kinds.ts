import {
  CLOSERS,
  FAMILIES,
  FAMILY_OF,
  KINDS,
  OPENERS,
  SEVERITY_OF,
  type Event,
  type Family,
  type Kind,
  type Severity,
} from "../../generated/events";

/** A kind's number in the columns. A kind of a newer server is `UNKNOWN_KIND`. */
export const UNKNOWN_KIND = 255;

const NUMBER = new Map<string, number>(KINDS.map((kind, index) => [kind, index]));

/** Family number of each kind number, for the drawing loop. */
export const FAMILY_NUMBER: Uint8Array = (() => {
  const table = new Uint8Array(256).fill(FAMILIES.indexOf("supervisor"));
  KINDS.forEach((kind, index) => {
    table[index] = FAMILIES.indexOf(FAMILY_OF[kind]);
  });
  return table;
})();

/** The kind that an event is, also where its payload lies elsewhere or is newer than this page. */
export function kindOf(event: Event): string {
  const payload = event.payload;
  return payload.kind === "payload.offloaded" || payload.kind === "payload.unknown"
    ? payload.of
    : payload.kind;
}

export function kindNumber(kind: string): number {
  return NUMBER.get(kind) ?? UNKNOWN_KIND;
}

export function kindName(number: number): Kind | "unknown" {
  return KINDS[number] ?? "unknown";
}

export function familyOf(kind: string): Family {
  return isKind(kind) ? FAMILY_OF[kind] : "supervisor";
}

function isKind(kind: string): kind is Kind {
  return NUMBER.has(kind);
}

/** How bad an event is. A model call that will be retried is a warning. */
export function severityOf(event: Event): Severity {
  const kind = kindOf(event);
  if (event.payload.kind === "llm.failed" && event.payload.will_retry === true) return 1;
  return isKind(kind) ? SEVERITY_OF[kind] : 0;
}

export function opensSpan(kind: string): boolean {
  return OPENERS.has(kind);
}

/** Whether the span that the event names ends here. */
export function closesSpan(event: Event): boolean {
  if (event.span === undefined || event.span === null || !CLOSERS.has(kindOf(event))) return false;
  return !(event.payload.kind === "llm.failed" && event.payload.will_retry === true);
}

/** The timeline's lane: the actor, or `actor/tool` for a tool's own events. */
export function laneOf(event: Event): string {
  const payload = event.payload;
  const tool = "tool" in payload && typeof payload.tool === "string" ? payload.tool : "";
  return tool === "" ? event.actor : `${event.actor}/${tool}`;
}
