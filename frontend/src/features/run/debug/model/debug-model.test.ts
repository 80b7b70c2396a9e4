import { describe, expect, it } from "vitest";

import type { Event, Payload } from "@/generated/events";
import { EventStore } from "@/lib/events/event-store";

import type { Branch, NodeState } from "../api/debug-api";
import { blankAnswer, changedFields, fieldOfError, isEditable, readObject, startFields, turned } from "./editable";
import { editsOf, seenPayload } from "./edits";
import { familyLines } from "./family";
import { breakpointAt } from "./first-breakpoint";
import { condensed, diffLines } from "./line-diff";
import { pauseReason } from "./pause";
import { planOf } from "./plan";
import { otherSpeed, restMs } from "./playback";
import { planCounts, readPolicy, withPolicy, wordsFor } from "./policies";
import { sourceOf } from "./source";
import { nodeNews, share } from "./state-diff";
import { stepOfAgent } from "./stepper";

function storeOf(...payloads: [actor: string, payload: Payload][]): EventStore {
  const store = new EventStore();
  store.add(payloads.map(([actor, payload], seq): Event => ({ run_id: "r", seq, at: 1_000_000 + seq * 1_000, actor, payload })));
  return store;
}

const created: [string, Payload] = ["supervisor", { kind: "run.created", team_name: "t", input: "?" }];

describe("an edit", () => {
  const failed = { kind: "tool.failed", tool: "calculator", call_id: "c", error: "no number", reason: "error" };

  it("sends only the fields that changed", () => {
    const before = { kind: "llm.responded", text: "4", tool_calls: [], input_tokens: 3 };
    expect(changedFields(before, { ...before, text: "5" })).toEqual({ text: "5" });
    expect(changedFields(before, before)).toEqual({});
  });

  it("turns a failure into a result with its words, and names the new kind but neither tool nor call", () => {
    const result = turned(failed, "tool.returned");
    expect(result).toEqual({ kind: "tool.returned", tool: "calculator", call_id: "c", text: "no number" });
    expect(changedFields(failed, { ...result, text: "391" })).toEqual({ text: "391", kind: "tool.returned" });
  });

  it("begins an unknown outcome as an empty result", () => {
    expect(startFields({ kind: "tool.outcome_unknown", tool: "t", call_id: "c" })).toEqual({ kind: "tool.returned", tool: "t", call_id: "c", text: "" });
    expect(isEditable("tool.outcome_unknown")).toBe(true);
    expect(isEditable("run.finished")).toBe(false);
  });

  it("shows a server's error at the field that it names", () => {
    expect(fieldOfError("This does not fit a tool.returned: Expected `str`, got `int` - at `$.text`.")).toBe("text");
    expect(fieldOfError("A tool.returned has no field 'txt'. Its fields: text.")).toBe("txt");
    expect(fieldOfError("Run 'a' is finished; pause it first.")).toBeNull();
  });

  it("takes only objects as JSON", () => {
    expect(readObject('{"a": 1}')).toEqual({ a: 1 });
    expect(typeof readObject("[1]")).toBe("string");
    expect(typeof readObject("{")).toBe("string");
  });

  it("is found at its target, the last one being what the nodes see", () => {
    const store = storeOf(
      created,
      ["solver", { kind: "message.sent", content: "a" }],
      ["supervisor", { kind: "edit.applied", target: 1, before: { content: "a" }, after: { content: "b" }, by: "ada" }],
      ["supervisor", { kind: "edit.applied", target: 1, before: { content: "b" }, after: { content: "c" }, by: "bob" }],
    );
    const edits = editsOf(store, 1);
    expect(edits.map(({ seq, by }) => [seq, by])).toEqual([[2, "ada"], [3, "bob"]]);
    expect(seenPayload({ content: "a" }, edits)).toEqual({ content: "c" });
    expect(seenPayload({ content: "a" }, edits, 2)).toEqual({ content: "b" });
    expect(seenPayload({ content: "a" }, edits, 1)).toEqual({ content: "a" });
  });
});

