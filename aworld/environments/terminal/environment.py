"""One episode in a terminal."""

from __future__ import annotations

import asyncio
import shlex
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from aworld.environments.base import (
    Action,
    ActionSpec,
    Environment,
    Observation,
    Place,
    StageLimits,
    Task,
    Verdict,
)
from aworld.environments.terminal.grading import Grading
from aworld.environments.terminal.saved_world import ShellState, load, save
from aworld.environments.terminal.spec import spec_of
from aworld.environments.terminal.world import World
from aworld.errors import EnvironmentFault, SandboxError, ToolError
from aworld.sandbox import Sandbox, open_sandbox
from aworld.tools.builtin.shell import COMMAND_SCHEMA, MOST_SECONDS, SECONDS, as_data, as_result
from aworld.tools.shell.output import HEAD
from aworld.tools.shell.session import ShellSession

_MOST_LISTED = 200
# Without what belongs to the session itself.
_STATE = "jobs -p | head -c1; printf '\\n'; (unset __word __command; declare -p; declare -f)"


class TerminalEnvironment(Environment):
    """A shell in the task's folder; what counts is the state that it leaves."""

    limits: ClassVar[StageLimits] = StageLimits(
        reset_s=900.0, step_s=MOST_SECONDS + 30.0, verify_s=3600.0
    )

    def __init__(self, task: Task, place: Place) -> None:
        super().__init__(task, place)
        self._world: World | None = None
        self._shell: ShellSession | None = None
        self._sandbox: Sandbox | None = None
        self._folder = ""

    @classmethod
    def actions(cls, task: Task) -> Sequence[ActionSpec]:
        """`shell`."""
        return (
            ActionSpec(
                "shell",
                "Run a command in a persistent bash session in the task's machine. The current "
                "folder and variables stay; nothing can be typed into a program.",
                COMMAND_SCHEMA,
            ),
        )

    async def reset(self) -> Observation:
        """Make the task's folder and open the shell."""
        world, sandbox = self._open()
        await world.build(sandbox)
        self._shell = ShellSession(
            sandbox, self.place.workspace, limits=world.limits, around=world.around()
        )
        self._folder = world.folder
        return await self.observe()

    async def observe(self) -> Observation:
        """The current folder, and the files of the task."""
        world, _ = self._open()
        listed = await asyncio.to_thread(_listing, world)
        text = f"A bash shell is open in {self._folder or world.folder}.\n{listed}"
        return Observation(text, data={"folder": self._folder})

    async def step(self, action: Action) -> Observation:
        """Run a command."""
        if action.name != "shell" or not isinstance(action.arguments.get("command"), str):
            raise ToolError("The only action is 'shell', with a 'command'. Call it again.")
        if self._shell is None:
            raise EnvironmentFault("The terminal is not open. Reset it first.")
        seconds = float(action.arguments.get("timeout_s", SECONDS))
        try:
            finished = await self._shell.execute(
                action.arguments["command"], min(seconds, MOST_SECONDS)
            )
        except SandboxError as error:
            raise ToolError(str(error)) from error
        world, _ = self._open()
        self._folder = world.folder if finished.lost else finished.folder or self._folder
        result = as_result(finished)
        return Observation(result.text, data=as_data(finished))

    async def verify(self, answer: str) -> Verdict:
        """End everything that the agent started, then run the tests elsewhere."""
        world, sandbox = self._open()
        await self.close()
        try:
            return await Grading(world, sandbox).verdict()
        except SandboxError as error:
            return Verdict(0.0, f"The tests could not be run: {error}")

    async def close(self) -> None:
        """End the shell."""
        shell, self._shell = self._shell, None
        if shell is not None:
            await shell.close()

    async def snapshot(self) -> bytes | None:
        """The files, and the shell's folder and variables; None while something runs in the
        background, or where the files are too many."""
        if self._shell is None:
            return None
        told = await self._shell.execute(_STATE, SECONDS)
        running, _, variables = told.output.partition("\n")
        if running.strip() or told.lost or told.total_bytes > HEAD:
            return None
        state = ShellState(self._folder, variables)
        world, _ = self._open()
        return await asyncio.to_thread(save, _folders(world), state)

    async def restore(self, snapshot: bytes) -> Observation:
        """Bring files, folder and variables back."""
        world, sandbox = self._open()
        await asyncio.to_thread(_empty, world)
        state = await asyncio.to_thread(load, snapshot, _folders(world))
        self._shell = ShellSession(
            sandbox, self.place.workspace, limits=world.limits, around=world.around()
        )
        # Some of bash's own variables cannot be set; they are right already.
        back = f"eval {shlex.quote(state.variables)} 2>/dev/null; cd {shlex.quote(state.folder)}"
        told = await self._shell.execute(back, SECONDS)
        self._folder = told.folder
        return await self.observe()

    def _open(self) -> tuple[World, Sandbox]:
        """The world and its sandbox, which stay the same.

        Raises:
            EnvironmentFault: this machine cannot have them.
        """
        if self._world is None or self._sandbox is None:
            unsupported = spec_of(self.task).unsupported
            if unsupported:
                raise EnvironmentFault(
                    f"The task {self.task.id!r} cannot be done here: {'; '.join(unsupported)}."
                )
            try:
                self._sandbox = open_sandbox()
                self._world = World(self.task, self.place)
            except (SandboxError, OSError) as error:
                raise EnvironmentFault(str(error)) from error
            if not self._sandbox.isolated:
                raise EnvironmentFault("The terminal needs a real sandbox: install bubblewrap.")
        return self._world, self._sandbox


def _listing(world: World) -> str:
    """The files at the top of the task's folders."""
    lines = []
    for mount in reversed(world.mounts()):
        names = sorted(
            path.name + "/" * (path.is_dir() and not path.is_symlink())
            for path in _listed(Path(mount.source))
        )
        more = f" … and {len(names) - _MOST_LISTED} more" if len(names) > _MOST_LISTED else ""
        lines.append(f"{mount.target}: {' '.join(names[:_MOST_LISTED]) or '(empty)'}{more}")
    return "\n".join(lines)


def _listed(place: Path) -> list[Path]:
    """What a mounted folder holds; a file is named alone."""
    return list(place.iterdir()) if place.is_dir() else [place]


def _folders(world: World) -> dict[str, Path]:
    """The task's own folder and what lies outside it, by their names in a snapshot."""
    return {"files": world.place.workspace, "outside": world.outside}


def _empty(world: World) -> None:
    for folder in _folders(world).values():
        folder.mkdir(parents=True, exist_ok=True)
        for path in folder.iterdir():
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink()
