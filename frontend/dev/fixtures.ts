/** Invented, always the same: what the pages show while no server runs. */

const SECOND = 1_000_000;
const NOW = Date.now() * 1000;

const QUESTIONS = [
  "What is 17 * 23 + 4?",
  "求解一元二次方程 x²-5x+6=0",
  "A train leaves at 9:40 and arrives at 13:05. How long is the journey in minutes, and how far does it go at 84 km/h?",
  "Prove that the square root of 2 is irrational.",
  "Which of these statements contradict each other? (a) All ravens are black. (b) This raven is white. (c) Some birds are black.",
  "Compute 128 / 16 - 3",
  "完整证明IMO竞赛真题",
  "How many primes are there below 100?",
];
const STATUSES = ["finished", "failed", "running", "finished", "lost", "finished", "queued", "queued", "cancelled", "paused", "queued", "running"];
const TEAMS = ["arithmetic", "imo-solver", "research"];

export function runs() {
  return Array.from({ length: 46 }, (_, i) => {
    const status = STATUSES[i % STATUSES.length] ?? "finished";
    const created = NOW - (i * 487 + 12) * SECOND;
    const begun = status !== "queued";
    const ended = ["finished", "failed", "cancelled"].includes(status);
    const failed = status === "failed" || status === "lost";
    return {
      run_id: `${(0x8f3a91 + i * 7919).toString(16)}c${String(i).padStart(3, "0")}b7e4d21`,
      team_name: TEAMS[i % 3] ?? "",
      input: QUESTIONS[i % QUESTIONS.length],
      task_id: "", attempt: 0, seed: i,
      source: ["web", "command_line", "script"][i % 3],
      tags: [], parent_run_id: i % 9 === 4 ? "8f3a91c000b7e4d21" : "", parent_seq: -1,
      status, priority: status === "queued" && i % 5 === 0 ? 5 : 0, position: i,
      created_at: created,
      started_at: begun ? created + 2 * SECOND : 0,
      finished_at: ended ? created + (i * 3 + 9) * SECOND : 0,
      worker: begun ? "worker-1" : "",
      last_seq: begun ? 24 + i * 31 : 0, indexed_seq: 20,
      errors: failed ? 1 + (i % 3) : 0, warnings: i % 4, model_calls: 4 + i, tool_calls: 2 + i,
      input_tokens: begun ? 1200 + i * 911 : 0, output_tokens: begun ? 300 + i * 77 : 0,
      cost_usd: i % 3 === 0 ? 0 : 0.0004 * i,
      answer: status === "finished" ? "395" : "",
      error: status === "failed" ? "The model answered nothing 3 times in a row." : status === "lost" ? "The worker 'worker-1' stopped its heartbeat." : "",
    };
  });
}

const limits = { steps: 60, tokens: null, seconds: 900, cost_usd: null };
const agent = (name: string, role: string, tools: string[], model = "local") => ({ name, role, model, instructions: "", tools, parameters: { temperature: 0 } });

export function teams() {
  return [
    { id: "t1", name: "arithmetic", description: "A solver and a verifier with a calculator", topology: "pipeline", agents: [agent("solver", "solver", ["calculator"]), agent("verifier", "verifier", ["logic_check"])], problems: [] as object[] },
    { id: "t2", name: "imo-solver", description: "Proofs, checked line by line", topology: "pipeline", agents: [agent("solver", "solver", ["calculator", "code_interpreter"], "qwen3-32b"), agent("verifier", "verifier", ["logic_check"], "qwen3-32b")], problems: [{ where: "agents[0].model", message: "No model connection is named 'qwen3-32b'; add it in Settings or choose one of: local." }] },
    { id: "t3", name: "alone", description: "", topology: "single", agents: [agent("coder", "", ["code_interpreter", "files"])], problems: [{ where: "agents[0].instructions", message: "Agent 'coder' has no role, so it needs instructions." }] },
  ].map(({ agents, topology, problems, ...rest }, i) => ({
    ...rest, version: 3 + i, updated_at: NOW - (i + 1) * 7400 * SECOND, problems,
    definition: { name: rest.name, description: rest.description, topology, max_rounds: 2, agents, limits },
  }));
}

export const roles = [
  { name: "solver", instructions: "Solve the problem. Use your tools for every calculation and give the answer on the last line.", tools: ["calculator", "code_interpreter"] },
  { name: "verifier", instructions: "Check the answer independently. Say what is wrong, or that it holds.", tools: ["logic_check"] },
];

export const tools = [
  { name: "calculator", description: "Arithmetic, exact.", parameters: {}, effect: "read_only" },
  { name: "logic_check", description: "Whether statements follow from each other.", parameters: {}, effect: "read_only" },
  { name: "files", description: "Reads and writes the run's own folder.", parameters: {}, effect: "idempotent" },
  { name: "code_interpreter", description: "Runs Python in a sandbox without network.", parameters: {}, effect: "unsafe" },
];

export function tasks() {
  return Array.from({ length: 64 }, (_, i) => ({
    id: `k${String(i)}`, set: i % 4 === 3 ? "imo" : "arithmetic", key: `q-${String(i + 1).padStart(3, "0")}`,
    question: QUESTIONS[i % QUESTIONS.length], answer: i % 4 === 3 ? "" : String(391 + i), level: String((i % 3) + 1), metadata: {},
  }));
}

export function models() {
  return [
    { id: "m1", name: "local", provider: "local", base_url: "http://127.0.0.1:8081/v1", model: "smollm2-135m-instruct", has_key: false, key_hint: "", parameters: { temperature: 0 }, price: null, state: "ok" },
    { id: "m2", name: "qwen", provider: "qwen", base_url: "https://dashscope.aliyuncs.com/compatible-mode/v1", model: "qwen3-32b", has_key: true, key_hint: "sk-…9f2c", parameters: { temperature: 0.2, max_tokens: 4096 }, price: { input: 0.4, output: 1.2 }, state: "untested" },
  ];
}

export const processes = [
  { name: "web", state: "running", pid: 4211, restarts: 0, since: NOW - 4000 * SECOND, last_line: "Listening on 127.0.0.1:8000" },
  { name: "valkey", state: "running", pid: 4205, restarts: 0, since: NOW - 4002 * SECOND, last_line: "Ready to accept connections unix" },
  { name: "worker-1", state: "running", pid: 4230, restarts: 1, since: NOW - 900 * SECOND, last_line: "celery@worker-1 ready.", runs: ["8f3a91c000b7e4d21"] },
  { name: "model", state: "starting", pid: 4242, restarts: 0, since: NOW - 20 * SECOND, last_line: "loading smollm2-135m-instruct-q8_0.gguf" },
];

export const setup = {
  ready: false,
  steps: [
    { name: "Database", state: "done", detail: "", progress: 1 },
    { name: "Demo team", state: "done", detail: "", progress: 1 },
    { name: "Local model", state: "running", detail: "loading smollm2-135m", progress: 0.62 },
    { name: "Training packages", state: "waiting", detail: "", progress: null },
  ],
};

export const providers = [
  { name: "local", title: "Local model", base_url: "", needs_key: false },
  { name: "openai", title: "OpenAI", base_url: "https://api.openai.com/v1", needs_key: true },
  { name: "qwen", title: "Qwen (DashScope)", base_url: "https://dashscope.aliyuncs.com/compatible-mode/v1", needs_key: true },
  { name: "compatible", title: "OpenAI-compatible server", base_url: "", needs_key: false },
];
