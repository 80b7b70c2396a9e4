import { describe, expect, it } from "vitest";

import { backOff } from "./back-off";
import { LiveSocket, type SocketLike } from "./live-socket";

class Wire implements SocketLike {
  readyState = 0;
  onopen: (() => void) | null = null;
  onclose: (() => void) | null = null;
  onmessage: ((message: { data: unknown }) => void) | null = null;
  sent: unknown[] = [];
  send(text: string) {
    this.sent.push(JSON.parse(text));
  }
  close() {
    this.readyState = 3;
  }
  open() {
    this.readyState = 1;
    this.onopen?.();
  }
  drop() {
    this.readyState = 3;
    this.onclose?.();
  }
}

const nothing: () => void = () => undefined;

function scene() {
  const wires: Wire[] = [];
  const timers: { run: () => void; after: number }[] = [];
  const surroundings = { online: true, wake: nothing };
  const socket = new LiveSocket({
    open: () => {
      const wire = new Wire();
      wires.push(wire);
      return wire;
    },
    later: (run, after) => {
      const timer = { run, after };
      timers.push(timer);
      return () => timers.splice(timers.indexOf(timer), 1);
    },
    online: () => surroundings.online,
    random: () => 0.5,
    onWake: (run) => {
      surroundings.wake = run;
      return () => undefined;
    },
  });
  const wire = () => wires[wires.length - 1] as Wire;
  return { socket, wires, wire, timers, surroundings, tick: () => timers.shift()?.run() };
}

describe("the live socket", () => {
  it("opens one connection for any number of followers and sends each follow once it is open", () => {
    const { socket, wires, wire } = scene();
    socket.follow("a", () => 4, () => undefined);
    socket.follow("b", () => -1, () => undefined);
    wire().open();
    expect(wires).toHaveLength(1);
    expect(wire().sent).toEqual([
      { type: "follow", run: "a", after: 4 },
      { type: "follow", run: "b", after: -1 },
    ]);
  });

  it("comes back by itself and follows from the last seq that the follower has by then", () => {
    const { socket, wires, wire, tick } = scene();
    let last = 4;
    socket.follow("a", () => last, () => undefined);
    wire().open();
    last = 120;
    wire().drop();
    expect(socket.state()).toBe("reconnecting");
    tick();
    wire().open();
    expect(wires).toHaveLength(2);
    expect(wire().sent).toEqual([{ type: "follow", run: "a", after: 120 }]);
    expect(socket.state()).toBe("live");
  });

  it("waits longer after each failure, up to the longest", () => {
    expect([0, 1, 2, 3, 20].map((n) => backOff(n, 0.5))).toEqual([400, 800, 1600, 3200, 15_000]);
    expect(backOff(0, 0)).toBeLessThan(backOff(0, 0.99));
  });

  it("says offline without a network and tries at once when it returns", () => {
    const { socket, wires, wire, surroundings } = scene();
    surroundings.online = false;
    socket.follow("a", () => -1, () => undefined);
    expect([socket.state(), wires.length]).toEqual(["offline", 0]);
    surroundings.online = true;
    surroundings.wake();
    wire().open();
    expect(socket.state()).toBe("live");
  });

  it("gives a run's messages to its followers only and the rest to listeners", () => {
    const { socket, wire } = scene();
    const a: unknown[] = [];
    const all: unknown[] = [];
    socket.follow("a", () => -1, (message) => a.push(message.type));
    socket.listen((message) => all.push(message.type));
    wire().open();
    for (const data of [
      { type: "events", run: "a", events: [] },
      { type: "events", run: "other", events: [] },
      { type: "runs", changed: [], counts: {} },
    ]) {
      wire().onmessage?.({ data: JSON.stringify(data) });
    }
    wire().onmessage?.({ data: "no JSON" });
    expect([a, all]).toEqual([["events"], ["runs"]]);
  });

  it("closes when nobody wants anything and opens again when somebody does", () => {
    const { socket, wires, wire } = scene();
    const stop = socket.follow("a", () => -1, () => undefined);
    wire().open();
    stop();
    expect([wire().readyState, socket.state()]).toEqual([3, "idle"]);
    socket.follow("b", () => -1, () => undefined);
    expect(wires).toHaveLength(2);
  });
});
