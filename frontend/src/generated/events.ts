// Made by `python -m aworld.events.typescript` from aworld/events. Do not edit: change the schema and run it again.

export const SCHEMA_VERSION = 1;

/** Where a run stops by itself. None means no limit. */
export interface Limits {
  /** Model calls of the whole run. */
  steps?: number | null;
  /** Input and output tokens of the whole run. */
  tokens?: number | null;
  /** Time while running; pauses do not count. */
  seconds?: number | null;
  cost_usd?: number | null;
}

/** What a person is asked to allow. */
export interface Approval {
  /** Seq of the call that waits. */
  call: number;
  /** The tool or action; "" for a call of the model. */
  tool?: string;
  /** As they stand now, changed by hooks or not; for a model `{messages, parameters}`. */
  arguments?: Record<string, unknown>;
  /** The team's patterns that name the call; empty where a hook asks. */
  rules?: string[];
  /** The hook that asks; "" where the team's own rules do. */
  hook?: string;
  /** `after` where it is about handing over the result. */
  stage?: "before" | "after";
}

/** Someone asked for a run. Always seq 0. */
export interface RunCreated {
  kind: "run.created";
  team_name: string;
  input: string;
  /** The immutable copy of the team's definition. */
  team?: Record<string, unknown>;
  /** `web`, `command_line`, `script`, `rollout`, `fork`, `import`. */
  source?: string;
  limits?: Limits;
  seed?: number;
  /**
   * `{kind, suite, task_id, task}` where the run has one. The task's `data`, which holds its
   * answers, stays in the run's row.
   */
  environment?: Record<string, unknown>;
}

/** A worker took the run and begins, or goes on after it was lost or parked. */
export interface RunStarted {
  kind: "run.started";
  worker: string;
  epoch?: number;
  resumed?: boolean;
}

/** Every node stops at its next gate. */
export interface RunPaused {
  kind: "run.paused";
  by?: string;
  reason?: string;
  /** Number of the command that asked for it; -1 where none did. */
  command?: number;
}

/** The nodes go on. */
export interface RunResumed {
  kind: "run.resumed";
  by?: string;
  /** Number of the command that asked for it; -1 where none did. */
  command?: number;
}

/** The paused run gave its worker back. */
export interface RunParked {
  kind: "run.parked";
}

/** The team gave its answer. */
export interface RunFinished {
  kind: "run.finished";
  answer: string;
  /** Whether a verifier passed it; None when none looked. */
  verified?: boolean | null;
}

/** The run ended without an answer. */
export interface RunFailed {
  kind: "run.failed";
  error: string;
  /**
   * `error`, `limit`, `no_answer`, `infrastructure`, or `environment_error`: the run's world
   * could not be made, broke, or could not judge.
   */
  outcome?: string;
}

/** A person or a policy ended it. */
export interface RunCancelled {
  kind: "run.cancelled";
  by?: string;
  reason?: string;
  /** Number of the command that asked for it; -1 where none did. */
  command?: number;
}

/** The worker's lease ran out. Another takes the run up from its log. */
export interface RunLost {
  kind: "run.lost";
  worker: string;
  /** UTC microseconds. */
  last_heartbeat: number;
}

/** Something takes part in the run from here on. */
export interface NodeJoined {
  kind: "node.joined";
  /** `agent`, `tool`, `environment`, `trainer`, `person`, `coordinator`. */
  node_type: string;
  role?: string;
  /** The system prompt as the model gets it, without the tool list. */
  instructions?: string;
  model?: string;
  /** Schemas of the tools on offer, as the model gets them. */
  tools?: Record<string, unknown>[];
}

/** It takes part no longer; its open work is given back. */
export interface NodeLeft {
  kind: "node.left";
  reason?: string;
}

/** A limit ended something. Says which, how much was allowed, how much was used. */
export interface LimitReached {
  kind: "limit.reached";
  limit: string;
  allowed: number;
  used: number;
}

/** A fault of the harness itself, or of a node's own code. */
export interface ErrorRaised {
  kind: "error.raised";
  error: string;
  error_type?: string;
  traceback?: string;
}

/** One node speaks to others; who is meant stands in `recipients` or `topic`. */
export interface MessageSent {
  kind: "message.sent";
  content: string;
  /** `task`, `answer`, `failure`, `verify`, `critique`, `correction` or a user's own word. */
  purpose?: string;
  /** What it is about apart from its wording: for `verify`, the proposed answer. */
  subject?: string;
}

