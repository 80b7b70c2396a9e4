import { describe, expect, it } from "vitest";

import { EventStore } from "./event-store";
import { PAGE_SIZE } from "./page";
import { created, message, sample } from "./testing/sample";

const requested = (seq: number, at: number, actor = "solver") =>
  sample(seq, at, actor, { kind: "llm.requested", model: "m", context: [], request_hash: "" }, { span: seq });
const called = (seq: number, at: number) =>
  sample(seq, at, "solver", { kind: "tool.called", tool: "calculator", arguments: {} }, { span: seq });
const failed = (seq: number, at: number, span: number) =>
  sample(seq, at, "solver", { kind: "tool.failed", tool: "calculator", error: "1/0" }, { span });

describe("the event store", () => {
  it("draws a span open until its end arrives, and then from start to end", () => {
    const store = new EventStore();
    store.add([created(), requested(1, 100)]);
    expect(store.isOpen(1)).toBe(true);

    store.add([sample(2, 900, "solver", { kind: "llm.responded", text: "391" }, { span: 1 })]);

    expect(store.isOpen(1)).toBe(false);
    expect([store.at(1), store.end(1)]).toEqual([100, 900]);
  });

  it("gives an opener the severity of the end of its span, and keeps its own", () => {
    const store = new EventStore();
    store.add([created(), called(1, 10), failed(2, 20, 1)]);
    expect(store.page(1)?.outcome[1]).toBe(2);
    expect(store.severity(1)).toBe(0);
    expect(store.errors).toEqual([2]);
  });

  it("keeps a span open over a model call that will be retried, as a warning", () => {
    const store = new EventStore();
    const retried = sample(2, 50, "solver", { kind: "llm.failed", error: "429", will_retry: true }, { span: 1 });
    store.add([created(), requested(1, 10), retried]);
    expect(store.isOpen(1)).toBe(true);
    expect([store.severity(2), store.errors]).toEqual([1, []]);
  });

  it("joins a span whose end was loaded before its start", () => {
    const store = new EventStore();
    store.add([created(), failed(9, 90, 8)]);
    store.add([called(8, 80)]);
    expect([store.at(8), store.end(8), store.isOpen(8)]).toEqual([80, 90, false]);
  });

  it("calls no span open while the events after it are not all there", () => {
    const store = new EventStore();
    store.add([created(), requested(1, 10), message(5)]);
    expect(store.isOpen(1)).toBe(false);
    store.add([message(2), message(3), message(4)]);
    expect(store.isOpen(1)).toBe(true);
  });

  it("keeps errors in order whatever the order of loading", () => {
    const store = new EventStore();
    store.add([created(), failed(30, 300, 29), failed(10, 100, 9), failed(20, 200, 19)]);
    expect(store.errors).toEqual([10, 20, 30]);
  });

  it("ignores an event that is already there and counts a late one", () => {
    const store = new EventStore();
    store.add([created(), message(1), message(3), message(3), message(2)]);
    expect([store.known.size, store.late, store.head]).toEqual([4, 1, 3]);
  });

  it("holds only the pages that something is known of", () => {
    const store = new EventStore();
    store.add([created(), message(PAGE_SIZE * 100 + 7)]);
    expect(store.has(PAGE_SIZE * 100 + 7)).toBe(true);
    expect(store.page(PAGE_SIZE * 50)).toBeUndefined();
  });

  it("refuses to place an event in time before the run's start is known", () => {
    expect(() => new EventStore().add([message(5)])).toThrow("seq 5 came before seq 0");
  });

  it("drops old payloads past its budget and keeps their columns", () => {
    const store = new EventStore(4_000);
    const long = (seq: number) => sample(seq, seq, "a", { kind: "message.sent", content: "x".repeat(900) });
    store.add([created(), long(1), long(2), long(3)]);
    expect(store.events.get(1)).toBeUndefined();
    expect(store.events.get(3)?.seq).toBe(3);
    expect(store.kind(1)).toBe("message.sent");
  });

  it("tells its watchers once a commit", () => {
    const store = new EventStore();
    let told = 0;
    const stop = store.watch(() => (told += 1));
    store.add([created(), message(1), message(2)]);
    store.commit();
    stop();
    store.commit();
    expect([told, store.version]).toEqual([1, 2]);
  });
});

describe("the lanes", () => {
  it("stand as they came, tools below their agent, persons after agents, the supervisor last", () => {
    const store = new EventStore();
    store.add([
      created(),
      sample(1, 1, "person:ada", { kind: "person.answered", answer: "yes" }),
      called(2, 2),
      message(3, 3, "verifier"),
      message(4, 4, "solver"),
    ]);
    const names = store.lanes.order.map((number) => store.lanes.get(number)?.name);
    expect(names).toEqual(["solver", "solver/calculator", "verifier", "person:ada", "supervisor"]);
  });
});
