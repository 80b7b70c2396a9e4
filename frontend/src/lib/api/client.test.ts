import { QueryClient } from "@tanstack/react-query";
import { describe, expect, it } from "vitest";

import { address, csrfToken } from "./client";
import { parseError } from "./error";
import { liveCache } from "./live-cache";
import type { Run, RunList, Session } from "./types";

describe("an address", () => {
  it("leaves out what is empty, and keeps a zero", () => {
    expect(address("/runs", { text: "", team: undefined, errors: false, offset: 0, status: "failed,lost" })).toBe("/api/runs?offset=0&status=failed%2Clost");
  });
});

describe("the CSRF token", () => {
  it("is found among other cookies, and empty without one", () => {
    expect([csrfToken("a=1; csrftoken=x%20y; b=2"), csrfToken("mycsrftoken=z")]).toEqual(["x y", ""]);
  });
});

describe("an error's body", () => {
  it("gives the server's sentence and what is beside it", () => {
    const error = parseError(409, "Conflict", '{"message": "The team moved.", "extra": {"version": 4}}');
    expect([error.message, error.status, error.extra]).toEqual(["The team moved.", 409, { version: 4 }]);
  });

  it("of a proxy is kept as raw text", () => {
    const error = parseError(502, "Bad Gateway", "<html>nginx</html>");
    expect([error.message, error.raw]).toEqual(["502 Bad Gateway", "<html>nginx</html>"]);
  });
});

describe("what the socket tells", () => {
  const run = (run_id: string, status: string) => ({ run_id, status }) as Run;

  it("changes the rows and counts of every loaded list at once, in place", () => {
    const client = new QueryClient();
    const list: RunList = { runs: [run("a", "queued"), run("b", "running")], total: 2, counts: { queued: 1, running: 1 } };
    client.setQueryData(["runs", {}], list);
    liveCache(client)({ type: "runs", changed: [run("a", "running"), run("new", "queued")], counts: { running: 2, queued: 1 } });
    expect(client.getQueryData<RunList>(["runs", {}])).toEqual({ runs: [run("a", "running"), run("b", "running")], total: 2, counts: { running: 2, queued: 1 } });
  });

  it("moves the set-up on", () => {
    const client = new QueryClient();
    client.setQueryData(["session"], { version: "1", setup: { ready: false, steps: [] } });
    liveCache(client)({ type: "setup", setup: { ready: true, steps: [] } });
    expect(client.getQueryData<Session>(["session"])?.setup.ready).toBe(true);
  });
});