/** What an agent means to do. */
export interface PlanProposed {
  kind: "plan.proposed";
  steps: string[];
}

/** The plan after something was learned. */
export interface PlanRevised {
  kind: "plan.revised";
  steps: string[];
  why?: string;
}

/** What an agent learned from what went wrong. */
export interface ReflectionMade {
  kind: "reflection.made";
  lesson: string;
}

/** A verifier looked at an answer and agrees. */
export interface VerificationPassed {
  kind: "verification.passed";
  answer: string;
  evidence?: string;
}

/** A verifier looked at an answer and does not agree. */
export interface VerificationFailed {
  kind: "verification.failed";
  answer: string;
  evidence?: string;
}

/** An agent, or a tool that needs approval, asks a person. Opens a span. */
export interface PersonAsked {
  kind: "person.asked";
  question: string;
  choices?: string[];
  default?: string | null;
  timeout_s?: number | null;
  /** Who asks, where the supervisor puts the question for it. */
  agent?: string;
  /** None where it is a question, not something to allow. */
  approval?: Approval | null;
}

/** The answer, or the default after the time-out. */
export interface PersonAnswered {
  kind: "person.answered";
  answer: string;
  by?: string;
  timed_out?: boolean;
  /** Number of the command that carried it; -1 where none did. */
  command?: number;
}

/** A model is called. Opens a span. */
export interface LlmRequested {
  kind: "llm.requested";
  model: string;
  /**
   * Seqs of the events whose messages make up the prompt, in order: `node.joined` (system
   * prompt and tools), `message.sent`, `llm.responded`, `tool.returned`, `tool.failed`.
   */
  context: number[];
  /** blake2b-128 of the whole request as sent, without ids and times. */
  request_hash: string;
  parameters?: Record<string, unknown>;
}

/** The model answered. Closes its span. */
export interface LlmResponded {
  kind: "llm.responded";
  text: string;
  /** `{id, name, arguments, raw?, error?}`; arguments is None where the JSON was malformed. */
  tool_calls?: Record<string, unknown>[];
  finish_reason?: string;
  input_tokens?: number;
  output_tokens?: number;
  cached_input_tokens?: number;
  cost_usd?: number | null;
  model?: string;
  first_token_us?: number | null;
  reasoning?: string;
  /** Part of `output_tokens`. */
  reasoning_tokens?: number;
  /** Part of `input_tokens`, as the cached ones are. */
  cache_write_tokens?: number;
  /**
   * How `reasoning` is cut into blocks that the provider wants back: `{chars, signature?,
   * redacted?}`.
   */
  thoughts?: Record<string, unknown>[];
  /** Which model connection of a fallback chain answered; "" without a chain. */
  connection?: string;
  /** Why an earlier connection of the chain did not; "" where the first one answered. */
  instead_of?: string;
  /** Where the answer comes from if not from the model: `replay:<seq>` or `person:<name>`. */
  source?: string;
}

/**
 * One attempt failed. With `will_retry` the span goes on, else it ends here: the call is tried
 * again, waits for a limit of its connection, or goes to the next connection of a chain.
 */
export interface LlmFailed {
  kind: "llm.failed";
  error: string;
  status?: number | null;
  will_retry?: boolean;
  retry_in_s?: number;
}

/** A tool is called. Opens a span. */
export interface ToolCalled {
  kind: "tool.called";
  tool: string;
  arguments: Record<string, unknown>;
  /** The model's id of the call, which the answer must carry back. */
  call_id?: string;
  /** `read_only`, `idempotent` or `unsafe`: what may be done after a crash. */
  effect?: string;
}

/** The tool's result. Closes its span. */
export interface ToolReturned {
  kind: "tool.returned";
  tool: string;
  text: string;
  data?: unknown;
  call_id?: string;
  /** `{name, media_type, size, blob}`; the bytes are in the blob store. */
  attachments?: Record<string, unknown>[];
  /**
   * Where the outcome comes from if not from the tool: `replay:<seq>` (the parent's), `mock`, or
   * `person:<name>`.
   */
  source?: string;
  /** Of an environment's action: sha256 of what must be seen again when it is repeated. */
  observation_hash?: string;
  /**
   * Of an environment's action: the blob that holds the whole world after it, where it offers
   * one.
   */
  snapshot?: string;
}

/**
 * The tool could not, was refused, or does not exist; the model is told `error`. Closes its
 * span where one was opened.
 */
