"""Environments inside a run: what is recorded, what agents see, and how it ends."""

from __future__ import annotations

from typing import Any

import msgspec

from aworld.agents.nodes import recorded_nodes
from aworld.environments.base import Task
from aworld.events.union import Event, encode_json
from aworld.runtime.replay import replay
from aworld.storage.base import RunRecord
from aworld.storage.sqlite import SqliteStore
from tests.environments.locked_box import PICTURE, Box, task
from tests.teams import PAIR, call, kinds, run_team

ALONE: dict[str, Any] = {
    "name": "alone",
    "topology": "single",
    "agents": [{"name": "solver", "role": "solver", "model": "m", "tools": ["calculator"]}],
}
RIGHT = [
    call("turn", {"clicks": 7}),
    call("open", {}),
    "It holds a pearl. Answer: a pearl",
]


async def run_box(
    store: SqliteStore, replies: list[Any], wanted: Task, team: dict[str, Any] = ALONE
) -> tuple[RunRecord, list[Event]]:
    return await run_team(store, team, replies, wanted.question, task=wanted)


def only(log: list[Event], kind: str) -> Any:
    (event,) = [event for event in log if event.kind == kind]
    return event.payload


async def test_a_run_resets_its_world_acts_on_it_and_is_judged(
    store: SqliteStore, box: type[Box]
) -> None:
    record, log = await run_box(store, RIGHT, task())
    assert kinds(log) == [
        "run.created", "run.started", "node.joined", "node.joined", "node.joined",
        "environment.reset", "environment.observed", "message.sent",
        "llm.requested", "llm.responded", "tool.called", "tool.returned",
        "llm.requested", "llm.responded", "tool.called", "tool.returned",
        "llm.requested", "llm.responded", "message.sent",
        "environment.submitted", "environment.verified", "run.finished",
    ]  # fmt: skip
    assert (record.status, record.score, record.errors) == ("finished", 1.0, 0)
    assert only(log, "environment.verified").details == {"open": True, "dial": 7}
    (world,) = box.made
    assert (world.carried_out, world.closed) == (["turn", "open"], 1)


async def test_a_replay_of_an_episode_is_identical_and_makes_no_world(
    store: SqliteStore, box: type[Box]
) -> None:
    record, log = await run_box(store, RIGHT, task())
    report = replay(record.run_id, log, recorded_nodes(store, record))
    assert str(report) == f"identical to step {log[-1].seq}"
    assert len(box.made) == 1
