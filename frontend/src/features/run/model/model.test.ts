import { describe, expect, it } from "vitest";

import { EventStore } from "@/lib/events/event-store";
import { created, message, sample } from "@/lib/events/testing/sample";

import { rowOf, shownAs, stepRow, transcriptRows } from "../transcript/transcript-index";
import { readAddress, writeAddress, type AddressState } from "./address";
import { hiddenErrors, matching } from "./filter";
import { stepMatch } from "./finder";
import { step, stepError, stepLane } from "./step";
import { Streams } from "./streams";
import { searchable, summary } from "./summary";

const called = (seq: number) => sample(seq, seq * 10, "solver", { kind: "tool.called", tool: "calculator", arguments: { a: 17 } }, { span: seq });
const failed = (seq: number, span: number) => sample(seq, seq * 10, "solver", { kind: "tool.failed", tool: "calculator", error: "1/0" }, { span });

function store(): EventStore {
  const made = new EventStore();
  made.add([created(), message(1), called(2), failed(3, 2), message(4, 4_000, "verifier"), called(5)]);
  return made;
}

describe("the address", () => {
  const whole: AddressState = { seq: 412, window: { t0: -5, t1: 90_000_000 }, lane: "solver", kind: "errors", q: "k ≠ 平方", view: "events" };

  it("reproduces the state that was written into it", () => {
    expect(readAddress(new URLSearchParams(writeAddress(whole)))).toEqual(whole);
  });

  it("is empty for a page as it opens", () => {
    expect(writeAddress(readAddress(new URLSearchParams("")))).toBe("");
  });

  it("ignores what it cannot read", () => {
    const state = readAddress(new URLSearchParams("seq=-1&t0=5&t1=5&kind=nonsense&view=graph"));
    expect(state).toEqual({ seq: null, window: null, lane: "", kind: "", q: "", view: "transcript" });
  });

  it("rounds a window outward, so that nothing at its edges is lost", () => {
    const state = readAddress(new URLSearchParams(writeAddress({ ...whole, window: { t0: 10.7, t1: 11.2 } })));
    expect(state.window).toEqual({ t0: 10, t1: 12 });
  });
});

describe("the filter", () => {
  it("counts the errors that it hides", () => {
    expect(hiddenErrors(store(), { lane: "verifier", kind: "" })).toBe(1);
    expect(hiddenErrors(store(), { lane: "", kind: "message" })).toBe(1);
    expect(hiddenErrors(store(), { lane: "solver", kind: "" })).toBe(0);
    expect(hiddenErrors(store(), { lane: "", kind: "errors" })).toBe(0);
    expect(hiddenErrors(store(), { lane: "verifier", kind: "errors" })).toBe(1);
  });

  it("counts an agent's tools as the agent's", () => {
    expect([...matching(store(), { lane: "solver", kind: "" })]).toEqual([1, 2, 3, 5]);
    expect([...matching(store(), { lane: "", kind: "errors" })]).toEqual([3]);
  });
});

describe("the transcript", () => {
  const seqs = (made: EventStore) => transcriptRows(made, { lane: "", kind: "" }, null).map((row) => (row.type === "event" ? row.seq : `${String(row.from)}–${String(row.to)}`));

  it("shows an open span where it began and an ended one where it ended", () => {
    expect(seqs(store())).toEqual([0, 1, 3, 4, 5]);
    expect(shownAs(store(), 2)).toBe(3);
  });

  it("says what is not loaded between what is", () => {
    const made = new EventStore();
    made.add([created(), message(10), message(11)]);
    made.reaches(20);
    expect(seqs(made)).toEqual([0, "1–9", 10, 11, "12–20"]);
    const rows = transcriptRows(made, { lane: "", kind: "" }, null);
    expect([rowOf(rows, 5), rowOf(rows, 10), rowOf(rows, 20)]).toEqual([1, 2, 4]);
  });

  it("is empty, not a gap, while nothing is known", () => {
    const made = new EventStore();
    made.reaches(99);
    expect(seqs(made)).toEqual([]);
  });

  it("steps from event to event over gaps and hidden openers", () => {
    const rows = transcriptRows(store(), { lane: "", kind: "" }, null);
    expect([stepRow(rows, null, 1), stepRow(rows, 1, 1), stepRow(rows, 3, -1), stepRow(rows, 5, 1), stepRow(rows, 2, 1)]).toEqual([0, 3, 1, null, 3]);
  });
});

describe("steps", () => {
  it("go round the errors", () => {
    expect([stepError(store(), null, 1), stepError(store(), 3, 1), stepError(store(), 3, -1)]).toEqual([3, 3, 3]);
  });

  it("go to the agent above or below at about the same time", () => {
    expect(stepLane(store(), 4, -1)).toBe(3);
    expect(stepLane(store(), 1, 1)).toBe(2);
  });

  it("stop at the ends", () => {
    expect([step(store(), 5, 1, () => true), step(store(), 0, -1, () => true)]).toEqual([null, null]);
  });

  it("go round what was found", () => {
    expect([stepMatch([2, 9], 2, 1), stepMatch([2, 9], 9, 1), stepMatch([2, 9], 2, -1), stepMatch([], 1, 1)]).toEqual([9, 2, 9, null]);
  });
});

describe("streamed text", () => {
  it("puts a repeated chunk in its place and marks a lost one", () => {
    const streams = new Streams();
    streams.take([{ span: 1, offset: 0, text: "abc" }, { span: 1, offset: 2, text: "cd" }, { span: 1, offset: 0, text: "ab" }]);
    expect(streams.get(1)).toEqual({ text: "abcd", torn: false });
    streams.take([{ span: 1, offset: 12, text: "xyz" }]);
    expect(streams.get(1)?.torn).toBe(true);
    expect(streams.get(1)?.text.endsWith("xyz")).toBe(true);
    streams.take([{ span: 1, offset: 15, text: "!" }]);
    expect(streams.get(1)?.text).toHaveLength(16);
    streams.drop(1);
    expect(streams.get(1)).toBeUndefined();
  });
});

describe("a summary", () => {
  it("is one line and says what the event is about", () => {
    expect(summary(called(2))).toBe("calculator(a: 17)");
    expect(summary(sample(1, 0, "a", { kind: "message.sent", content: "x\n  y\tz" }))).toBe("x y z");
  });

  it("lets any text of an event be found, whatever its case", () => {
    const event = sample(1, 0, "Solver", { kind: "tool.returned", tool: "t", text: "", data: { deep: [{ name: "求证 ABC" }] } });
    expect(searchable(event)).toContain("求证 abc");
  });
});
