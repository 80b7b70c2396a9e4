/** What the HTTP API gives. Times (`*_at`) are UTC microseconds, 0 where it has not happened. */

export type RunStatus =
  | "queued"
  | "running"
  | "paused"
  | "parked"
  | "lost"
  | "finished"
  | "failed"
  | "cancelled";

export interface Run {
  run_id: string;
  team_name: string;
  input: string;
  task_id: string;
  attempt: number;
  seed: number;
  source: string;
  tags: string[];
  parent_run_id: string;
  parent_seq: number;
  status: RunStatus;
  priority: number;
  position: number;
  created_at: number;
  started_at: number;
  finished_at: number;
  worker: string;
  last_seq: number;
  /** Text search covers events up to here. */
  indexed_seq: number;
  errors: number;
  warnings: number;
  model_calls: number;
  tool_calls: number;
  input_tokens: number;
  output_tokens: number;
  cost_usd: number;
  answer: string;
  error: string;
  /** The environment's verdict, 0 to 1; null where there is none. */
  score?: number | null;
  /** How many questions wait for a person. */
  questions?: number;
}

/** The task that a run does in an environment; its answers are in it once the run has ended. */
export interface RunEnvironment {
  kind?: string;
  suite?: string;
  task_id?: string;
  task?: { question?: string; graded?: boolean } & Record<string, unknown>;
}

export interface RunDetail extends Run {
  team: RecordedTeam;
  environment?: RunEnvironment;
  forks: string[];
  labels: unknown[];
  /** Who debugs it, until when (UTC microseconds); null while nobody does. */
  debugger?: { by: string; until: number } | null;
}

export type RunCounts = Partial<Record<RunStatus, number>>;

export interface RunList {
  runs: Run[];
  total: number;
  counts: RunCounts;
}

export interface SetupStep {
  name: string;
  state: "waiting" | "running" | "done" | "failed";
  detail: string;
  /** 0 to 1; null where it cannot be told. */
  progress: number | null;
}

export interface Setup {
  ready: boolean;
  steps: SetupStep[];
}

export interface Session {
  user: { username: string; is_staff: boolean } | null;
  version: string;
  mode: "embedded" | "cluster" | "single-process";
  setup: Setup;
}

export interface Limits {
  steps: number | null;
  tokens: number | null;
  seconds: number | null;
  cost_usd: number | null;
}

export interface AgentDefinition {
  name: string;
  role: string;
  model: string;
  instructions: string;
  /** Null takes the role's own. */
  tools: string[] | null;
  parameters: Record<string, unknown>;
}

/** A run's copy of its team, as it was given: whatever has a default may be missing. */
export type RecordedTeam = Partial<Omit<TeamDefinition, "agents">> & { agents?: (Partial<AgentDefinition> & { name: string })[] };

export interface TeamDefinition {
  name: string;
  description: string;
  topology: string;
  max_rounds: number;
  agents: AgentDefinition[];
  limits: Limits;
  approval?: ApprovalPolicy;
  network?: NetworkPolicy;
}

/** Which calls wait for a person. */
export interface ApprovalPolicy {
  mode: "never" | "always" | "pattern";
  /** Such as `shell` or `files(write *)`. */
  patterns: string[];
  /** Seconds after which a call that nobody allowed is refused; null waits for ever. */
  timeout_s: number | null;
}

/** Which hosts a team's tools may reach. */
export interface NetworkPolicy {
  allow: string[];
}

export interface Problem {
  /** Path in the definition, as `agents[1].tools[0]`. */
  where: string;
  message: string;
}

export interface Team {
  id: string;
  name: string;
  description: string;
  definition: TeamDefinition;
  version: number;
  updated_at: number;
  problems: Problem[];
}

export interface Role {
  name: string;
  instructions: string;
  tools: string[];
}

export interface Tool {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
  effect: "read_only" | "idempotent" | "unsafe";
}

export interface Task {
  id: string;
  set: string;
  key: string;
  question: string;
  answer: string;
  level: string;
  metadata: Record<string, unknown>;
}

export interface TaskList {
  tasks: Task[];
  total: number;
  sets: { name: string; count: number }[];
}

export interface LineProblem {
  line: number;
  message: string;
}

export interface ImportOutcome {
  added: number;
  updated: number;
  problems: LineProblem[];
}

export interface Price {
  input: number;
  output: number;
  cached_input?: number;
  cache_write?: number;
}

/** Of one connection, over all workers; absent means no limit. */
export interface ModelLimits {
  requests_per_minute?: number;
  tokens_per_minute?: number;
  concurrent?: number;
  cost_per_day_usd?: number;
  cost_per_month_usd?: number;
}

export interface Model {
  id: string;
  name: string;
  provider: string;
  base_url: string;
  model: string;
  has_key: boolean;
  key_hint: string;
  parameters: Record<string, unknown>;
  /** USD per million tokens; null where it is not known. */
  price: Price | null;
  limits: ModelLimits;
  /** Names of the connections to ask when this one fails, in their order. */
  fallbacks: string[];
  /** USD so far; null where no budget makes anyone count. */
  spending: { day_usd: number; month_usd: number } | null;
  /** Where it can be changed. */
  source: "settings" | "config.yaml";
  /** One of config.yaml has its name and is used instead. */
  hidden: boolean;
  /** How the last test ended. */
  state: "untested" | "ok" | "failed";
}

/** Whom a model connection may go to. */
export interface Provider {
  name: string;
  title: string;
  base_url: string;
  /** What a base URL looks like, where one must be given. */
  url_example: string;
  needs_key: boolean;
  /** The environment variable that holds the key where none is stored. */
  key_env: string;
  /** What differs from OpenAI's own API, a sentence each. */
  quirks: string[];
}

export interface ModelTest {
  ok: boolean;
  /** The provider's own words. */
  message: string;
  latency_ms: number;
  reply: string;
}

export interface Process {
  name: string;
  state: string;
  pid: number | null;
  restarts: number;
  since: number;
  last_line: string;
  runs?: string[];
}

export interface Hit {
  run_id: string;
  seq: number;
  kind: string;
  actor: string;
  snippet: string;
}
