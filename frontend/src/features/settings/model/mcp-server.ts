/** MCP servers: what the API gives, and one as it is edited. */

export interface McpTool {
  /** The server's own name. */
  name: string;
  /** The name that agents call it by. */
  offered_as: string;
  title: string;
  description: string;
  parameters: Record<string, unknown>;
  effect: "read_only" | "idempotent" | "unsafe";
  /** Why agents cannot be given it; "" where they can. */
  problem: string;
  offered: boolean;
}

export interface McpServer {
  id: string;
  name: string;
  way: "stdio" | "http";
  address: string;
  /** Names of variables and headers; their values are never sent. */
  env: string[];
  headers: string[];
  each_run: boolean;
  timeout_s: number;
  enabled: boolean;
  state: "untested" | "ok" | "failed";
  message: string;
  server: string;
  protocol: string;
  /** Null where it was not asked yet. */
  tools: McpTool[] | null;
  cut: boolean;
  /** For those who may change it. */
  command?: string;
  args?: string[];
  cwd?: string;
  url?: string;
}

export interface McpTrial {
  ok: boolean;
  message: string;
  latency_ms: number;
  server: McpServer;
}

/** A variable or header: `stored` ones keep their value while `value` is empty. */
export interface Secret {
  name: string;
  value: string;
  stored: boolean;
}

export interface ServerDraft {
  name: string;
  way: "stdio" | "http";
  command: string;
  /** One a line. */
  args: string;
  cwd: string;
  url: string;
  secrets: Secret[];
  each_run: boolean;
  timeout_s: string;
}

export interface ServerInput {
  name: string;
  command?: string;
  args?: string[];
  cwd?: string;
  url?: string;
  env?: Record<string, string | null>;
  headers?: Record<string, string | null>;
  each_run: boolean;
  timeout_s: number;
}

export function blankServer(): ServerDraft {
  return { name: "", way: "stdio", command: "", args: "", cwd: "", url: "", secrets: [], each_run: false, timeout_s: "60" };
}

export function draftOfServer(server: McpServer): ServerDraft {
  const names = server.way === "stdio" ? server.env : server.headers;
  return {
    name: server.name,
    way: server.way,
    command: server.command ?? "",
    args: (server.args ?? []).join("\n"),
    cwd: server.cwd ?? "",
    url: server.url ?? "",
    secrets: names.map((name) => ({ name, value: "", stored: true })),
    each_run: server.each_run,
    timeout_s: String(server.timeout_s),
  };
}

export type ServerProblem = "name" | "command" | "url" | "timeout_s" | "secrets";

/** What keeps a draft from being sent; the server looks closer. */
export function serverProblems(draft: ServerDraft): ServerProblem[] {
  const problems: ServerProblem[] = [];
  if (draft.name.trim() === "") problems.push("name");
  if (draft.way === "stdio" && draft.command.trim() === "") problems.push("command");
  if (draft.way === "http" && !/^https?:\/\/./.test(draft.url.trim())) problems.push("url");
  const seconds = Number(draft.timeout_s);
  if (!(seconds > 0 && seconds <= 3600)) problems.push("timeout_s");
  const names = draft.secrets.map((secret) => secret.name.trim());
  if (names.some((name) => name === "") || new Set(names).size < names.length) problems.push("secrets");
  return problems;
}

/** The request. Call it only where there are no problems. */
export function serverInput(draft: ServerDraft): ServerInput {
  const secrets = Object.fromEntries(draft.secrets.map(({ name, value, stored }) => [name.trim(), stored && value === "" ? null : value]));
  const base = { name: draft.name.trim(), each_run: draft.each_run, timeout_s: Number(draft.timeout_s) };
  if (draft.way === "http") return { ...base, url: draft.url.trim(), headers: secrets };
  const args = draft.args.split("\n").filter((line) => line !== "");
  return { ...base, command: draft.command.trim(), args, cwd: draft.cwd.trim(), env: secrets };
}

export type PastedProblem = "empty" | "not_json" | "no_servers";

/** A pasted configuration, and what is wrong with it before it is sent. */
export function readPasted(text: string): { config: unknown; problem: PastedProblem | null } {
  if (text.trim() === "") return { config: null, problem: "empty" };
  let config: unknown;
  try {
    config = JSON.parse(text);
  } catch {
    // The part below the braces is often what is copied: "name": {…}
    try {
      config = JSON.parse(`{${text.trim().replace(/,$/, "")}}`);
    } catch {
      return { config: null, problem: "not_json" };
    }
  }
  const isObject = typeof config === "object" && config !== null && !Array.isArray(config) && Object.keys(config).length > 0;
  return { config, problem: isObject ? null : "no_servers" };
}

/** The choice after a tool was switched: null means all, also those that the server adds later. */
export function withTool(tools: McpTool[], name: string, offered: boolean): string[] | null {
  const usable = tools.filter((tool) => tool.problem === "");
  const chosen = usable.filter((tool) => (tool.name === name ? offered : tool.offered)).map((tool) => tool.name);
  return chosen.length === usable.length ? null : chosen;
}
