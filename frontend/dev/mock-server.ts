import type { IncomingMessage } from "node:http";
import type { Connect, Plugin } from "vite";

import * as fixtures from "./fixtures.ts";

interface Answer {
  status: number;
  body: unknown;
}

type Row = Record<string, unknown>;

const ok = (body: unknown, status = 200): Answer => ({ status, body });
const missing = (what: string): Answer => ({ status: 404, body: { message: `There is no ${what}.`, extra: {} } });

const FAILURES = ["failed", "lost"];

function state() {
  return { runs: fixtures.runs() as Row[], teams: fixtures.teams() as Row[], tasks: fixtures.tasks() as Row[], models: fixtures.models() as Row[] };
}

function listRuns(all: Row[], query: URLSearchParams): Answer {
  const has = (name: string) => (query.get(name) ?? "") !== "";
  const statuses = (query.get("status") ?? "").split(",");
  const found = all.filter(
    (run) =>
      (!has("status") || statuses.includes(String(run["status"]))) &&
      (!has("team") || run["team_name"] === query.get("team")) &&
      (!has("source") || run["source"] === query.get("source")) &&
      (!has("errors") || Number(run["errors"]) > 0) &&
      (!has("text") || String(run["input"]).toLowerCase().includes((query.get("text") ?? "").toLowerCase())),
  );
  const order = query.get("order") ?? "failures_first";
  if (order === "failures_first") found.sort((a, b) => Number(FAILURES.includes(String(b["status"]))) - Number(FAILURES.includes(String(a["status"]))));
  if (order === "queue") found.sort((a, b) => Number(b["priority"]) - Number(a["priority"]) || Number(a["position"]) - Number(b["position"]));
  if (order === "oldest") found.reverse();
  const counts: Record<string, number> = {};
  for (const run of all) counts[String(run["status"])] = (counts[String(run["status"])] ?? 0) + 1;
  const offset = Number(query.get("offset") ?? 0);
  return ok({ runs: found.slice(offset, offset + Number(query.get("limit") ?? 50)), total: found.length, counts });
}

function check(definition: Row): Row[] {
  const agents = (definition["agents"] ?? []) as Row[];
  const problems: Row[] = [];
  if (agents.length === 0) problems.push({ where: "agents", message: "The team has no agent; add one." });
  agents.forEach((agent, i) => {
    if (!/^[a-z0-9_-]+$/.test(String(agent["name"]))) problems.push({ where: `agents[${String(i)}].name`, message: `The name '${String(agent["name"])}' may hold only a-z, 0-9, _ and -.` });
    if (!store.models.some((model) => model["name"] === agent["model"])) problems.push({ where: `agents[${String(i)}].model`, message: `No model connection is named '${String(agent["model"])}'; add it in Settings or choose one of: local, qwen.` });
    if (agent["role"] === "" && agent["instructions"] === "") problems.push({ where: `agents[${String(i)}].instructions`, message: `Agent '${String(agent["name"])}' has no role, so it needs instructions.` });
  });
  return problems;
}

const store = state();

function collection(name: "teams" | "tasks" | "models", method: string, id: string | undefined, body: Row): Answer {
  const rows = store[name];
  const at = rows.findIndex((row) => row["id"] === id);
  if (id === undefined && method === "POST") {
    const created = { id: `new${String(rows.length)}`, version: 1, updated_at: Date.now() * 1000, problems: [], has_key: false, key_hint: "", state: "untested", metadata: {}, ...(body["definition"] as Row | undefined), ...body };
    rows.push(created);
    return ok(created, 201);
  }
  if (at < 0) return missing(`${name} '${id ?? ""}'`);
  if (method === "DELETE") {
    rows.splice(at, 1);
    return ok(null, 204);
  }
  if (method === "PUT") {
    const old = rows[at] ?? {};
    const version = Number(old["version"] ?? 1) + 1;
    rows[at] = { ...old, ...body, ...(body["definition"] as Row | undefined), version };
    if (name === "teams") rows[at]["problems"] = check((body["definition"] ?? {}) as Row);
  }
  return ok(rows[at]);
}