describe("an answer in another's place", () => {
  it("is of the kind that the open call waits for", () => {
    expect(blankAnswer({ kind: "llm.requested" })?.["kind"]).toBe("llm.responded");
    expect(blankAnswer({ kind: "tool.called", tool: "t" })).toEqual({ kind: "tool.returned", tool: "t", text: "" });
    expect(blankAnswer({ kind: "person.asked", default: "yes" })).toEqual({ kind: "person.answered", answer: "yes" });
    expect(blankAnswer({ kind: "message.sent" })).toBeNull();
  });
});

describe("a comparison by lines", () => {
  it("keeps what is the same and marks what was taken away and put there", () => {
    expect(diffLines("a\nb\nc", "a\nx\nc\nd").map(({ side, text }) => `${side} ${text}`)).toEqual(["same a", "before b", "after x", "same c", "after d"]);
  });

  it("leaves out what is far from a change", () => {
    const many = Array.from({ length: 50 }, (_, index) => `line ${String(index)}`);
    const shown = condensed(diffLines(many.join("\n"), [...many.slice(0, 49), "other"].join("\n")));
    expect(shown[0]).toBeNull();
    expect(shown).toHaveLength(6);
  });
});

describe("why a run is paused", () => {
  const started: [string, Payload] = ["supervisor", { kind: "run.started", worker: "w" }];

  it("is the breakpoint that stopped it, with its words and where", () => {
    const store = storeOf(
      created,
      started,
      ["supervisor", { kind: "breakpoint.hit", breakpoint: "bad", at_seq: 1, note: "Bad result", before: true }],
      ["supervisor", { kind: "run.paused", by: "breakpoint", reason: "bad" }],
    );
    expect(pauseReason(store)).toMatchObject({ cause: "breakpoint", name: "bad", note: "Bad result", at: 1, before: true });
  });

  it("is a step or a person, and nothing once it was resumed", () => {
    const paused = (by: string, reason: string): [string, Payload] => ["supervisor", { kind: "run.paused", by, reason }];
    expect(pauseReason(storeOf(created, started, paused("breakpoint", "step")))?.cause).toBe("step");
    expect(pauseReason(storeOf(created, started, paused("ada", "")))).toMatchObject({ cause: "person", name: "ada" });
    expect(pauseReason(storeOf(created, started, paused("ada", ""), ["supervisor", { kind: "run.resumed" }]))).toBeNull();
  });
});

describe("playing", () => {
  it("rests as long as the run did, by the speed, squeezing long silences", () => {
    expect(restMs(0, 400_000, 2, false)).toBe(200);
    expect(restMs(0, 60_000_000, 1, false)).toBe(1_200);
    expect(restMs(0, 0, 8, false)).toBe(40);
  });

  it("is slow for who wants little motion, at any speed", () => {
    expect(restMs(0, 10_000, 8, true)).toBe(500);
  });

  it("knows no slower speed than the slowest", () => {
    expect(otherSpeed(0.5, -1)).toBe(0.5);
    expect(otherSpeed(1, 1)).toBe(2);
  });
});

it("the next event of an agent may be its tool's, but not another agent's", () => {
  const store = storeOf(
    created,
    ["solver", { kind: "message.sent", content: "a" }],
    ["verifier", { kind: "message.sent", content: "b" }],
    ["solver", { kind: "tool.called", tool: "calculator", arguments: {} }],
  );
  expect(stepOfAgent(store, 1, 1)).toBe(3);
  expect(stepOfAgent(store, 3, -1)).toBe(1);
  expect(stepOfAgent(store, 2, 1)).toBeNull();
});

describe("the state", () => {
  const node = (part: Partial<NodeState>): NodeState => ({
    name: "solver", node_type: "agent", role: "", present: true, phase: "ready", messages: [], messages_total: 0, open_calls: [], state: {}, changed: [], ...part,
  });
  const message = (seq: number, content: string) => ({ seq, role: "user", content, edited: false });

  it("marks messages that came, and those that read otherwise", () => {
    const before = node({ messages: [message(1, "a"), message(2, "b")] });
    const news = nodeNews(node({ messages: [message(1, "a"), message(2, "x"), message(3, "c")] }), before);
    expect([...news.messages]).toEqual([2, 3]);
    expect(news.any).toBe(true);
  });

  it("counts what left a context, but not what its window merely passed", () => {
    const before = node({ messages: [message(1, "a"), message(2, "b"), message(3, "c")] });
    expect(nodeNews(node({ messages: [message(1, "a"), message(3, "c")] }), before).dropped).toBe(1);
    expect(nodeNews(node({ messages: [message(2, "b"), message(3, "c")] }), before).dropped).toBe(0);
  });

  it("says that nothing changed where nothing did", () => {
    expect(nodeNews(node({}), node({})).any).toBe(false);
  });

  it("fills a budget at most whole, and none without a limit", () => {
    expect(share({ used: 30, limit: 20 })).toBe(1);
    expect(share({ used: 3, limit: null })).toBeNull();
  });
});

