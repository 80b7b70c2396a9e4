import { describe, expect, it } from "vitest";

import type { Run } from "@/lib/api/types";
import type { Event } from "@/generated/events";
import { created, message, sample } from "@/lib/events/testing/sample";

import type { EventQuery } from "../api/run-api";
import { RunSession, WHOLE } from "./run-session";

const row = (lastSeq: number, more: Partial<Run> = {}) =>
  ({ run_id: "r", last_seq: lastSeq, errors: 0, warnings: 0, input_tokens: 0, output_tokens: 0, cost_usd: 0, ...more }) as Run;

/** A server with `size` events, of which the ones in `errors` are failures. */
function server(size: number, errors: readonly number[] = []) {
  const asked: EventQuery[] = [];
  const follows: (() => number)[] = [];
  const at = (seq: number): Event => {
    if (seq === 0) return created();
    return errors.includes(seq) ? sample(seq, seq * 1000, "solver", { kind: "error.raised", error: "broken" }) : message(seq);
  };
  const options = {
    api: {
      events: (query: EventQuery) => {
        asked.push(query);
        const all = query.min_severity === 2 ? errors : Array.from({ length: Math.max(0, Math.min(query.limit, size - query.after - 1)) }, (_, k) => query.after + 1 + k);
        const seqs = all.filter((seq) => seq > query.after).slice(0, query.limit);
        return Promise.resolve({ events: seqs.map(at), last_seq: size - 1 });
      },
    },
    socket: {
      follow: (_run: string, after: () => number) => {
        follows.push(after);
        return () => undefined;
      },
    },
    onRunChanged: () => undefined,
  };
  return { asked, follows, session: new RunSession("r", options) };
}
const settled = () => new Promise<void>((done) => setImmediate(done));

describe("a session", () => {
  it("loads a small run whole and follows it from its last event", async () => {
    const { session, follows } = server(2_500);
    await session.start(row(2_499));
    expect([session.complete, session.store.known.size, session.loading.state]).toEqual([true, 2_500, "ready"]);
    expect(follows.map((after) => after())).toEqual([2_499]);
  });

  it("follows a run without events from its beginning", async () => {
    const { session, asked, follows } = server(0);
    await session.start(row(-1));
    expect([asked.length, follows.map((after) => after())]).toEqual([0, [-1]]);
  });

  it("loads of a large run its start, its tail and every error", async () => {
    const size = WHOLE * 10;
    const { session, follows } = server(size, [50_000, 150_000]);
    await session.start(row(size - 1));
    await settled();
    expect(session.store.errors).toEqual([50_000, 150_000]);
    expect([session.store.has(0), session.store.has(size - 1), session.store.has(100_000)]).toEqual([true, true, false]);
    expect(follows.map((after) => after())).toEqual([size - 1]);
  });

  it("fetches what somebody looks at, once, and again only where a payload was dropped", async () => {
    const size = WHOLE * 10;
    const { session, asked } = server(size);
    await session.start(row(size - 1));
    await settled();
    const before = asked.length;
    session.ensure(100_000, 100_020);
    session.ensure(100_010, 100_030);
    await settled();
    session.ensure(100_000, 100_030);
    expect(asked.length - before).toBe(1);
    expect(session.store.has(100_030)).toBe(true);
  });

  it("says what went wrong where the events cannot be loaded", async () => {
    const { session } = server(10);
    const broken = new RunSession("r", {
      api: { events: () => Promise.reject(new Error("503")) },
      socket: { follow: () => () => undefined },
      onRunChanged: () => undefined,
    });
    await broken.start(row(9));
    expect(broken.loading).toEqual({ state: "failed", error: new Error("503") });
    expect(session.loading.state).toBe("loading");
  });

  it("counts by the row where that knows more than what is loaded", async () => {
    const { session } = server(10, [3]);
    await session.start(row(9));
    expect(session.counters(row(9, { errors: 7, input_tokens: 40 }))).toMatchObject({ events: 10, errors: 7, inputTokens: 40 });
    expect(session.counters(row(9)).errors).toBe(1);
  });
});
