"""A world that has to be made again: by the worker that takes a run up, and by a fork."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from aworld.agents.nodes import recorded_nodes
from aworld.environments.base import Task
from aworld.environments.record import environment_of
from aworld.events.run import ErrorRaised, RunCreated
from aworld.events.union import Event
from aworld.llm.base import Completion, ModelRequest
from aworld.llm.scripted import ScriptedModel
from aworld.runtime.catching_up import CatchUp, catch_up_of
from aworld.runtime.fork import fork_run, plan
from aworld.runtime.launch import create_run
from aworld.runtime.replay import replay
from aworld.storage.base import RunRecord
from aworld.storage.sqlite import SqliteStore
from tests.environments.locked_box import SPOILT, Box, task
from tests.runtime.driven import Driven
from tests.teams import build, call

TEAM: dict[str, Any] = {
    "name": "alone",
    "topology": "single",
    "agents": [{"name": "solver", "role": "solver", "model": "m", "tools": []}],
}
TURNS = 6


def next_move(request: ModelRequest) -> Completion:
    """Six turns by one click and one more, open, answer: told from the prompt alone."""
    done = sum(message.role == "tool" for message in request.messages)
    if done <= TURNS:
        return call("turn", {"clicks": 1}, f"call_{done}")
    if done == TURNS + 1:
        return call("open", {}, f"call_{done}")
    return Completion("Answer: a pearl")


def make_built(wanted: Task) -> Callable[[RunRecord], Any]:
    model = ScriptedModel([next_move], repeat_last=True)
    return lambda record: build(TEAM, model, task=wanted)[1]


def begin(store: SqliteStore, wanted: Task, stop: dict[str, Any]) -> Driven:
    record = create_run(
        store,
        team={**TEAM, "breakpoints": [{"id": "b", **stop}]},
        input=wanted.question,
        source="script",
        worker="w",
        lease_ttl_s=3600,
        environment=environment_of(wanted),
    )
    return Driven(store, record, make_built(wanted))


def mismatches(log: list[Event]) -> list[str]:
    raised = (event.payload for event in log)
    return [
        one.error
        for one in raised
        if isinstance(one, ErrorRaised) and one.error_type == "EnvironmentMismatch"
    ]


def is_identical(store: SqliteStore, driven: Driven) -> bool:
    nodes = recorded_nodes(store, driven.record)
    return replay(driven.run_id, driven.log(), nodes).identical


FOURTH = {"when": "after", "kinds": ["tool.returned"], "from_hit": 4, "once": True}
SIXTH = {"when": "after", "kinds": ["tool.returned"], "from_hit": 6, "once": True}


async def test_the_worker_that_takes_a_run_up_repeats_its_actions_in_a_fresh_world(
    store: SqliteStore, box: type[Box]
) -> None:
    driven = begin(store, task(), FOURTH)
    await driven.held()
    await driven.crash()
    record = await driven.done()
    assert (record.status, record.score) == ("finished", 1.0)
    old, new = box.made
    assert (old.carried_out, old.closed) == (["turn"] * 4, 1)
    assert (new.carried_out, new.closed) == (["turn"] * 7 + ["open"], 1)
    assert mismatches(driven.log()) == []
    assert is_identical(store, driven)


async def test_a_world_with_snapshots_is_brought_back_by_the_newest_one(
    store: SqliteStore, box: type[Box]
) -> None:
    driven = begin(store, task(data={"snapshots": True}), SIXTH)
    await driven.held()
    assert catch_up_of(driven.log()) == CatchUp(snapshot_seq=26, repeated=1)
    await driven.crash()
    record = await driven.done()
    assert record.score == 1.0
    # The snapshot holds five turns; the sixth is repeated, the seventh is new.
    assert box.made[1].carried_out == ["turn", "turn", "open"]
    assert is_identical(store, driven)


async def test_a_world_that_does_not_come_back_as_it_was_is_reported_step_by_step(
    store: SqliteStore, box: type[Box]
) -> None:
    driven = begin(store, task(), FOURTH)
    await driven.held()
    SPOILT.append("now")
    await driven.crash()
    record = await driven.done()
    said = mismatches(driven.log())
    assert len(said) == 5  # The reset and four turns.
    assert "at step 6 (reset) the log has observation" in said[0]
    assert "at step 10 (turn)" in said[1]
    assert "'The dial is at 1. Spoilt.'" in said[1]
    assert record.errors == 6  # With the loss of its worker.
    assert is_identical(store, driven)


async def test_an_action_that_was_under_way_is_carried_out_in_the_new_world(
    store: SqliteStore, box: type[Box]
) -> None:
    driven = begin(
        store, task(), {"when": "after", "kinds": ["tool.called"], "from_hit": 3, "once": True}
    )
    await driven.held()
    await driven.die()
    log = driven.log()
    # As after a crash between the call and its result.
    open_calls = [event.seq for event in log if event.kind == "tool.called"]
    closed = [event.span for event in log if event.kind == "tool.returned"]
    driven.begin(driven.claim())
    record = await driven.done()
    assert record.score == 1.0
    assert box.made[-1].dial == 7
    assert len(open_calls) - len(closed) in {0, 1}
    assert not [event for event in driven.log() if event.kind == "tool.outcome_unknown"]


async def test_a_judgement_that_was_under_way_is_made_again(
    store: SqliteStore, box: type[Box]
) -> None:
    wanted = task(data={"verify": "hang"})
    driven = begin(store, wanted, {"when": "after", "kinds": ["environment.submitted"]})
    await driven.held()
    await driven.die()
    driven._make_built = make_built(task())
    record = driven.record
    assert record.environment["task"]["data"]["verify"] == "hang"
    driven.begin(driven.claim())
    record = await driven.done()
    assert record.status == "failed"
    assert "failed to verify: it took longer than 0.5 s" in record.error
    assert len(box.made) == 2


async def test_a_world_that_cannot_be_brought_back_ends_the_run_as_a_fault_of_the_environment(
    store: SqliteStore, box: type[Box], monkeypatch: pytest.MonkeyPatch
) -> None:
    driven = begin(store, task(), FOURTH)
    await driven.held()
    monkeypatch.setattr(Box, "reset", _broken_reset)
    await driven.crash()
    record = await driven.done()
    assert record.status == "failed"
    assert "failed to reset: the wood is rotten" in record.error
    assert is_identical(store, driven)


async def _broken_reset(self: Box) -> Any:
    raise RuntimeError("the wood is rotten")


async def test_a_fork_goes_on_in_a_world_of_its_own(store: SqliteStore, box: type[Box]) -> None:
    driven = begin(store, task(), FOURTH)
    parent = await driven.done()
    at = [event.seq for event in driven.log() if event.kind == "tool.returned"][2]
    nodes = recorded_nodes(store, parent)
    fork = fork_run(store, parent.run_id, at, nodes=nodes, by="ann", policies={"*": "replay"})
    forked = Driven(store, fork, make_built(task()))
    record = await forked.done()
    assert (record.status, record.score) == ("finished", 1.0)
    # Three turns are repeated, the rest is the fork's own, whatever the policy of other tools.
    assert box.made[-1].carried_out == ["turn"] * 7 + ["open"]
    assert is_identical(store, forked)


async def test_the_plan_of_a_fork_says_how_its_world_comes_back_and_that_actions_are_live(
    store: SqliteStore, box: type[Box]
) -> None:
    driven = begin(store, task(), FOURTH)
    await driven.done()
    log = driven.log()
    at = [event.seq for event in log if event.kind == "tool.returned"][2]
    assert str(catch_up_of(log[: at + 1])) == "reset, then 3 actions repeated"
    planned = {one.policy for one in plan(log, at, {"*": "mock:no"}) if one.what != "model"}
    assert planned == {"live"}


async def test_an_action_that_a_fork_mocks_changes_no_world_and_is_not_repeated(
    store: SqliteStore, box: type[Box]
) -> None:
    driven = begin(store, task(), FOURTH)
    parent = await driven.done()
    at = [event.seq for event in driven.log() if event.kind == "tool.returned"][2]
    nodes = recorded_nodes(store, parent)
    policies = {"turn": "mock:The dial turns.", "open": "live"}
    fork = fork_run(store, parent.run_id, at, nodes=nodes, policies=policies)
    forked = Driven(store, fork, make_built(task()))
    record = await forked.done()
    log = forked.log()
    past = catch_up_of(log)
    assert record.score == 0.0
    assert past == CatchUp(None, 4)  # Three turns and the attempt to open.
    assert box.made[-1].dial == 3


def test_events_of_before_there_were_environments_mean_what_they_meant() -> None:
    plain = msgspec.to_builtins(RunCreated("t", "?"))
    assert "environment" not in plain
    assert msgspec.convert(plain, RunCreated) == RunCreated("t", "?")
