import type { Breakpoint } from "@/lib/api/breakpoints";

/** The field of a breakpoint that the server's sentence is about; "" where it is about none. */
export function faultyField(message: string, where = ""): keyof Breakpoint | "" {
  const named = /\.(kinds|agents|tools|condition|when|from_hit|every|log|stop_on)/.exec(`.${where}`)?.[1];
  if (named !== undefined) return named as keyof Breakpoint;
  if (message.startsWith("The condition ")) return "condition";
  if (message.startsWith("The message ")) return "log";
  if (/: from_hit is /.test(message)) return "from_hit";
  if (/: every is /.test(message)) return "every";
  if (/^There is no kind |^No run (can stop|stops) /.test(message)) return "kinds";
  return "";
}

/** Names as one types them: with commas or spaces between. */
export function readNames(typed: string): string[] {
  return [...new Set(typed.split(/[\s,]+/).filter((name) => name !== ""))];
}

/** A part of what a breakpoint names, for a chip. */
export interface Part {
  name: "when" | "stop_on" | "kind" | "any" | "agent" | "tool" | "condition" | "from_hit" | "every" | "once" | "log";
  text: string;
}

/** What it names, part by part, in reading order. */
export function partsOf(breakpoint: Breakpoint): Part[] {
  const parts: Part[] = [];
  if (breakpoint.stop_on === "") {
    parts.push({ name: "when", text: breakpoint.when });
    if (breakpoint.kinds.length === 0) parts.push({ name: "any", text: "" });
  } else parts.push({ name: "stop_on", text: breakpoint.stop_on });
  parts.push(...breakpoint.kinds.map((text): Part => ({ name: "kind", text })));
  parts.push(...breakpoint.agents.map((text): Part => ({ name: "agent", text })));
  parts.push(...breakpoint.tools.map((text): Part => ({ name: "tool", text })));
  if (breakpoint.condition !== "") parts.push({ name: "condition", text: breakpoint.condition });
  if (breakpoint.from_hit > 1) parts.push({ name: "from_hit", text: String(breakpoint.from_hit) });
  if (breakpoint.every > 1) parts.push({ name: "every", text: String(breakpoint.every) });
  if (breakpoint.once) parts.push({ name: "once", text: "" });
  if (breakpoint.log !== "") parts.push({ name: "log", text: breakpoint.log });
  return parts;
}
