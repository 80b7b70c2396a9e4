"""The kind of environment `gaia`: its own tasks, and anyone's copy of the data set."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import ClassVar

from aworld.environments.base import (
    ActionSpec,
    Environment,
    EnvironmentKind,
    Oracle,
    Place,
    Support,
    Task,
)
from aworld.errors import ConfigurationError

OWN = "gaia-own"
_FOLDER = Path(__file__).parent / "own_tasks"


class GaiaKind(EnvironmentKind):
    """Questions in GAIA's format."""

    name: ClassVar[str] = "gaia"
    title: ClassVar[str] = "GAIA"
    description: ClassVar[str] = (
        "Questions with one exact answer, many with a file, judged by the official rules"
    )

    def suites(self) -> Mapping[str, str]:
        """Our own tasks; the data set itself is gated and must not be passed on."""
        return {OWN: "Our own tasks in GAIA's format, 10 a level, solvable offline"}

    def tasks(self, suite: str) -> Iterable[Task]:
        """The tasks of our own suite, by level."""
        if suite != OWN:
            raise ConfigurationError(f"GAIA has no suite {suite!r} here. Known: {OWN}.")
        return _own_tasks()

    def read(self, path: Path) -> Iterable[Task]:
        """The tasks of a folder in either layout: a split, or the data set's root."""
        from aworld.environments.gaia.reading import read_tasks

        return list(read_tasks(path))

    def make(self, task: Task, place: Place) -> Environment:
        """An episode of a task."""
        from aworld.environments.gaia.environment import GaiaEnvironment

        return GaiaEnvironment(task, place)

    def action_specs(self, task: Task) -> Sequence[ActionSpec]:
        """None: a question is answered with the team's own tools."""
        return ()

    def oracle(self, task: Task) -> Oracle | None:
        """The annotated answer, where it is known."""
        from aworld.environments.gaia.environment import KnownAnswer

        return KnownAnswer() if task.graded else None

    def support(self) -> Sequence[Support]:
        """What of the format works."""
        return (
            Support("metadata.jsonl, levels as numbers", True),
            Support("metadata.parquet and metadata.level*.parquet, levels as text", True),
            Support("attachments by file_path, file_name or task id", True),
        )


@functools.cache
def _own_tasks() -> tuple[Task, ...]:
    from aworld.environments.gaia.reading import read_tasks

    return tuple(read_tasks(_FOLDER, OWN))


KIND = GaiaKind()
