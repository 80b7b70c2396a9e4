"""The kind of environments that have a desktop: OSWorld's tasks, and our own in its format."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

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

SUITE = "desktop"
_TASKS = Path(__file__).parent / "tasks"


class DesktopKind(EnvironmentKind):
    """Desktops in the sandbox."""

    name = "osworld"
    title = "Desktop"
    description = (
        "A desktop with windows, a mouse and a keyboard in the sandbox; tasks in OSWorld's format."
    )

    def suites(self) -> Mapping[str, str]:
        """The shipped suite."""
        return {SUITE: "Files, text editor, spreadsheet and browser on a small desktop"}

    def tasks(self, suite: str) -> Iterable[Task]:
        """The shipped tasks, by their file's name."""
        if suite != SUITE:
            raise ConfigurationError(f"The desktop has no suite {suite!r}. Known: {SUITE}.")
        return _shipped()

    def read(self, path: Path) -> Iterable[Task]:
        """Tasks of OSWorld: a file, an index such as `test_small.json`, or a folder."""
        from aworld.environments.desktop import task_format

        return list(task_format.read_all(path, path.stem if path.is_file() else path.name))

    def make(self, task: Task, place: Place) -> Environment:
        """An episode."""
        from aworld.environments.desktop.environment import DesktopEnvironment

        return DesktopEnvironment(task, place)

    def action_specs(self, task: Task) -> Sequence[ActionSpec]:
        """Mouse and keyboard."""
        from aworld.environments.desktop import offered

        return offered.specs(task)

    def oracle(self, task: Task) -> Oracle | None:
        """The solution of a shipped task."""
        from aworld.environments.desktop import oracles

        return oracles.oracle_of(task) if task.suite == SUITE else None

    def support(self) -> Sequence[Support]:
        """The desktop's programs, applications, and what only a virtual machine has."""
        from aworld.environments.desktop import support

        return support.of_this_machine()


@functools.cache
def _shipped() -> tuple[Task, ...]:
    from aworld.environments.desktop import task_format

    return tuple(task_format.read_all(_TASKS, SUITE))


KIND = DesktopKind()
