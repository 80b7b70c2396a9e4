"""A hundred agents in one process exchange 100,000 messages while twenty others come and go.

A hundred messages are under way at any time; who gets one sends the next to an agent drawn by
lot. Twenty guests join one after the other, take part for a while, and leave once they have passed
on what was sent to them. Every agent must get exactly what was addressed to it, in order of seq,
or the benchmark fails. Once with a journal in memory, once with every event committed to a SQLite
store, index and level of detail included, and read back. Prints one JSON line a figure.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from aworld.bus.base import Journal, Subscription
from aworld.bus.memory import MemoryBus
from aworld.errors import BusError
from aworld.events.conversation import MessageSent
from aworld.events.envelope import Clock
from aworld.events.union import Event, draft
from aworld.storage.base import RunRecord
from aworld.storage.sink import LogWriter
from aworld.storage.sqlite import SqliteStore

AGENTS, GUESTS, UNDER_WAY = 100, 20, 100
GOAL_US, GOAL_DURABLE_US = 10.0, 25.0
RUN = "many-agents"
Case = Callable[[int], Awaitable[float]]
"""Exchanges so many messages; CPU seconds."""
_BLOCK = 1000
_BACKLOG = 5_000


class Crowd:
    """The agents, what they were sent and what they got."""

    def __init__(self, bus: MemoryBus, messages: int, keep_up: Callable[[], int]) -> None:
        """`keep_up` says how many events wait for the store."""
        self._bus = bus
        self._left = messages
        self._keep_up = keep_up
        self._chance = random.Random(7)
        self._names: list[str] = []
        self._listeners: dict[str, Subscription] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._every = messages // (GUESTS + 1)
        self._invite_at = messages - self._every
        self._leaving: set[str] = set()
        self._left_in_time = 0
        self.done = asyncio.Event()
        self.sent: dict[str, list[int]] = {}
        self.got: dict[str, list[int]] = {}

    def join(self, name: str) -> None:
        """One more agent."""
        self.sent[name], self.got[name] = [], []
        self._names.append(name)
        listener = self._listeners[name] = self._bus.subscribe(name)
        self._tasks[name] = asyncio.create_task(self._live(name, listener))

    def send(self, sender: str, caused_by: tuple[int, ...] = ()) -> None:
        """A message to somebody, while there are any left to send."""
        self._left -= 1
        to = self._names[int(self._chance.random() * len(self._names))]
        message = draft(RUN, sender, MessageSent("hello"), recipients=(to,), caused_by=caused_by)
        self.sent[to].append(self._bus.publish_nowait(message).seq)

    async def aclose(self) -> None:
        """Everybody goes home."""
        for listener in self._listeners.values():
            listener.close()
        await asyncio.gather(*self._tasks.values())

    def check(self) -> None:
        """Raises RuntimeError where a guest stayed away or did not leave, or where anybody missed a
        message, or got one twice or out of order."""
        if len(self.sent) != AGENTS + GUESTS or self._left_in_time != GUESTS:
            raise RuntimeError(f"{len(self.sent)} came and {self._left_in_time} left.")
        for name, sent in self.sent.items():
            if self.got[name] != sent:
                raise RuntimeError(
                    f"{name} was sent {len(sent)} messages and got {len(self.got[name])}, or not "
                    "in order."
                )

    async def _live(self, name: str, listener: Subscription) -> None:
        got = self.got[name]
        while True:
            try:
                event = await listener.get()
            except BusError:  # It was closed: this agent has left.
                return
            got.append(event.seq)
            if self._left > 0:
                self.send(name, (event.seq,))
                if self._left <= self._invite_at:
                    self._change_guests()
                if not self._left % _BLOCK:
                    await self._wait_for_store()
            elif all(len(self.got[one]) == len(to) for one, to in self.sent.items()):
                self.done.set()
            self._let_go(name)

    def _change_guests(self) -> None:
        """The next guest comes, the one before is sent no more."""
        self._invite_at -= self._every
        number = len(self.sent) - AGENTS
        if number:
            guest = f"guest-{number - 1}"
            self._names.remove(guest)
            self._leaving.add(guest)
            self._let_go(guest)
        if number < GUESTS:
            self.join(f"guest-{number}")

    def _let_go(self, name: str) -> None:
        """A leaving guest stops listening once it has passed on all that was sent to it."""
        if name in self._leaving and len(self.got[name]) == len(self.sent[name]):
            self._leaving.remove(name)
            self._left_in_time += 1
            self._listeners[name].close()

    async def _wait_for_store(self) -> None:
        while self._keep_up() > _BACKLOG:
            await asyncio.sleep(0.002)


async def exchange(bus: MemoryBus, messages: int, keep_up: Callable[[], int]) -> Crowd:
    """Let them talk until the last message has arrived."""
    crowd = Crowd(bus, messages, keep_up)
    for number in range(AGENTS):
        crowd.join(f"agent-{number}")
    for _ in range(UNDER_WAY):
        crowd.send("start")
    await crowd.done.wait()
    await crowd.aclose()
    return crowd


async def in_memory(messages: int) -> float:
    """CPU seconds with a journal that keeps a block of events."""
    block: list[Event] = []

    def journal(event: Event) -> None:
        block.append(event)
        if len(block) >= _BLOCK:
            block.clear()
            bus.trim(event.seq)

    bus = _bus(journal, lambda after: ())
    started = time.process_time()
    crowd = await exchange(bus, messages, lambda: 0)
    used = time.process_time() - started
    crowd.check()
    await bus.close()
    return used


async def durable(messages: int) -> float:
    """CPU seconds until every event is committed."""
    with tempfile.TemporaryDirectory(prefix="aworld-many-") as name:
        store = SqliteStore(Path(name) / "runs.sqlite3", Path(name) / "blobs")
        store.create_run(RunRecord(run_id=RUN, team_name="crowd", team={}, input=""))
        lease = store.claim("bench", ttl_s=3600)
        assert lease is not None
        writer = LogWriter(store, lease, on_durable=lambda seq: bus.trim(seq))
        bus = _bus(writer.write, lambda after: store.read(RUN, after=after))
        started = time.process_time()
        crowd = await exchange(bus, messages, lambda: writer.backlog)
        await writer.durable(bus.last_seq)
        used = time.process_time() - started
        crowd.check()
        await writer.aclose()
        await bus.close()
        _check_log(store, messages)
        store.close()
    return used


def _bus(journal: Journal, history: Callable[[int], Sequence[Event]]) -> MemoryBus:
    return MemoryBus(RUN, clock=Clock(), journal=journal, history=history)


def _check_log(store: SqliteStore, messages: int) -> None:
    """Raises RuntimeError where the store has not every event."""
    seq = -1
    while events := store.read(RUN, after=seq, limit=10_000):
        if [event.seq for event in events] != list(range(seq + 1, seq + 1 + len(events))):
            raise RuntimeError(f"The log has a gap behind event {seq}.")
        seq = events[-1].seq
    if seq + 1 != messages:
        raise RuntimeError(f"The log has {seq + 1} of {messages} events.")


def main() -> None:
    """Interleave the two and print the figures."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--messages", type=int, default=100_000)
    options.add_argument("--rounds", type=int, default=3)
    chosen = options.parse_args()
    times: dict[str, list[float]] = {}
    for _ in range(chosen.rounds):
        for one in (in_memory, durable):
            gc.collect()
            used = asyncio.run(one(chosen.messages))
            times.setdefault(one.__name__, []).append(used / chosen.messages * 1e6)
    for case, name, goal in (
        ("in_memory", "agents100_message_cpu_us", GOAL_US),
        ("durable", "agents100_durable_cpu_us", GOAL_DURABLE_US),
    ):
        value = round(statistics.median(times[case]), 2)
        sys.stdout.write(json.dumps({"name": name, "value": value, "unit": "us", "goal": goal}))
        sys.stdout.write("\n")


if __name__ == "__main__":
    main()
