"""One episode in each environment with the scripted model: recorded, scored, replayed identical."""

from __future__ import annotations

from itertools import chain
from typing import Any

import pytest

from aworld.agents.nodes import recorded_nodes
from aworld.environments import registry
from aworld.environments.base import Task
from aworld.environments.known_solutions import Attempt, as_script
from aworld.runtime.replay import replay
from aworld.storage.sqlite import SqliteStore
from tests.environments.conftest import Solve
from tests.teams import run_team

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
