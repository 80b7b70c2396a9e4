"""A log's nodes run again with nothing but the log."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from aworld.events.model import LlmResponded
from aworld.events.union import Event
from aworld.runtime.replay import replay
from tests.teams import PAIR, SOLVER, call, nodes, run_team, sqlite

SCRIPTS: dict[str, tuple[dict[str, Any], list[Any]]] = {
    "single": (SOLVER, [call("calculator", {"expression": "2+2"}), "Answer: 4"]),
    "verified": (PAIR, ["Answer: 4", "VERIFIED: yes."]),
    "sent back": (PAIR, ["Answer: 5", "REJECTED: no.", "Answer: 4", "VERIFIED: yes."]),
    "malformed": (SOLVER, ["", call("nothing", {}), "Answer: 4"]),
    "limit": ({**SOLVER, "limits": {"steps": 1}}, [call("calculator", {"expression": "1"})]),
    "failed": (SOLVER, ["", "", ""]),
}


@pytest.mark.parametrize("name", SCRIPTS)
async def test_a_recorded_run_replays_identical(tmp_path: Path, name: str) -> None:
    team, replies = SCRIPTS[name]
    record, events = await run_team(sqlite(tmp_path), team, replies)
    report = replay(record.run_id, events, nodes(team))
    assert report.difference is None, report
    assert str(report) == f"identical to step {events[-1].seq}"
    assert report.compared >= 3


async def test_a_changed_result_is_reported_at_the_first_step_that_differs(tmp_path: Path) -> None:
    team, replies = SCRIPTS["single"]
    record, events = await run_team(sqlite(tmp_path), team, replies)
    index = next(i for i, e in enumerate(events) if e.kind == "tool.returned")
    payload = msgspec.structs.replace(events[index].payload, text="5")
    changed = [*events[:index], _with(events[index], payload), *events[index + 1 :]]
    report = replay(record.run_id, changed, nodes(team))
    assert report.difference is not None
    # The next request would have carried the other result, so its hash differs.
    assert changed[report.difference.seq].kind == "llm.requested"
    assert report.difference.seq > index


async def test_a_changed_prompt_is_reported_at_the_first_request(tmp_path: Path) -> None:
    team, replies = SCRIPTS["single"]
    record, events = await run_team(sqlite(tmp_path), team, replies)
    agent = {**team["agents"][0], "instructions": "Something else."}
    report = replay(record.run_id, events, nodes({**team, "agents": [agent]}))
    assert report.difference is not None
    assert events[report.difference.seq].kind in {"node.joined", "llm.requested"}


async def test_a_cut_log_replays_identical_to_its_end(tmp_path: Path) -> None:
    team, replies = SCRIPTS["sent back"]
    record, events = await run_team(sqlite(tmp_path), team, replies)
    for end in range(1, len(events)):
        assert replay(record.run_id, events[:end], nodes(team)).identical


async def test_an_answer_nobody_asked_for_is_a_difference(tmp_path: Path) -> None:
    team, replies = SCRIPTS["verified"]
    record, events = await run_team(sqlite(tmp_path), team, replies)
    index = next(i for i, e in enumerate(events) if isinstance(e.payload, LlmResponded))
    answered = msgspec.structs.replace(events[index].payload, text="Answer: 7")
    changed = [*events[:index], _with(events[index], answered), *events[index + 1 :]]
    report = replay(record.run_id, changed, nodes(team))
    assert report.difference is not None
    assert report.difference.seq == index + 1


def _with(event: Event, payload: Any) -> Event:
    return msgspec.structs.replace(event, payload=payload)