export interface ToolFailed {
  kind: "tool.failed";
  tool: string;
  error: string;
  call_id?: string;
  /**
   * `error`, `timeout`, `unknown_tool`, `malformed_call`, `refused`, `cancelled`, or
   * `environment_error`: the run's world broke, which is no fault of the team.
   */
  reason?: string;
  /** As on `tool.returned`. */
  source?: string;
}

/** The worker died between call and result of a tool that must not run twice. */
export interface ToolOutcomeUnknown {
  kind: "tool.outcome_unknown";
  tool: string;
  call_id?: string;
}

/** The run's environment is made ready for its task. Opens a span. */
export interface EnvironmentReset {
  kind: "environment.reset";
  /** Its kind, such as `web`. */
  environment: string;
  /** `suite/id`. */
  task?: string;
}

/** What can be seen of it at first. Closes the span of `environment.reset`. */
export interface EnvironmentObserved {
  kind: "environment.observed";
  /** `{text, data, attachments: [{name, media_type, size, blob}], done}`. */
  observation: unknown;
  /** sha256 of what must be seen again when the world is made again. */
  observation_hash?: string;
}

/**
 * A person acted by hand in an episode that no run drives. An agent's action is recorded as
 * the call of a tool, `tool.called` and what closes it, and not here a second time.
 */
export interface EnvironmentStepped {
  kind: "environment.stepped";
  action: unknown;
}

/** The team hands in its answer and asks for the verdict. Opens a span. */
export interface EnvironmentSubmitted {
  kind: "environment.submitted";
  answer: string;
}

/** The environment's own judgement. Closes the span of `environment.submitted`. */
export interface EnvironmentVerified {
  kind: "environment.verified";
  /** 0.0 to 1.0; None where the task is not graded. */
  score: number | null;
  why?: string;
  /** Each test or metric with what it found. */
  details?: Record<string, unknown>;
  /** What kept an answer from being right by a little; never changes the score. */
  near_miss?: string;
}

/** The world could not be made or could not judge: no verdict on the team. Closes its span. */
export interface EnvironmentFailed {
  kind: "environment.failed";
  /** `reset` or `verify`. */
  stage: string;
  error: string;
  /** `fault`, or `cancelled` where the run ended first. */
  reason?: string;
}

/** Two statements cannot both hold. */
export interface ConflictDetected {
  kind: "conflict.detected";
  about: string;
  /** `{seq, actor, statement}` each; `start` and `end` where it is a passage of a message. */
  sides: Record<string, unknown>[];
  /** Which comparison found it: `number`, `date`, `negation`, `file` and so on. */
  rule?: string;
  /** A sentence that names both values. */
  why?: string;
  /** `ask_again`, `vote`, `verifier` or `person`; "" where nothing follows. */
  follow_up?: string;
}

/** Which side holds, and why. */
export interface ConflictResolved {
  kind: "conflict.resolved";
  about: string;
  winner: string;
  why?: string;
}

/** A sub-task that was there already. */
export interface DuplicateDropped {
  kind: "duplicate.dropped";
  content: string;
  /** Seq of the first one. */
  same_as: number;
  /** `same` or `alike`. */
  rule?: string;
  /** From 0 to 1. */
  similarity?: number;
  why?: string;
}

/** How much a sub-task counts. */
export interface WeightAssigned {
  kind: "weight.assigned";
  subject: string;
  weight: number;
  why?: string;
}

/** What an attempt or a step earned. */
export interface RewardAssigned {
  kind: "reward.assigned";
  value: number;
  source: string;
  why?: string;
}

/** The run stopped, or a logpoint wrote. */
export interface BreakpointHit {
  kind: "breakpoint.hit";
  /** Its id; `step` where a single step ended. */
  breakpoint: string;
  /** The event after which the nodes were held. */
  at_seq: number;
  note?: string;
  /** Held after the nodes had been asked what they want, but before it was carried out. */
  before?: boolean;
  /** False for a logpoint: it only writes. */
  stop?: boolean;
}

/** A person changed what the nodes see of an earlier event. */
export interface EditApplied {
  kind: "edit.applied";
  /** Seq of the changed event. */
  target: number;
  before: Record<string, unknown>;
  after: Record<string, unknown>;
  by?: string;
  /** Number of the command that carried it; -1 where none did. */
  command?: number;
}

/** This run shares its parent's events up to and including `parent_seq`. */
export interface ForkCreated {
  kind: "fork.created";
  parent_run_id: string;
  parent_seq: number;
  /** Tool name to `replay`, `mock`, `live` or `ask`. */
  policies?: Record<string, string>;
}

