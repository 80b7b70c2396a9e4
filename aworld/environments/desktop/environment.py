"""One episode on a desktop."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

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
from aworld.environments.desktop import config_steps, offered, support
from aworld.environments.desktop.evaluation import FAIL, judge
from aworld.environments.desktop.scene import Scene
from aworld.environments.desktop.task_files import TaskFiles
from aworld.environments.desktop.task_format import parse
from aworld.errors import EnvironmentFault, ToolError
from aworld.tools.desktop.actions import spaces
from aworld.tools.desktop.session import DesktopSession
from aworld.tools.desktop.view import MODES, Mode, look


class DesktopEnvironment(Environment):
    """A desktop of its own: screen, windows, home folder. Both action spaces of OSWorld."""

    limits = StageLimits(reset_s=180, observe_s=60, step_s=120, verify_s=300, close_s=20)

    def __init__(self, task: Task, place: Place) -> None:
        super().__init__(task, place)
        self._format = parse(task.data, f"The task {task.id!r}")
        self._files = TaskFiles(task.folder, task.id)
        self._session: DesktopSession | None = None
        self._scene: Scene | None = None
        self._signal = ""
        mode = task.data.get("observation_type", "screenshot_a11y_tree")
        self._mode: Mode = mode if mode in MODES else "screenshot_a11y_tree"

    @classmethod
    def actions(cls, task: Task) -> Sequence[ActionSpec]:
        """Mouse and keyboard in the action space that the task names, or in both."""
        return offered.specs(task)

    async def reset(self) -> Observation:
        """Bring up the desktop and carry out the task's configuration."""
        lacking = support.missing_for(self._format)
        if lacking:
            raise EnvironmentFault(
                f"The task {self.task.id!r} cannot be run on this machine: {'; '.join(lacking)}."
            )
        await self.close()
        home = self.place.workspace
        home.mkdir(parents=True, exist_ok=True)
        self.place.private.mkdir(parents=True, exist_ok=True)
        width, height = self._format.screen
        self._session = await DesktopSession.start(
            home, self.place.private, width=width, height=height
        )
        self._signal = ""
        self._scene = Scene(
            self._session, self._format, self._files, self.place.private / "compared"
        )
        await config_steps.carry_out(self._format.config, self._scene)
        await self._session.settle(quiet_s=0.4, limit_s=5)
        return await self.observe()

    async def observe(self) -> Observation:
        """Look, changing nothing."""
        return await self._look()

    async def step(self, action: Action) -> Observation:
        """Carry out one action, wait until the picture stands still, and look."""
        session = self._running()
        if self._signal in spaces.ENDING:
            raise ToolError(f"The episode has ended with {self._signal}. No action is possible.")
        todo = spaces.pieces_of(action.name, action.arguments, session.width, session.height)
        if isinstance(todo, str):
            self._signal = todo
            if todo == "WAIT":
                await asyncio.sleep(spaces.WAIT_S)
            return await self._look(ended=todo in spaces.ENDING)
        self._signal = ""
        if todo:
            await session.input(todo)
            await session.settle()
        return await self._look()

    async def verify(self, answer: str) -> Verdict:
        """Judge. The answer counts only where it is the word FAIL, the same as the action."""
        if self._scene is None:
            raise EnvironmentFault(f"The task {self.task.id!r} was never reset.")
        said = FAIL if answer.strip().strip(".`*\"'").upper() == FAIL else self._signal
        return await judge(self._scene, said)

    async def close(self) -> None:
        """End the desktop with all its programs."""
        session, self._session = self._session, None
        self._scene = None
        if session is not None:
            await session.close()

    async def _look(self, *, ended: bool = False) -> Observation:
        seen = await look(self._running(), self._mode)
        return Observation(seen.text, seen.data, seen.attachments, ended, seen.stable)

    def _running(self) -> DesktopSession:
        if self._session is None:
            raise EnvironmentFault(f"The desktop of {self.task.id!r} is not running.")
        return self._session
