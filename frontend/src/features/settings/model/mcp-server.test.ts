import { describe, expect, it } from "vitest";

import { blankServer, draftOfServer, readPasted, serverInput, serverProblems, withTool, type McpServer, type McpTool } from "./mcp-server";

const tool = (name: string, offered: boolean, problem = ""): McpTool => ({ name, offered_as: `mcp__s__${name}`, title: "", description: "", parameters: {}, effect: "unsafe", problem, offered });

const server: McpServer = {
  id: "1", name: "files", way: "stdio", address: "npx", env: ["TOKEN"], headers: [], each_run: false, timeout_s: 60, enabled: true, state: "ok", message: "", server: "", protocol: "", tools: null, cut: false,
  command: "npx", args: ["-y", "a server", "/data"], cwd: "", url: "",
};

describe("a server as it is edited", () => {
  it("comes back as it was, with null for what stays stored", () => {
    expect(serverInput(draftOfServer(server))).toEqual({ name: "files", each_run: false, timeout_s: 60, command: "npx", args: ["-y", "a server", "/data"], cwd: "", env: { TOKEN: null } });
  });

  it("sends a stored value only where a new one was typed", () => {
    const draft = { ...draftOfServer(server), secrets: [{ name: "TOKEN", value: "new", stored: true }, { name: "EMPTY", value: "", stored: false }] };
    expect(serverInput(draft).env).toEqual({ TOKEN: "new", EMPTY: "" });
  });

  it("of HTTP has an address and headers, and nothing of a command", () => {
    const draft = { ...blankServer(), name: " a ", way: "http" as const, command: "left over", url: "https://h/mcp", secrets: [{ name: "X", value: "1", stored: false }] };
    expect(serverInput(draft)).toEqual({ name: "a", each_run: false, timeout_s: 60, url: "https://h/mcp", headers: { X: "1" } });
  });

  it("names what is missing", () => {
    const secrets = [{ name: "A", value: "", stored: false }, { name: "A ", value: "", stored: false }];
    expect(serverProblems({ ...blankServer(), timeout_s: "0", secrets })).toEqual(["name", "command", "timeout_s", "secrets"]);
    expect(serverProblems({ ...blankServer(), name: "a", way: "http", url: "ftp://h" })).toEqual(["url"]);
  });
});

describe("a pasted configuration", () => {
  it("may be the whole file, or the part inside the braces", () => {
    expect(readPasted('{"mcpServers": {"a": {"command": "x"}}}')).toEqual({ config: { mcpServers: { a: { command: "x" } } }, problem: null });
    expect(readPasted('"a": {"command": "x"},')).toEqual({ config: { a: { command: "x" } }, problem: null });
  });

  it.each([["", "empty"], ["npx -y server", "not_json"], ["[]", "no_servers"], ["{}", "no_servers"], ["7", "no_servers"]])("%j is told of as %s", (text, problem) => {
    expect(readPasted(text).problem).toBe(problem);
  });
});

describe("the tools that agents may be given", () => {
  it("are null again once all that can be used are chosen", () => {
    const tools = [tool("a", true), tool("b", false), tool("odd", false, "Its schema is no object.")];
    expect(withTool(tools, "b", true)).toBeNull();
    expect(withTool(tools, "a", false)).toEqual([]);
  });
});
