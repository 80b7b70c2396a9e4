import { describe, expect, it } from "vitest";

import { message } from "../events/testing/sample";
import type { Event } from "../../generated/events";
import type { RunMessage } from "./live-socket";
import { LARGEST_FILL, RunFeed, type FeedCommit } from "./run-feed";

const range = (from: number, to: number): Event[] =>
  Array.from({ length: to - from + 1 }, (_, k) => message(from + k));
const settled = () => new Promise<void>((done) => setImmediate(done));

const nothing: (message: RunMessage) => void = () => undefined;

function scene(after = -1) {
  const commits: FeedCommit[] = [];
  const fetched: [number, number][] = [];
  const retries: (() => void)[] = [];
  const frames: (() => void)[] = [];
  const scene = {
    commits,
    fetched,
    retries,
    lastSeq: () => -1,
    broken: false,
    send: nothing,
    frame: () => frames.splice(0).forEach((run) => run()),
    seqs: () => commits.flatMap((commit) => commit.events.map((event) => event.seq)),
  };
  new RunFeed({
    socket: {
      follow: (_run, last, receive) => {
        scene.lastSeq = last;
        scene.send = receive;
        return () => undefined;
      },
    },
    run: "r",
    after,
    fetch: (from, limit) => {
      fetched.push([from, limit]);
      return scene.broken ? Promise.reject(new Error("away")) : Promise.resolve(range(from + 1, from + limit));
    },
    commit: (news) => commits.push(news),
    clock: { request: (run) => (frames.push(run), () => undefined) },
    later: (run) => (retries.push(run), () => undefined),
  });
  return scene;
}

const events = (from: number, to: number): RunMessage => ({ type: "events", run: "r", events: range(from, to) });

describe("the run feed", () => {
  it("commits any number of frames once an animation frame", () => {
    const s = scene();
    s.send(events(0, 1));
    s.send(events(2, 3));
    s.send({ type: "chunk", run: "r", span: 3, offset: 0, text: "a" });
    expect(s.commits).toHaveLength(0);
    s.frame();
    expect(s.commits).toHaveLength(1);
    expect([s.seqs(), s.commits[0]?.chunks.length]).toEqual([[0, 1, 2, 3], 1]);
  });

  it("fetches a gap by HTTP and commits all in order, none twice", async () => {
    const s = scene();
    s.send(events(0, 1));
    s.send(events(5, 6));
    s.frame();
    await settled();
    s.send(events(4, 7));
    s.frame();
    expect(s.fetched).toEqual([[1, 3]]);
    expect(s.seqs()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it("asks a new connection for what follows the last seq in order, not the last it saw", () => {
    const s = scene(9);
    s.broken = true;
    s.send(events(10, 11));
    s.send(events(20, 20));
    s.frame();
    expect(s.lastSeq()).toBe(11);
  });

  it("tries a gap again after a failed fetch", async () => {
    const s = scene();
    s.broken = true;
    s.send(events(2, 2));
    s.frame();
    await settled();
    s.broken = false;
    s.retries.splice(0).forEach((run) => run());
    await settled();
    expect(s.seqs()).toEqual([0, 1, 2]);
  });

  it("fetches a small jump in pages", async () => {
    const s = scene();
    s.send({ type: "jump", run: "r", from: 0, to: 1499 });
    s.frame();
    await settled();
    await settled();
    expect(s.fetched).toEqual([[-1, 1000], [999, 500]]);
    expect(s.seqs()).toHaveLength(1500);
  });

  it("passes over a jump too large to fetch, says which seqs, and goes on live", () => {
    const s = scene();
    const to = LARGEST_FILL + 10;
    s.send({ type: "jump", run: "r", from: 0, to });
    s.send(events(to + 1, to + 2));
    s.frame();
    expect(s.commits[0]?.skipped).toEqual([{ from: 0, to }]);
    expect([s.seqs(), s.fetched]).toEqual([[to + 1, to + 2], []]);
  });
});
