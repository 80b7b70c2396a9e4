"""CPU per message of a ring of 10 agents: our bus with its journal, and two peers, in one run.

The peers: a bare `asyncio.Queue` per agent (no number, no journal), and a sketch of the least a
bus can be (envelope with id, seq and time, a topic table, a queue per agent, a journal list).
Rounds are interleaved, so that a busy machine slows all alike; the median round counts.
Prints one JSON line a figure.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import itertools
import json
import statistics
import sys
import time
from collections.abc import Awaitable, Callable

import msgspec

from aworld.bus.memory import MemoryBus
from aworld.events.conversation import MessageSent
from aworld.events.envelope import Clock
from aworld.events.union import Event, draft

AGENTS = 10
GOAL_US = 4.0
_BLOCK = 1000


async def _ring(
    send: Callable[[int], None], agents: list[Awaitable[None]], done: asyncio.Event
) -> float:
    """CPU seconds from the first message to the last."""
    tasks = [asyncio.ensure_future(agent) for agent in agents]
    await asyncio.sleep(0)
    started = time.process_time()
    for agent in range(AGENTS):
        send(agent)
    await done.wait()
    used = time.process_time() - started
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return used


async def ours(messages: int) -> float:
    """`MemoryBus`: draft, seq, time, journal in blocks, one subscription an agent."""
    block: list[Event] = []

    def journal(event: Event) -> None:
        block.append(event)
        if len(block) >= _BLOCK:
            written = block[-1].seq
            block.clear()
            bus.trim(written)

    bus = MemoryBus("ring", clock=Clock(), journal=journal, history=lambda after: ())
    names = [f"agent-{number}" for number in range(AGENTS)]
    listeners = [bus.subscribe(name) for name in names]
    done, left = asyncio.Event(), messages
    body = MessageSent("hello")
    recipients = [(name,) for name in names]

    async def agent(number: int) -> None:
        nonlocal left
        listener, name = listeners[number], names[number]
        to = recipients[(number + 1) % AGENTS]
        while True:
            event = await listener.get()
            left -= 1
            if left <= 0:
                done.set()
                return
            await bus.publish(
                draft("ring", name, MessageSent("hello"), recipients=to, caused_by=(event.seq,))
            )

    def send(number: int) -> None:
        bus.publish_nowait(draft("ring", "start", body, recipients=recipients[number]))

    return await _ring(send, [agent(number) for number in range(AGENTS)], done)


async def bare_queue(messages: int) -> float:
    """A queue an agent and nothing else."""
    queues: list[asyncio.Queue[tuple[float, str]]] = [asyncio.Queue() for _ in range(AGENTS)]
    done, left, now = asyncio.Event(), messages, time.perf_counter

    async def agent(number: int) -> None:
        nonlocal left
        queue, following = queues[number], queues[(number + 1) % AGENTS]
        while True:
            _, body = await queue.get()
            left -= 1
            if left <= 0:
                done.set()
                return
            following.put_nowait((now(), body))

    def send(number: int) -> None:
        queues[number].put_nowait((now(), "hello"))

    return await _ring(send, [agent(number) for number in range(AGENTS)], done)


class _Envelope(msgspec.Struct):
    id: int
    seq: int
    ts: float
    topic: str
    sender: str
    payload: object


async def sketch(messages: int) -> float:
    """The least a bus with number and journal can cost: unbounded, no time that never runs back."""
    numbers, now = itertools.count(), time.perf_counter
    log: list[_Envelope] = []
    topics: dict[str, list[asyncio.Queue[_Envelope]]] = {}
    queues: list[asyncio.Queue[_Envelope]] = [asyncio.Queue() for _ in range(AGENTS)]
    for number, queue in enumerate(queues):
        topics[f"t{number}"] = [queue]
    done, left = asyncio.Event(), messages

    def publish(topic: str, sender: str, payload: object) -> None:
        number = next(numbers)
        envelope = _Envelope(number, number, now(), topic, sender, payload)
        log.append(envelope)
        if len(log) >= _BLOCK:
            log.clear()
        for queue in topics.get(topic, ()):
            queue.put_nowait(envelope)

    async def agent(number: int) -> None:
        nonlocal left
        while True:
            envelope = await queues[number].get()
            left -= 1
            if left <= 0:
                done.set()
                return
            publish(f"t{(number + 1) % AGENTS}", "a", envelope.payload)

    def send(number: int) -> None:
        publish(f"t{number}", "a", {"b": "hello"})

    return await _ring(send, [agent(number) for number in range(AGENTS)], done)


def main() -> None:
    """Interleave the three and print the figures."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--messages", type=int, default=50_000, help="messages a round")
    options.add_argument("--rounds", type=int, default=7)
    chosen = options.parse_args()
    times: dict[str, list[float]] = {}
    for _ in range(chosen.rounds):
        for one in (ours, bare_queue, sketch):
            gc.collect()
            used = asyncio.run(one(chosen.messages))
            times.setdefault(one.__name__, []).append(used / chosen.messages * 1e6)
    value = statistics.median(times["ours"])
    for peer, name in (("bare_queue", "asyncio.Queue"), ("sketch", "sketch with id, seq, journal")):
        against = statistics.median(times[peer])
        line = {
            "name": "bus_ring10_cpu_us" if peer == "bare_queue" else "bus_ring10_cpu_us_of_sketch",
            "value": round(value, 3),
            "unit": "us",
            "goal": GOAL_US,
            "peer": name,
            "peer_value": round(against, 3),
            "ratio": round(value / against, 2),
        }
        sys.stdout.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    main()
