"""Every graded task that ships: its known solution scores 1.0, and doing nothing 0.0.

Suites join by themselves. The quick run takes some tasks of each; `long` takes all.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from itertools import islice

import pytest

from aworld.environments import registry
from aworld.environments.base import Task
from aworld.environments.known_solutions import Attempt, attempt_nothing
from tests.environments.conftest import Solve

SUITES = [(environment, suite) for environment, suite, _ in registry.suites()]
QUICK = {"osworld": 1, "web": 1, "terminal": 1}
"""Tasks of a suite in the quick run, where one takes seconds; else three."""
AT_ONCE = 2


def graded(environment: str, suite: str, most: int | None = None) -> list[Task]:
    """Graded tasks that have a known solution."""
    kind = registry.kind(environment)
    solved = (t for t in kind.tasks(suite) if t.graded and kind.oracle(t) is not None)
    return list(islice(solved, most))


async def unsound(
    does: Callable[[Task], Awaitable[Attempt]], tasks: Iterable[Task], wanted: float
) -> list[str]:
    """What did not score as it must, each with its reason; on one loop, so that a kind that shares
    a browser between its episodes can."""
    room = asyncio.Semaphore(AT_ONCE)

    async def one(task: Task) -> Attempt:
        async with room:
            return await does(task)

    attempts = await asyncio.gather(*map(one, tasks))
    return [
        f"{attempt.task}: {attempt.score} {attempt.error or attempt.why}"
        for attempt in attempts
        if not attempt.is_sound(wanted)
    ]


async def prove(solve: Solve, tasks: Sequence[Task]) -> None:
    assert await unsound(solve, tasks, 1.0) == []
    assert await unsound(attempt_nothing, tasks, 0.0) == []


@pytest.mark.parametrize(("environment", "suite"), SUITES)
async def test_some_tasks_score_one_by_their_known_solution_and_zero_by_nothing(
    environment: str, suite: str, solve: Solve
) -> None:
    tasks = graded(environment, suite, QUICK.get(environment, 3))
    if not tasks:
        pytest.skip(f"No graded task of {suite} has a known solution.")
    await prove(solve, tasks)


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(("environment", "suite"), SUITES)
async def test_all_tasks_score_one_by_their_known_solution_and_zero_by_nothing(
    environment: str, suite: str, solve: Solve
) -> None:
    tasks = graded(environment, suite)
    if not tasks:
        pytest.skip(f"No graded task of {suite} has a known solution.")
    await prove(solve, tasks)


@pytest.mark.parametrize(("environment", "suite"), SUITES)
def test_tasks_come_in_the_same_order_and_their_ids_differ(environment: str, suite: str) -> None:
    kind = registry.kind(environment)
    first = [task.id for task in islice(kind.tasks(suite), 500)]
    assert first == [task.id for task in islice(kind.tasks(suite), 500)]
    assert len(set(first)) == len(first) > 0