function answer(method: string, path: string, query: URLSearchParams, body: Row): Answer {
  const [, area, id, action] = path.split("/");
  switch (area) {
    case "session":
      return ok({ user: { username: "demo", is_staff: true }, version: "0.1.0", mode: "embedded", setup: fixtures.setup });
    case "runs": {
      if (id === undefined) return method === "POST" ? ok(store.runs[2], 201) : listRuns(store.runs, query);
      const run = store.runs.find((each) => each["run_id"] === id);
      if (run === undefined) return missing(`run '${id}'`);
      if (method === "DELETE") store.runs.splice(store.runs.indexOf(run), 1);
      if (method === "PATCH") Object.assign(run, body);
      if (action === "cancel") run["status"] = "cancelled";
      return ok({ ...run, team: fixtures.teams()[0]?.definition, forks: [], labels: [] });
    }
    case "teams":
      if (id === "check") return ok({ problems: check((body["definition"] ?? {}) as Row) });
      return id === undefined && method === "GET" ? ok(store.teams) : collection("teams", method, id, body);
    case "tasks": {
      if (id === "import") return { status: 422, body: { message: "2 lines of 'tasks.jsonl' cannot be read; nothing was written.", extra: { added: 118, updated: 4, problems: [{ line: 7, message: "The line is not JSON: it ends inside a string." }, { line: 31, message: "The task 'q-30' has no question." }] } } };
      if (id !== undefined || method !== "GET") return collection("tasks", method, id, body);
      const set = query.get("set");
      const text = (query.get("text") ?? "").toLowerCase();
      const found = store.tasks.filter((task) => (!set || task["set"] === set) && String(task["question"]).toLowerCase().includes(text));
      const offset = Number(query.get("offset") ?? 0);
      return ok({ tasks: found.slice(offset, offset + Number(query.get("limit") ?? 50)), total: found.length, sets: ["arithmetic", "imo"].map((name) => ({ name, count: store.tasks.filter((task) => task["set"] === name).length })) });
    }
    case "models":
      if (action === "test") return ok({ ok: id === "m1", message: id === "m1" ? "" : "401 Incorrect API key provided: sk-…9f2c. You can find your API key at the console.", latency_ms: 412, reply: "Hello! How can I help?" });
      return id === undefined && method === "GET" ? ok(store.models) : collection("models", method, id, body);
    case "providers":
      return ok(fixtures.providers);
    case "roles":
      return ok(fixtures.roles);
    case "tools":
      return ok(fixtures.tools);
    case "processes":
      return ok(fixtures.processes);
    case "search":
      return ok({ hits: [{ run_id: store.runs[0]?.["run_id"], seq: 12, kind: "tool.returned", actor: "solver", snippet: `… ${query.get("q") ?? ""} = 395 …` }], indexed: true });
    default:
      return missing(`page '${path}'`);
  }
}

async function read(request: IncomingMessage): Promise<Row> {
  let text = "";
  for await (const part of request) text += String(part);
  try {
    return JSON.parse(text) as Row;
  } catch {
    return {};
  }
}

/** Answers /api while no server runs, for looking at pages. `?mock=empty` or `?mock=error` on the
 * page's address shows those states. Never part of the build. */
export function mockServer(): Plugin {
  return {
    name: "aworld-mock-server",
    configureServer: ({ middlewares }) => serve(middlewares),
    configurePreviewServer: ({ middlewares }) => serve(middlewares),
  };
}

function serve(middlewares: Connect.Server): void {
  middlewares.use("/api", (request, response) => {
        void (async () => {
          const url = new URL(request.url ?? "/", "http://mock");
          const referer = request.headers.referer ?? "";
          let { status, body } = answer(request.method ?? "GET", url.pathname, url.searchParams, await read(request));
          if (url.pathname !== "/session" && referer.includes("mock=error")) {
            ({ status, body } = { status: 500, body: { message: `The store at '/data' cannot be read: disk I/O error. Run 'aworld doctor'.`, extra: { path: url.pathname } } });
          } else if (request.method === "GET" && referer.includes("mock=empty") && url.pathname !== "/session") {
            body = Array.isArray(body) ? [] : { runs: [], tasks: [], sets: [], hits: [], total: 0, counts: {} };
          }
          response.statusCode = status;
          response.setHeader("Content-Type", "application/json");
          response.end(status === 204 ? "" : JSON.stringify(body));
        })();
  });
}
