/** Reads the JSON Schema of an arguments object as fields of a form, and the form as arguments. */

export type Schema = Record<string, unknown>;

export type FieldKind = "text" | "long" | "number" | "boolean" | "choice" | "lines" | "json";

export interface SchemaField {
  name: string;
  kind: FieldKind;
  required: boolean;
  description: string;
  /** Of a choice. */
  options: string[];
  /** What its values are, in a word or two: `integer, 1 to 3`. */
  type: string;
  whole: boolean;
}

/** What a form holds: text by field; "" where nothing was given. */
export type FormValues = Record<string, string>;

/** Why a field's text is no value of it; the words are the form's. */
export type FieldProblem = "required" | "number" | "whole" | "json";

export type Reading = { ok: true; value: Record<string, unknown> } | { ok: false; problems: Record<string, FieldProblem> };

/** Texts that are often longer than a line. */
const LONG = new Set(["text", "code", "command", "diff", "content", "claim", "old", "new", "rows", "query", "question", "body"]);

function isObject(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The fields of an object's schema: required ones first, otherwise in its order. */
export function fieldsOf(schema: Schema): SchemaField[] {
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  const required = new Set(Array.isArray(schema["required"]) ? schema["required"] : []);
  const fields = Object.entries(properties).map(([name, given]) => field(name, isObject(given) ? given : {}, required.has(name)));
  return [...fields.filter((each) => each.required), ...fields.filter((each) => !each.required)];
}

function field(name: string, schema: Schema, required: boolean): SchemaField {
  const description = typeof schema["description"] === "string" ? schema["description"] : "";
  const options = Array.isArray(schema["enum"]) ? schema["enum"].filter((each) => each !== null).map(String) : [];
  const whole = typeOf(schema) === "integer";
  return { name, kind: kindOf(name, schema, options), required, description, options, type: typeWords(schema), whole };
}

/** The type's name; of several the one that is not null. */
function typeOf(schema: Schema): string {
  const type = schema["type"];
  if (Array.isArray(type)) return String(type.find((each) => each !== "null") ?? "");
  if (typeof type === "string") return type;
  const some = [schema["anyOf"], schema["oneOf"]].find(Array.isArray) as unknown[] | undefined;
  const real = some?.filter(isObject).filter((each) => each["type"] !== "null") ?? [];
  return real.length === 1 && real[0] !== undefined ? typeOf(real[0]) : "";
}

function kindOf(name: string, schema: Schema, options: string[]): FieldKind {
  if (options.length > 0) return "choice";
  const type = typeOf(schema);
  if (type === "string") return LONG.has(name) ? "long" : "text";
  if (type === "number" || type === "integer") return "number";
  if (type === "boolean") return "boolean";
  const items = schema["items"];
  if (type === "array" && isObject(items) && typeOf(items) === "string" && !("enum" in items)) return "lines";
  return "json";
}

/** `string` · `one of left, right` · `list of string` · `number, 0 to 300`. */
export function typeWords(schema: Schema): string {
  const options = schema["enum"];
  if (Array.isArray(options)) return options.map(String).join(" | ");
  const type = typeOf(schema);
  const items = schema["items"];
  if (type === "array") return isObject(items) && typeOf(items) !== "" ? `list of ${typeOf(items)}` : "list";
  const low = schema["minimum"] ?? schema["exclusiveMinimum"];
  const high = schema["maximum"] ?? schema["exclusiveMaximum"];
  const bounds = [typeof low === "number" ? `≥ ${String(low)}` : "", typeof high === "number" ? `≤ ${String(high)}` : ""].filter(Boolean).join(" ");
  return [type === "" ? "any" : type, bounds].filter(Boolean).join(", ");
}

/** The arguments that a form means, or what keeps each field from being one. */
export function readForm(fields: SchemaField[], values: FormValues): Reading {
  const value: Record<string, unknown> = {};
  const problems: Record<string, FieldProblem> = {};
  for (const each of fields) {
    const text = values[each.name] ?? "";
    if (text === "") {
      if (each.required) problems[each.name] = "required";
      continue;
    }
    const read = readField(each, text);
    if (read.problem === undefined) value[each.name] = read.value;
    else problems[each.name] = read.problem;
  }
  return Object.keys(problems).length === 0 ? { ok: true, value } : { ok: false, problems };
}

function readField(field: SchemaField, text: string): { value?: unknown; problem?: FieldProblem } {
  if (field.kind === "number") {
    const number = Number(text);
    if (!Number.isFinite(number) || text.trim() === "") return { problem: "number" };
    return field.whole && !Number.isInteger(number) ? { problem: "whole" } : { value: number };
  }
  if (field.kind === "boolean") return { value: text === "true" };
  if (field.kind === "lines") return { value: text.split("\n").filter((line) => line !== "") };
  if (field.kind !== "json") return { value: text };
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return { problem: "json" };
  }
}

/** A form's text for arguments, to go on in it what was written as JSON. */
export function writeForm(fields: SchemaField[], value: Record<string, unknown>): FormValues {
  const known = fields.filter(({ name }) => value[name] !== undefined && value[name] !== null);
  return Object.fromEntries(known.map((each) => [each.name, fieldText(each, value[each.name])]));
}

function fieldText(field: SchemaField, value: unknown): string {
  if (field.kind === "lines" && Array.isArray(value)) return value.map(String).join("\n");
  if (field.kind === "json" || (typeof value === "object" && value !== null)) return JSON.stringify(value, null, 2);
  return String(value);
}

/** Arguments written as JSON; the parser's words where they are no object. */
export function readJson(text: string): { value?: Record<string, unknown>; problem?: string } {
  try {
    const value: unknown = JSON.parse(text.trim() === "" ? "{}" : text);
    return isObject(value) ? { value } : { problem: "{…}" };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}
