/** What of an event a person may change, and how the change is written. */

export type Fields = Record<string, unknown>;

export type FieldShape = "text" | "lines" | "calls";

export interface EditField {
  name: string;
  shape: FieldShape;
}

const text = (name: string): EditField => ({ name, shape: "text" });

const FIELDS: Record<string, EditField[]> = {
  "message.sent": [text("content")],
  "llm.responded": [text("text"), { name: "tool_calls", shape: "calls" }],
  "tool.returned": [text("text")],
  "tool.failed": [text("error")],
  "person.answered": [text("answer")],
  "node.joined": [text("instructions")],
  "plan.proposed": [{ name: "steps", shape: "lines" }],
  "plan.revised": [{ name: "steps", shape: "lines" }],
  "reflection.made": [text("lesson")],
  "verification.passed": [text("answer"), text("evidence")],
  "verification.failed": [text("answer"), text("evidence")],
};

const OUTCOMES = ["tool.returned", "tool.failed"];

/** Whether an event of this kind can be edited. An unknown outcome becomes a result or a failure. */
export function isEditable(kind: string): boolean {
  return kind === "tool.outcome_unknown" || kind in FIELDS;
}

/** What its form asks for. */
export function fieldsOf(kind: string): EditField[] {
  return FIELDS[kind] ?? [];
}

/** A tool's outcome may be turned into the other kind; other kinds have one. */
export function kindsFor(kind: string): string[] {
  return kind.startsWith("tool.") ? OUTCOMES : [kind];
}

/** The payload to begin with: as it is; of an unknown outcome an empty result. */
export function startFields(payload: Fields): Fields {
  return payload["kind"] === "tool.outcome_unknown" ? turned(payload, "tool.returned") : { ...payload };
}

/** The same outcome as the other kind; its words are kept. */
export function turned(payload: Fields, kind: string): Fields {
  if (payload["kind"] === kind) return payload;
  const words = String(payload["text"] ?? payload["error"] ?? "");
  const common: Fields = { kind, tool: payload["tool"], call_id: payload["call_id"] ?? "" };
  return kind === "tool.failed" ? { ...common, error: words, reason: "error" } : { ...common, text: words };
}

/** An empty answer to what an open call waits for; null where it waits for none. */
export function blankAnswer(opened: Fields): Fields | null {
  switch (opened["kind"]) {
    case "llm.requested":
      return { kind: "llm.responded", text: "", tool_calls: [] };
    case "tool.called":
      return { kind: "tool.returned", tool: opened["tool"], text: "" };
    case "person.asked":
      return { kind: "person.answered", answer: String(opened["default"] ?? "") };
    default:
      return null;
  }
}

/** The fields that differ, as the server takes them; with the kind where that changed. */
export function changedFields(before: Fields, after: Fields): Fields {
  const turnedInto = before["kind"] !== after["kind"];
  const fixed = turnedInto ? ["tool", "call_id", "kind"] : ["kind"];
  const changed = Object.entries(after).filter(
    ([name, value]) => !fixed.includes(name) && (turnedInto || !equal(value, before[name])),
  );
  return { ...Object.fromEntries(changed), ...(turnedInto && { kind: after["kind"] }) };
}

function equal(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** A payload as it is compared: each field in lines, text as it reads. */
export function written(fields: Fields): string {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined && value !== null && value !== "" && !(Array.isArray(value) && value.length === 0))
    .map(([name, value]) => {
      const lines = typeof value === "string" ? value : JSON.stringify(value, null, 2);
      return lines.includes("\n") ? `${name}:\n${lines}` : `${name}: ${lines}`;
    })
    .join("\n");
}

/** The field that a server's error speaks of: `… - at $.tool_calls[0].name`, `has no field 'x'`. */
export function fieldOfError(message: string): string | null {
  return /\$\.(\w+)/.exec(message)?.[1] ?? /no field '(\w+)'/.exec(message)?.[1] ?? null;
}

/** Reads what was typed as JSON: an object, or the reason why it is none. */
export function readObject(typed: string): Fields | string {
  try {
    const value: unknown = JSON.parse(typed);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : "{}";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