describe("a fork", () => {
  it("writes a policy as the server reads it, and reads it back", () => {
    const policies = withPolicy({}, "calculator", { word: "mock", text: "a:b" });
    expect(policies).toEqual({ calculator: "mock:a:b" });
    expect(readPolicy(policies["calculator"])).toEqual({ word: "mock", text: "a:b" });
    expect(readPolicy(undefined).word).toBe("live");
    expect(wordsFor("model")).not.toContain("mock");
  });

  it("counts what is done again, the model first", () => {
    const effect = (what: string, policy: string) => ({ seq: 1, actor: "a", what, request: null, policy });
    const counts = planCounts([effect("calculator", "replay"), effect("model", "live"), effect("model", "live")]);
    expect(counts).toEqual([{ what: "model", word: "live", count: 2 }, { what: "calculator", word: "replay", count: 1 }]);
  });

  it("stands below the run that it was made of, in the order they were made", () => {
    const branch = (run_id: string, created_at: number, children: Branch[] = []): Branch => ({ run_id, status: "finished", parent_seq: 0, answer: "", error: "", created_at, children });
    const lines = familyLines(branch("root", 0, [branch("late", 9), branch("early", 1, [branch("grandchild", 5)])]));
    expect(lines.map(({ branch: { run_id }, depth }) => `${String(depth)} ${run_id}`)).toEqual(["0 root", "1 early", "2 grandchild", "1 late"]);
  });

  it("knows an outcome that was not carried out", () => {
    const outcome = (source: string): Event => ({ run_id: "r", seq: 1, at: 0, actor: "a", payload: { kind: "tool.returned", tool: "t", text: "", source } });
    expect(sourceOf(outcome("replay:41"))).toEqual({ from: "replay", seq: 41 });
    expect(sourceOf(outcome("person:ada"))).toEqual({ from: "person", name: "ada" });
    expect(sourceOf(outcome("mock"))).toEqual({ from: "mock" });
    expect(sourceOf(outcome(""))).toBeNull();
  });
});

describe("a breakpoint from an event", () => {
  const event = (actor: string, payload: Payload): Event => ({ run_id: "r", seq: 7, at: 0, actor, payload });

  it("names the event's kind, agent and tool, never its number", () => {
    const made = breakpointAt(event("solver", { kind: "tool.failed", tool: "calculator", error: "x" }), "stop-1");
    expect(made).toMatchObject({ id: "stop-1", kinds: ["tool.failed"], agents: ["solver"], tools: ["calculator"], when: "after" });
  });

  it("stops before a run's end, since behind it nothing can stop", () => {
    expect(breakpointAt(event("supervisor", { kind: "run.failed", error: "x" }), "a")).toMatchObject({ when: "before", agents: [] });
  });

  it("stops on errors where no event is chosen", () => {
    expect(breakpointAt(undefined, "a").stop_on).toBe("error");
  });
});

it("an agent's plan is its last one up to the step, as it was edited", () => {
  const store = storeOf(
    created,
    ["solver", { kind: "plan.proposed", steps: ["a"] }],
    ["solver", { kind: "message.sent", content: "x" }],
    ["supervisor", { kind: "edit.applied", target: 1, before: { steps: ["a"] }, after: { steps: ["b"] } }],
    ["solver", { kind: "plan.revised", steps: ["c"] }],
  );
  expect(planOf(store, "solver", 2)).toEqual({ seq: 1, steps: ["a"] });
  expect(planOf(store, "solver", 3)).toEqual({ seq: 1, steps: ["b"] });
  expect(planOf(store, "solver", 4)).toEqual({ seq: 4, steps: ["c"] });
  expect(planOf(store, "verifier", 4)).toBeNull();
});
