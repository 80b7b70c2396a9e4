"""The kind `terminal`: its shipped tasks, and reading others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import ClassVar

from aworld.environments.base import (
    Action,
    ActionSpec,
    Environment,
    EnvironmentKind,
    Observation,
    Oracle,
    Place,
    Support,
    Task,
)
from aworld.environments.terminal import format_v1, format_v2
from aworld.environments.terminal.environment import TerminalEnvironment
from aworld.environments.terminal.installed import has_python_package
from aworld.environments.terminal.spec import spec_of
from aworld.errors import ConfigurationError
from aworld.sandbox import probe_bubblewrap
from aworld.tools.builtin.shell import MOST_SECONDS

SUITE = "terminal"
_TASKS = Path(__file__).with_name("tasks")
_FORMATS = {format_v1.NAME: format_v1.read, format_v2.NAME: format_v2.read}


class TerminalKind(EnvironmentKind):
    """Tasks with a shell, checked by their own tests."""

    name: ClassVar[str] = "terminal"
    title: ClassVar[str] = "Terminal"
    description: ClassVar[str] = (
        "A shell in a sandbox; the state that it leaves is checked by the task's own tests. Reads "
        "Terminal-Bench's formats, 1 and 2."
    )

    def suites(self) -> Mapping[str, str]:
        """One, of our own."""
        return {SUITE: "20 tasks for a shell: logs, tables, archives, scripts to repair"}

    def tasks(self, suite: str) -> Iterable[Task]:
        """The shipped tasks, by name."""
        if suite != SUITE:
            raise ConfigurationError(f"The terminal has no suite {suite!r}, only {SUITE!r}.")
        return self._of_folders(sorted(_TASKS.iterdir()), SUITE)

    def read(self, path: Path) -> Iterable[Task]:
        """A task's folder, or a folder of them."""
        path = path.resolve()
        if not path.is_dir():
            raise ConfigurationError(f"{str(path)!r} is not a folder with tasks in it.")
        if any((path / name).is_file() for name in _FORMATS):
            return self._of_folders([path], path.parent.name)
        found = list(self._of_folders(sorted(path.iterdir()), path.name))
        if not found:
            raise ConfigurationError(
                f"{str(path)!r} has no folder with a task.toml or a task.yaml in it."
            )
        return found

    def make(self, task: Task, place: Place) -> Environment:
        """An episode."""
        return TerminalEnvironment(task, place)

    def action_specs(self, task: Task) -> Sequence[ActionSpec]:
        """`shell`."""
        return TerminalEnvironment.actions(task)

    def oracle(self, task: Task) -> Oracle | None:
        """The task's own solution script."""
        solution = spec_of(task).solution
        return ScriptOracle(Path(task.folder, solution)) if solution else None

    def support(self) -> Sequence[Support]:
        """What of the formats can be had here."""
        probe = probe_bubblewrap()
        pytest = has_python_package("pytest")
        return (
            Support("tasks", probe.way is not None, f"{probe.problem} {probe.cure}".strip()),
            Support(
                "tests with pytest", pytest, "" if pytest else "Install it: 'pip install pytest'."
            ),
            Support(
                "images of their own",
                False,
                "There is no Docker here: a plain base image is taken to be this machine, files "
                "and commands of the Dockerfile are carried out, anything else is named.",
            ),
            Support("several containers", False, "There is no Docker here."),
            Support("servers that the tests talk to", False, "Tests run after all has ended."),
        )

    def _of_folders(self, folders: Iterable[Path], suite: str) -> Iterator[Task]:
        for folder in folders:
            for name, read in _FORMATS.items():
                if (folder / name).is_file():
                    yield read(folder, suite)
                    break


class ScriptOracle(Oracle):
    """Runs a solution's script in the agent's own shell."""

    def __init__(self, script: Path) -> None:
        self._script = script

    async def solve(self, environment: Environment, first: Observation) -> str:
        """Write the script down and run it; there is no answer in words."""
        text = self._script.read_text(encoding="utf-8")
        mark = "END_OF_THE_SOLUTION"
        command = f"cat > /tmp/solve.sh <<'{mark}'\n{text}\n{mark}\nbash /tmp/solve.sh"
        arguments = {"command": command, "timeout_s": MOST_SECONDS}
        await environment.step(Action("shell", arguments))
        return ""


KIND = TerminalKind()