/** A call, or its result, did not simply pass the gate: it was refused or changed. */
export interface GateDecided {
  kind: "gate.decided";
  /** Seq of the call. */
  call: number;
  /** `hook:<name>`, `person:<name>`, or `approval` where nobody answered in time. */
  by: string;
  decision: "deny" | "change";
  /** Whether it is about the call or about its result. */
  stage?: "before" | "after";
  reason?: string;
  /**
   * The arguments that took the place of the recorded ones, or the changed fields of the
   * result, whose earlier values are not kept.
   */
  changed?: Record<string, unknown>;
}

/** One optimiser step. */
export interface TrainingStep {
  kind: "training.step";
  step: number;
  metrics: Record<string, number>;
}

/** A measurement on held-out tasks. */
export interface TrainingEvaluated {
  kind: "training.evaluated";
  step: number;
  score: number;
  n: number;
  low: number;
  /** Bounds of the 95 % interval. */
  high: number;
}

/** Weights were written. */
export interface TrainingCheckpointed {
  kind: "training.checkpointed";
  step: number;
  path: string;
  sha256: string;
}

/** Stands for a payload too large for the log; the whole of it lies in the blob store. */
export interface Offloaded {
  kind: "payload.offloaded";
  /** The kind of the payload it stands for. */
  of: string;
  /** sha256 of the JSON-encoded payload. */
  blob: string;
  /** Bytes of the JSON-encoded payload. */
  size: number;
  /** Its first text, at most 1,000 characters. */
  preview: string;
  /** The tool's name where the payload is a tool's, so that the lane is known without the blob. */
  tool?: string;
}

/** A payload written by a newer version: kept whole, shown as it is. */
export interface Unknown {
  kind: "payload.unknown";
  of: string;
  data: Record<string, unknown>;
}

export type Payload =
  | RunCreated
  | RunStarted
  | RunPaused
  | RunResumed
  | RunParked
  | RunFinished
  | RunFailed
  | RunCancelled
  | RunLost
  | NodeJoined
  | NodeLeft
  | LimitReached
  | ErrorRaised
  | MessageSent
  | PlanProposed
  | PlanRevised
  | ReflectionMade
  | VerificationPassed
  | VerificationFailed
  | PersonAsked
  | PersonAnswered
  | LlmRequested
  | LlmResponded
  | LlmFailed
  | ToolCalled
  | ToolReturned
  | ToolFailed
  | ToolOutcomeUnknown
  | EnvironmentReset
  | EnvironmentObserved
  | EnvironmentStepped
  | EnvironmentSubmitted
  | EnvironmentVerified
  | EnvironmentFailed
  | ConflictDetected
  | ConflictResolved
  | DuplicateDropped
  | WeightAssigned
  | RewardAssigned
  | BreakpointHit
  | EditApplied
  | ForkCreated
  | GateDecided
  | TrainingStep
  | TrainingEvaluated
  | TrainingCheckpointed
  | Offloaded
  | Unknown;

/** One thing that happened. Immutable once it has its seq. */
export interface Event {
  run_id: string;
  /** Dense in the run: 0, 1, 2 … without gaps. -1 on a draft. */
  seq: number;
  /** UTC, microseconds since the Unix epoch; never decreasing within a run. */
  at: number;
  /** The node's name, `supervisor`, or `person:<user name>`. */
  actor: string;
  payload: Payload;
  role?: string;
  task_id?: string;
  attempt?: number;
  /** Seq of the event that opened the span this one belongs to; its own seq on the opener. */
  span?: number | null;
  /** Seq of the event that opened the enclosing span. */
  parent?: number | null;
  /** Seqs of the events this one answers: message causality. */
  caused_by?: number[];
  topic?: string;
  /** Node names; empty with an empty topic means everyone. */
  recipients?: string[];
  schema_version?: number;
}

export const KINDS = [
  "run.created",
  "run.started",
  "run.paused",
  "run.resumed",
  "run.parked",
  "run.finished",
  "run.failed",
  "run.cancelled",
  "run.lost",
  "node.joined",
  "node.left",
  "limit.reached",
  "error.raised",
  "message.sent",
  "plan.proposed",
  "plan.revised",
  "reflection.made",
  "verification.passed",
  "verification.failed",
  "person.asked",
  "person.answered",
  "llm.requested",
  "llm.responded",
  "llm.failed",
  "tool.called",
  "tool.returned",
  "tool.failed",
  "tool.outcome_unknown",
  "environment.reset",
  "environment.observed",
  "environment.stepped",
  "environment.submitted",
  "environment.verified",
  "environment.failed",
  "conflict.detected",
  "conflict.resolved",
  "duplicate.dropped",
  "weight.assigned",
  "reward.assigned",
  "breakpoint.hit",
  "edit.applied",
  "fork.created",
  "gate.decided",
  "training.step",
  "training.evaluated",
  "training.checkpointed",
] as const;

