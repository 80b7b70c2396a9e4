"""Fixtures of the environments' tests."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from aworld.environments import registry
from aworld.environments.base import Task
from aworld.environments.known_solutions import Attempt, attempt_solution
from aworld.environments.record import reference_of
from aworld.storage.sqlite import SqliteStore
from tests.environments.locked_box import Box, boxes
from tests.teams import sqlite


@pytest.fixture
def box() -> Iterator[type[Box]]:
    """Boxes are a kind of environment meanwhile."""
    with boxes() as kind:
        yield kind


Solve = Callable[[Task], Awaitable[Attempt]]


@pytest.fixture(scope="session")
def solve() -> Solve:
    """Does a task by its known solution, once a session; skips where this machine cannot."""
    done: dict[str, Attempt] = {}

    async def solution_of(task: Task) -> Attempt:
        for support in list(registry.kind(task.environment).support())[:1]:
            if not support.supported:
                pytest.skip(f"{support.name}: {support.why}")
        reference = reference_of(task)
        if reference not in done:
            done[reference] = await attempt_solution(task)
        return done[reference]

    return solution_of


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of its own."""
    monkeypatch.setenv("AWORLD_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def store(home: Path) -> Iterator[SqliteStore]:
    """The home's store."""
    opened = sqlite(home)
    yield opened
    opened.close()
