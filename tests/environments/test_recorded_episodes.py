"""One episode in each environment with the scripted model: recorded, scored, replayed identical."""

from __future__ import annotations

from itertools import chain, islice
from typing import Any

import pytest

from aworld.agents.nodes import recorded_nodes
from aworld.environments import registry
from aworld.environments.base import Task
from aworld.environments.known_solutions import Attempt, as_script
from aworld.environments.record import environment_of
from aworld.llm.base import Completion, ModelRequest
from aworld.llm.scripted import ScriptedModel
from aworld.runtime.launch import create_run
from aworld.runtime.replay import replay
from aworld.storage.sqlite import SqliteStore
from tests.environments.conftest import Solve
from tests.runtime.driven import Driven
from tests.teams import build, run_team

ALONE: dict[str, Any] = {
    "name": "alone",
    "topology": "single",
    "agents": [{"name": "solver", "role": "solver", "model": "m", "tools": []}],
    "limits": {"steps": None},
}


async def example(environment: str, solve: Solve) -> tuple[Task, Attempt]:
    """The first graded task of a kind whose known solution acts, where anything can be done."""
    kind = registry.kind(environment)
    tasks = chain.from_iterable(kind.tasks(suite) for suite in kind.suites())
    for task in tasks:
        if task.graded and kind.oracle(task) is not None:
            solved = await solve(task)
            if solved.actions or solved.error or not kind.action_specs(task):
                return task, solved
    raise AssertionError(f"No graded task of {environment} has a known solution.")


def first_tasks(environment: str) -> list[Task]:
    """The first task of each suite."""
    kind = registry.kind(environment)
    return [task for suite in kind.suites() for task in islice(kind.tasks(suite), 1)]


@pytest.mark.parametrize("environment", list(registry.kinds()))
async def test_an_episode_is_recorded_scored_and_replayed_identical(
    environment: str, store: SqliteStore, solve: Solve
) -> None:
    task, solved = await example(environment, solve)
    assert solved.error == ""
    record, log = await run_team(store, ALONE, as_script(solved), task.question, task=task)
    assert (record.status, record.error, record.score) == ("finished", "", 1.0)
    carried_out = [event for event in log if event.kind == "tool.returned"]
    assert len(carried_out) == len(solved.actions)
    report = replay(record.run_id, log, recorded_nodes(store, record))
    assert report.identical, str(report.difference)


@pytest.mark.long
@pytest.mark.parametrize("environment", list(registry.kinds()))
async def test_a_world_comes_back_as_it_was_when_its_worker_vanishes(
    environment: str, store: SqliteStore, solve: Solve
) -> None:
    if not any(registry.kind(environment).action_specs(task) for task in first_tasks(environment)):
        pytest.skip(f"Nothing is acted on in {environment}.")
    task, solved = await example(environment, solve)
    replies = as_script(solved)

    def next_move(request: ModelRequest) -> Completion:
        return replies[sum(message.role == "tool" for message in request.messages)]

    model = ScriptedModel([next_move], repeat_last=True)
    half = {"when": "after", "kinds": ["tool.returned"], "from_hit": (len(replies) + 1) // 2}
    record = create_run(
        store,
        team={**ALONE, "breakpoints": [{"id": "half", "once": True, **half}]},
        input=task.question,
        source="script",
        worker="w",
        lease_ttl_s=3600,
        environment=environment_of(task),
    )
    driven = Driven(store, record, lambda _: build(ALONE, model, task=task)[1])
    await driven.held()
    await driven.crash()
    record = await driven.done()
    raised = [event.payload for event in driven.log() if event.kind == "error.raised"]
    assert raised == []
    assert (record.status, record.score) == ("finished", 1.0)