export type Kind = (typeof KINDS)[number];

export const FAMILIES = ["model", "tool", "message", "environment", "person", "trainer", "supervisor"] as const;

export type Family = (typeof FAMILIES)[number];

/** 0 nothing wrong, 1 worth a look, 2 an error. */
export type Severity = 0 | 1 | 2;

export const FAMILY_OF: Readonly<Record<Kind, Family>> = {
  "run.created": "supervisor",
  "run.started": "supervisor",
  "run.paused": "supervisor",
  "run.resumed": "supervisor",
  "run.parked": "supervisor",
  "run.finished": "supervisor",
  "run.failed": "supervisor",
  "run.cancelled": "supervisor",
  "run.lost": "supervisor",
  "node.joined": "supervisor",
  "node.left": "supervisor",
  "limit.reached": "supervisor",
  "error.raised": "supervisor",
  "message.sent": "message",
  "plan.proposed": "message",
  "plan.revised": "message",
  "reflection.made": "message",
  "verification.passed": "message",
  "verification.failed": "message",
  "person.asked": "person",
  "person.answered": "person",
  "llm.requested": "model",
  "llm.responded": "model",
  "llm.failed": "model",
  "tool.called": "tool",
  "tool.returned": "tool",
  "tool.failed": "tool",
  "tool.outcome_unknown": "tool",
  "environment.reset": "environment",
  "environment.observed": "environment",
  "environment.stepped": "environment",
  "environment.submitted": "environment",
  "environment.verified": "environment",
  "environment.failed": "environment",
  "conflict.detected": "message",
  "conflict.resolved": "message",
  "duplicate.dropped": "message",
  "weight.assigned": "trainer",
  "reward.assigned": "trainer",
  "breakpoint.hit": "supervisor",
  "edit.applied": "person",
  "fork.created": "supervisor",
  "gate.decided": "person",
  "training.step": "trainer",
  "training.evaluated": "trainer",
  "training.checkpointed": "trainer",
};

/** Of a kind by itself; an `llm.failed` that will be retried is only a warning. */
export const SEVERITY_OF: Readonly<Record<Kind, Severity>> = {
  "run.created": 0,
  "run.started": 0,
  "run.paused": 0,
  "run.resumed": 0,
  "run.parked": 0,
  "run.finished": 0,
  "run.failed": 2,
  "run.cancelled": 1,
  "run.lost": 2,
  "node.joined": 0,
  "node.left": 0,
  "limit.reached": 1,
  "error.raised": 2,
  "message.sent": 0,
  "plan.proposed": 0,
  "plan.revised": 0,
  "reflection.made": 0,
  "verification.passed": 0,
  "verification.failed": 1,
  "person.asked": 0,
  "person.answered": 0,
  "llm.requested": 0,
  "llm.responded": 0,
  "llm.failed": 2,
  "tool.called": 0,
  "tool.returned": 0,
  "tool.failed": 2,
  "tool.outcome_unknown": 2,
  "environment.reset": 0,
  "environment.observed": 0,
  "environment.stepped": 0,
  "environment.submitted": 0,
  "environment.verified": 0,
  "environment.failed": 2,
  "conflict.detected": 1,
  "conflict.resolved": 0,
  "duplicate.dropped": 1,
  "weight.assigned": 0,
  "reward.assigned": 0,
  "breakpoint.hit": 0,
  "edit.applied": 0,
  "fork.created": 0,
  "gate.decided": 1,
  "training.step": 0,
  "training.evaluated": 0,
  "training.checkpointed": 0,
};

export const OPENERS: ReadonlySet<string> = new Set<Kind>([
  "person.asked",
  "llm.requested",
  "tool.called",
  "environment.reset",
  "environment.submitted",
]);

export const CLOSERS: ReadonlySet<string> = new Set<Kind>([
  "person.answered",
  "llm.responded",
  "llm.failed",
  "tool.returned",
  "tool.failed",
  "tool.outcome_unknown",
  "environment.observed",
  "environment.verified",
  "environment.failed",
]);

export const TERMINAL: ReadonlySet<string> = new Set<Kind>([
  "run.finished",
  "run.failed",
  "run.cancelled",
]);
