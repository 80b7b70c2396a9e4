"""A hundred recorded runs replay identical, and one changed thing shows at its very step."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from aworld.events.action import ToolFailed, ToolReturned
from aworld.events.control import EditApplied
from aworld.events.conversation import PersonAnswered
from aworld.events.model import LlmRequested, LlmResponded
from aworld.events.run import NodeJoined
from aworld.events.union import AnyPayload, Event
from aworld.runtime.machine import is_derived
from aworld.runtime.replay import replay
from tests.runtime.recorded_runs import Recorded, record_all
from tests.teams import sqlite


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Recorded]]:
    store = sqlite(Path(tmp_path_factory.mktemp("hundred")))
    yield asyncio.run(record_all(store))
    store.close()


def test_there_are_runs_of_every_kind(runs: list[Recorded]) -> None:
    assert len(runs) >= 100
    kinds: Counter[str] = Counter()
    parallel = 0
    for run in runs:
        kinds.update({event.kind for event in run.log})
        parallel += any(
            isinstance(e.payload, LlmResponded) and len(e.payload.tool_calls) > 1 for e in run.log
        )
    wanted = {
        "verification.passed": 15,
        "verification.failed": 10,
        "tool.failed": 20,
        "person.answered": 12,
        "run.paused": 15,
        "breakpoint.hit": 15,
        "edit.applied": 5,
        "fork.created": 20,
        "run.finished": 80,
    }
    assert {kind: n for kind, n in wanted.items() if kinds[kind] < n} == {}, kinds
    assert parallel >= 30
    assert {run.record.status for run in runs} <= {"finished", "failed"}


def test_every_one_is_replayed_identical(runs: list[Recorded]) -> None:
    reports = [replay(run.record.run_id, run.log, run.nodes()) for run in runs]
    assert [str(report) for report in reports if not report.identical] == []
    assert [report.last_seq for report in reports] == [run.record.last_seq for run in runs]


def test_one_changed_word_in_a_prompt_is_reported_where_its_agent_joined(
    runs: list[Recorded],
) -> None:
    for run in runs:
        event, joined = first_agent(run)
        changed = joined.instructions.replace("Work with", "Work without").replace(
            "Ask politely", "Ask rudely"
        )
        assert difference_at(run, instructions=changed) == event.seq


def test_one_changed_tool_schema_is_reported_where_its_agent_joined(runs: list[Recorded]) -> None:
    for run in runs:
        event, joined = first_agent(run)
        tools = [dict(tool) for tool in joined.tools]
        tools[1] = {**tools[1], "parameters": {**tools[1]["parameters"], "title": "Changed"}}
        assert difference_at(run, tools=tools) == event.seq


def test_two_tools_in_another_order_are_reported_where_their_agent_joined(
    runs: list[Recorded],
) -> None:
    for run in runs:
        event, joined = first_agent(run)
        assert (
            difference_at(run, tools=[dict(tool) for tool in reversed(joined.tools)]) == event.seq
        )


def test_one_changed_result_is_reported_at_the_first_step_that_knew_it(
    runs: list[Recorded],
) -> None:
    sorts: Counter[str] = Counter()
    for run in runs:
        index, payload, shows = changed_result(run.log)
        event = msgspec.structs.replace(run.log[index], payload=payload)
        log = [*run.log[:index], event, *run.log[index + 1 :]]
        difference = replay(run.record.run_id, log, run.nodes()).difference
        assert difference is not None
        assert difference.seq == shows, (run.record.run_id, event)
        assert difference.recorded == run.log[shows]
        assert difference.produced is not None
        sorts[event.kind] += 1
    assert set(sorts) >= {"tool.returned", "llm.responded", "person.answered"}, sorts


def first_agent(run: Recorded) -> tuple[Event, NodeJoined]:
    event = next(e for e in run.log if isinstance(e.payload, NodeJoined))
    assert isinstance(event.payload, NodeJoined)
    return event, event.payload


def difference_at(run: Recorded, **changes: Any) -> int:
    """Where a replay with something changed finds the first difference."""
    difference = replay(run.record.run_id, run.log, run.nodes(**changes)).difference
    assert difference is not None
    return difference.seq


def changed_result(log: list[Event]) -> tuple[int, AnyPayload, int]:
    """A result's place in the log, what it is changed into, and the step that must show it."""
    edited = {e.payload.target for e in log if isinstance(e.payload, EditApplied)}
    # Tools and people first: a model's answer is in every run.
    for event in sorted(log, key=lambda e: isinstance(e.payload, LlmResponded)):
        changed = _changed(event) if event.seq not in edited else None
        shows = next((e.seq for e in log[event.seq + 1 :] if _knows(e, event)), None)
        if changed is not None and shows is not None:
            return event.seq, changed, shows
    raise AssertionError("the run has no result")


def _changed(event: Event) -> AnyPayload | None:
    """An outcome with one more word; None where the event is none."""
    payload = event.payload
    if event.span is None:
        return None
    if isinstance(payload, ToolReturned):
        return msgspec.structs.replace(payload, text=f"{payload.text} indeed")
    if isinstance(payload, ToolFailed):
        return msgspec.structs.replace(payload, error=f"{payload.error} indeed")
    if isinstance(payload, LlmResponded):
        return msgspec.structs.replace(payload, text=f"{payload.text} indeed", tool_calls=())
    if isinstance(payload, PersonAnswered) and event.actor == "asker":
        return msgspec.structs.replace(payload, answer=f"{payload.answer} indeed")
    return None


def _knows(event: Event, result: Event) -> bool:
    """Whether an event says what it does because of the result's words."""
    payload = event.payload
    if isinstance(result.payload, PersonAnswered):
        return event.kind == "message.sent" and event.actor == "asker"
    if isinstance(result.payload, LlmResponded):
        return is_derived(event) and result.seq in event.caused_by
    return isinstance(payload, LlmRequested) and result.seq in payload.context
