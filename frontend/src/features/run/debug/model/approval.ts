/** The arguments of a call that waits for leave, as a person reads and changes them. */

const LONGEST = 4_000;

export interface ArgumentLine {
  name: string;
  /** Text as it is, anything else as JSON; cut with a count where it is long. */
  text: string;
}

export function argumentLines(values: Record<string, unknown>): ArgumentLine[] {
  return Object.entries(values).map(([name, value]) => ({ name, text: cut(typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "")) }));
}

function cut(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}… (+${String(text.length - LONGEST)})`;
}

/** What was written in the place of the arguments: their values, or why they cannot be read. */
export function readArguments(text: string): { values?: Record<string, unknown>; problem?: string } {
  try {
    const values: unknown = JSON.parse(text);
    if (typeof values === "object" && values !== null && !Array.isArray(values)) return { values: values as Record<string, unknown> };
    return { problem: "{…}" };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}
