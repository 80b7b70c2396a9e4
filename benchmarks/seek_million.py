"""The state at any step of a run of 1,000,000 events: seeks, and steps back and forth.

The run is the worst there is for a fold: one agent whose context is never cut, half a million
messages in the end. `state` is all that the debugger shows (every node, its last 200 messages, what
changed), read from a store opened anew. Prints one JSON line a figure.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from aworld.agents.build import build_team
from aworld.agents.nodes import RecordedModel, recorded_nodes
from aworld.agents.team import read_team
from aworld.events.action import ToolCalled, ToolReturned
from aworld.events.conversation import MessageSent
from aworld.events.model import LlmRequested, LlmResponded
from aworld.events.run import RunStarted
from aworld.events.union import AnyPayload, Event
from aworld.runtime.launch import create_run, created_lease
from aworld.runtime.near_folds import FoldCache
from aworld.runtime.playhead import fold_to
from aworld.runtime.recovery import counted_log
from aworld.runtime.run_state import read_state
from aworld.runtime.stops import Stops
from aworld.storage.base import RunRecord
from aworld.storage.sqlite import SqliteStore
from aworld.tools import registry

GOAL_MS = 200.0
BLOCK = 1_000
TEAM = {
    "name": "endless",
    "topology": "single",
    "agents": [{"name": "solver", "role": "solver", "model": "m", "tools": ["calculator"]}],
}


def write_run(store: SqliteStore, count: int) -> RunRecord:
    """A run of so many events."""
    record = create_run(
        store, team=TEAM, input="?", source="script", worker="bench", lease_ttl_s=36_000
    )
    lease = created_lease(record)
    block: list[Event] = []
    for event in events(record, count):
        block.append(event)
        if len(block) == BLOCK:
            store.append(record.run_id, lease.epoch, block)
            block = []
    store.append(record.run_id, lease.epoch, block)
    store.release(lease)
    return store.get_run(record.run_id)


def events(record: RunRecord, count: int) -> Iterator[Event]:
    """The events behind `run.created`: an agent that calls its tool again and again."""
    built = build_team(read_team(TEAM), lambda name: RecordedModel(name), registry.get)
    opening: list[tuple[str, AnyPayload, tuple[str, ...]]] = [
        ("supervisor", RunStarted("bench"), ()),
        *((node.name, node.joined(), ()) for node in built.nodes),
        ("team", MessageSent("Count for ever.", "task"), ("solver",)),
    ]
    for seq in range(1, count):
        at = record.created_at + seq * 20_000
        if seq <= len(opening):
            actor, payload, recipients = opening[seq - 1]
            yield Event(record.run_id, seq, at, actor, payload, recipients=recipients)
            continue
        step = (seq - len(opening) - 1) % 4
        span = seq if step in (0, 2) else seq - 1
        yield Event(record.run_id, seq, at, "solver", _payload(step, seq), span=span)


def _payload(step: int, seq: int) -> AnyPayload:
    call_id = f"c{seq - step}"
    if step == 0:
        return LlmRequested("m", (2, 4), f"{seq:032x}")
    if step == 1:
        call = {"id": call_id, "name": "calculator", "arguments": {"expression": f"{seq}+1"}}
        return LlmResponded("", (call,), "tool_calls", 900, 40)
    if step == 2:
        return ToolCalled("calculator", {"expression": f"{seq}+1"}, call_id, "read_only")
    return ToolReturned("calculator", str(seq + 1), None, call_id)


class Cost(NamedTuple):
    """Milliseconds that something took."""

    wall: float
    cpu: float


def timed(action: Callable[[], object]) -> Cost:
    """What it takes."""
    wall, cpu = time.perf_counter(), time.process_time()
    action()
    return Cost((time.perf_counter() - wall) * 1000, (time.process_time() - cpu) * 1000)


def report_costs(name: str, costs: list[Cost]) -> None:
    """Median and worst by the wall clock, worst by the processor's, which no neighbour disturbs."""
    wall = sorted(cost.wall for cost in costs)
    report(f"{name}_median_ms", wall[len(wall) // 2], "ms", GOAL_MS)
    report(f"{name}_worst_ms", wall[-1], "ms", GOAL_MS)
    report(f"{name}_worst_cpu_ms", max(cost.cpu for cost in costs), "ms", GOAL_MS)


def report(name: str, value: float, unit: str, goal: float | None = None) -> None:
    """One line of the results."""
    row = {"name": name, "value": round(value, 1), "unit": unit, "goal": goal}
    sys.stdout.write(json.dumps(row) + "\n")
    sys.stdout.flush()


def measure(store: SqliteStore, record: RunRecord, seeks: int) -> None:
    """Seeks from nothing, then steps near the last of them."""
    nodes = recorded_nodes(store, record)
    places = random.Random(7).choices(range(record.last_seq + 1), k=seeks)

    def state(seq: int, near: FoldCache) -> Cost:
        return timed(lambda: read_state(store, record, recorded_nodes(store, record), seq, near))

    fold_to(store, record.run_id, nodes, 0)
    report_costs("seek", [state(seq, FoldCache()) for seq in places])
    near = FoldCache()
    start = record.last_seq - 3_000
    state(start, near)
    report_costs("step_forth", [state(start + i, near) for i in range(1, 200)])
    report_costs("step_back", [state(start + 200 - i, near) for i in range(1, 400)])


PLAIN: Final[dict[str, Any]] = {
    "id": "a",
    "kinds": ["tool.failed"],
    "condition": 'error contains "zero"',
}
COUNTING: Final[dict[str, Any]] = {
    "id": "b",
    "kinds": ["tool.returned"],
    "condition": "tool_calls > 1000000",
}


def breakpoints(store: SqliteStore, record: RunRecord) -> None:
    """What it takes to arm one in the middle of the run, and what an event costs from then on. One
    that asks about the run so far must read it all, once."""

    def armed(plain: dict[str, Any]) -> Stops:
        stops = Stops()
        stops.arm_plain([plain], counted_log(store, record.run_id, [plain]))
        return stops

    report("arm_ms", timed(lambda: armed(PLAIN)).wall, "ms", GOAL_MS)
    report("arm_counting_s", timed(lambda: armed(COUNTING)).wall / 1000, "s")
    newest = store.read(record.run_id, after=record.last_seq - 4_000, limit=4_000)
    stops = armed(PLAIN)

    def feed() -> None:
        for event in newest:
            stops.feed(event)
            stops.after(event)

    report("armed_event_us", timed(feed).cpu * 1000 / len(newest), "us")


def main() -> None:
    """Write the run, fold it once, measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=1_000_000)
    parser.add_argument("--seeks", type=int, default=100)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="aworld-seek-") as folder:
        path = Path(folder)
        store = SqliteStore(path / "runs.sqlite3", path / "blobs")
        record = write_run(store, arguments.events)
        nodes = recorded_nodes(store, record)
        first = timed(lambda: fold_to(store, record.run_id, nodes, record.last_seq))
        report("first_fold_s", first.wall / 1000, "s")
        store.close()
        size = sum(file.stat().st_size for file in path.glob("runs.sqlite3*"))
        report("store_mb", size / 1e6, "MB")
        store = SqliteStore(path / "runs.sqlite3", path / "blobs")
        measure(store, record, arguments.seeks)
        breakpoints(store, record)
        store.close()


if __name__ == "__main__":
    main()
