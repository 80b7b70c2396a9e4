import type { Event, Payload } from "@/generated/events";

const LONGEST = 400;

type Summaries = { [K in Payload["kind"]]?: (payload: Extract<Payload, { kind: K }>) => string };

const SUMMARIES: Summaries = {
  "run.created": (p) => p.input,
  "run.started": (p) => p.worker,
  "run.paused": (p) => p.reason ?? "",
  "run.finished": (p) => p.answer,
  "run.failed": (p) => p.error,
  "run.cancelled": (p) => p.reason ?? "",
  "run.lost": (p) => p.worker,
  "node.joined": (p) => [p.node_type, p.role, p.model].filter(Boolean).join(" · "),
  "node.left": (p) => p.reason ?? "",
  "limit.reached": (p) => `${p.limit}: ${String(p.used)} / ${String(p.allowed)}`,
  "error.raised": (p) => [p.error_type, p.error].filter(Boolean).join(": "),
  "message.sent": (p) => p.content,
  "plan.proposed": (p) => p.steps.join(" → "),
  "plan.revised": (p) => p.steps.join(" → "),
  "reflection.made": (p) => p.lesson,
  "verification.passed": (p) => [p.answer, p.evidence].filter(Boolean).join(" — "),
  "verification.failed": (p) => [p.answer, p.evidence].filter(Boolean).join(" — "),
  "person.asked": (p) => p.question,
  "person.answered": (p) => p.answer,
  "llm.requested": (p) => p.model,
  "llm.responded": (p) => p.text || (p.tool_calls ?? []).map(callText).join("; "),
  "llm.failed": (p) => p.error,
  "tool.called": (p) => `${p.tool}(${argumentsText(p.arguments)})`,
  "tool.returned": (p) => p.text,
  "tool.failed": (p) => p.error,
  "tool.outcome_unknown": (p) => p.tool,
  "environment.reset": (p) => [p.environment, p.task].filter(Boolean).join(" · "),
  "environment.observed": (p) => seenText(p.observation),
  "environment.submitted": (p) => p.answer,
  "environment.failed": (p) => p.error,
  "environment.stepped": (p) => plain(p.action),
  "environment.verified": (p) => [p.score === null ? "" : String(p.score), p.why].filter(Boolean).join(" — "),
  "conflict.detected": (p) => p.about,
  "conflict.resolved": (p) => [p.winner, p.why].filter(Boolean).join(" — "),
  "duplicate.dropped": (p) => p.content,
  "weight.assigned": (p) => `${p.subject}: ${String(p.weight)}`,
  "reward.assigned": (p) => `${String(p.value)} (${p.source})`,
  "breakpoint.hit": (p) => p.note ?? p.breakpoint,
  "edit.applied": (p) => `#${String(p.target)}`,
  "fork.created": (p) => `${p.parent_run_id} #${String(p.parent_seq)}`,
  "gate.decided": (p) => [`${p.decision} #${String(p.call)}`, p.by, p.reason, argumentsText(p.changed ?? {})].filter(Boolean).join(" · "),
  "training.step": (p) => Object.entries(p.metrics).map(([name, value]) => `${name} ${value.toPrecision(4)}`).join(" · "),
  "training.evaluated": (p) => `${p.score.toFixed(3)} [${p.low.toFixed(3)}, ${p.high.toFixed(3)}], n ${String(p.n)}`,
  "training.checkpointed": (p) => p.path,
  "payload.offloaded": (p) => p.preview,
  "payload.unknown": (p) => plain(p.data),
};

/** What an environment showed: its own words where it has any. */
function seenText(observation: unknown): string {
  const text = (observation as { text?: unknown } | null)?.text;
  return typeof text === "string" ? text : plain(observation);
}

/** An event in one line of text. */
export function summary(event: Event): string {
  const write = SUMMARIES[event.payload.kind] as ((payload: Payload) => string) | undefined;
  return oneLine(write?.(event.payload) ?? "");
}

/** The event's own text, whole: what is read in the transcript and in the inspector. */
export function textOf(payload: Payload): string {
  const write = SUMMARIES[payload.kind] as ((payload: Payload) => string) | undefined;
  return write?.(payload) ?? "";
}

/** `a: 17, b: 23` */
export function argumentsText(values: Record<string, unknown> | null | undefined): string {
  if (values === null || values === undefined) return "…";
  return Object.entries(values).map(([name, value]) => `${name}: ${plain(value)}`).join(", ");
}

function callText(call: Record<string, unknown>): string {
  return `${String(call["name"])}(${argumentsText(call["arguments"] as Record<string, unknown> | null)})`;
}

function plain(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

function oneLine(text: string): string {
  const cut = text.length > LONGEST ? text.slice(0, LONGEST) : text;
  return cut.replace(/\s+/g, " ").trim();
}

/** All text of an event that a person may look for, in lower case. */
export function searchable(event: Event): string {
  const parts: string[] = [event.actor];
  const walk = (value: unknown, depth: number): void => {
    if (typeof value === "string") parts.push(value);
    else if (typeof value === "number") parts.push(String(value));
    else if (depth > 0 && typeof value === "object" && value !== null) {
      for (const inner of Object.values(value)) walk(inner, depth - 1);
    }
  };
  walk(event.payload, 5);
  return parts.join("\n").toLowerCase();
}
