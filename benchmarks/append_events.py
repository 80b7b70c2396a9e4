"""Durable append of 1 KB events with index rows, level of detail and summary, in blocks of 1,000.

The peer is the least that a log on the same disk can be: the same events in MessagePack, packed
by the thousand into a two-column SQLite table (WAL), nothing compressed, checked or indexed.
Rounds are interleaved; the median counts. `append_events_per_s` is by the wall clock and so
suffers from a busy machine; `append_cpu_us` does not. `_power_safe` syncs the disk at each block.
Prints one JSON line a figure.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import msgspec

from aworld.events.action import ToolCalled, ToolReturned
from aworld.events.conversation import MessageSent
from aworld.events.model import LlmRequested, LlmResponded
from aworld.events.union import AnyPayload, Event, encode, encode_many
from aworld.storage.base import RunRecord
from aworld.storage.sqlite import SqliteStore

GOAL_PER_S = 50_000
GOAL_CPU_US = 20.0
BLOCK = 1000
START = 1_767_225_600_000_000
TEXT = (
    "the agent reads a file and finds that seven of its lines do not agree with what was asked so "
    "it calls the calculator again 求解 一元 二次 方程 checks the sum writes down every step then "
    "answers the verifier who is not convinced and wants to see the numbers themselves 3.14 42 1971"
)


class Cost(NamedTuple):
    """What one round took."""

    wall_s: float
    cpu_s: float


def make_events(count: int) -> list[Event]:
    """Turns of six events, 1 KB each, 20 ms apart: call, answer, tool, result, two messages."""
    chance, words = random.Random(7), TEXT.split()
    events: list[Event] = []
    for seq in range(count):
        opener = seq - 1 if seq % 6 in (1, 3) else seq
        span = opener if seq % 6 < 4 else None
        event = Event(
            "run", seq, START + seq * 20_000, ("solver", "verifier")[seq % 6 == 5],
            _payload(seq % 6, ""), span=span, caused_by=(max(seq - 1, 0),),
        )  # fmt: skip
        room = 1000 - len(encode(event))
        text = " ".join(chance.choices(words, k=400)).encode()[:room].decode(errors="ignore")
        events.append(msgspec.structs.replace(event, payload=_payload(seq % 6, text)))
    return events


def _payload(step: int, text: str) -> AnyPayload:
    if step == 0:
        return LlmRequested("model", tuple(range(40)), "0" * 32, {"note": text})
    if step == 1:
        return LlmResponded(text, input_tokens=900, output_tokens=120, cost_usd=0.001)
    if step == 2:
        return ToolCalled("calculator", {"expression": text})
    return ToolReturned("calculator", text) if step == 3 else MessageSent(text)


def ours(folder: Path, events: list[Event]) -> Cost:
    """The store as it is opened by default."""
    return _append(SqliteStore(folder / "runs.sqlite3", folder / "blobs"), events)


def power_safe(folder: Path, events: list[Event]) -> Cost:
    """The store with a disk sync at each block."""
    path = folder / "runs.sqlite3"
    return _append(SqliteStore(path, folder / "blobs", synchronous="FULL"), events)


def _append(store: SqliteStore, events: list[Event]) -> Cost:
    store.create_run(RunRecord(run_id="run", team_name="team", team={}, input=""))
    lease = store.claim("bench", ttl_s=3600)
    assert lease is not None
    wall, cpu = time.perf_counter(), time.process_time()
    for first in range(0, len(events), BLOCK):
        store.append("run", lease.epoch, events[first : first + BLOCK])
    cost = Cost(time.perf_counter() - wall, time.process_time() - cpu)
    store.close()
    return cost


def plain(folder: Path, events: list[Event]) -> Cost:
    """Packed blocks in a table."""
    connection = sqlite3.connect(folder / "plain.sqlite3", isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=NORMAL")
    connection.execute("CREATE TABLE blocks (first INTEGER PRIMARY KEY, events BLOB)")
    wall, cpu = time.perf_counter(), time.process_time()
    for first in range(0, len(events), BLOCK):
        block = encode_many(events[first : first + BLOCK])
        connection.execute("INSERT INTO blocks VALUES (?, ?)", (first, block))
    cost = Cost(time.perf_counter() - wall, time.process_time() - cpu)
    connection.close()
    return cost


def main() -> None:
    """Interleave the three and print the figures."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--events", type=int, default=40_000, help="events a round")
    options.add_argument("--rounds", type=int, default=5)
    chosen = options.parse_args()
    events = make_events(chosen.events)
    costs: dict[str, list[Cost]] = {}
    for _ in range(chosen.rounds):
        for one in (ours, power_safe, plain):
            folder = Path(tempfile.mkdtemp(prefix="aworld-append-"))
            costs.setdefault(one.__name__, []).append(one(folder, events))
            shutil.rmtree(folder)

    def per_s(name: str) -> float:
        return float(chosen.events / statistics.median(cost.wall_s for cost in costs[name]))

    def cpu_us(name: str) -> float:
        return float(statistics.median(cost.cpu_s for cost in costs[name]) / chosen.events * 1e6)

    _line("append_events_per_s", per_s("ours"), "events/s", GOAL_PER_S, per_s)
    _line("append_power_safe_per_s", per_s("power_safe"), "events/s", None, per_s)
    _line("append_cpu_us", cpu_us("ours"), "us", GOAL_CPU_US, cpu_us)


def _line(
    name: str, value: float, unit: str, goal: float | None, figure: Callable[[str], float]
) -> None:
    against = figure("plain")
    line = {
        "name": name,
        "value": round(value, 1),
        "unit": unit,
        "goal": goal,
        "floor": round(against, 1),
        "peer": "packed blocks, no index",
        "peer_value": round(against, 1),
        "ratio": round(value / against, 3),
    }
    sys.stdout.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    main()
