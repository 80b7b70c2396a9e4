"""Episodes that a person drives, for the page of an environment: reset, act, look, judge, close.

A world belongs to the event loop that made it, so all of them live on one loop in a thread of its
own, and the methods here may be called from any other thread. Nothing of it is a run: the journal
is kept while the episode is open.
"""

from __future__ import annotations

import asyncio
import shutil
import time
import uuid
from pathlib import Path

import msgspec

from aworld.environments.action_tool import specs_of
from aworld.environments.base import Action, ActionSpec, Observation, Place, Task, Verdict
from aworld.environments.episode import Episode
from aworld.environments.record import reference_of
from aworld.errors import ConfigurationError
from aworld.events.action import EnvironmentReset, EnvironmentStepped, EnvironmentVerified
from aworld.tools.failures import MalformedCall
from aworld.tools.json_schema import first_problem
from aworld.tools.own_loop import OwnLoop

IDLE_S = 900.0
"""Seconds of silence after which an episode is closed."""
MOST_OPEN = 4
"""Episodes that may be open at once: each may hold a browser or a desktop."""

Entry = EnvironmentReset | EnvironmentStepped | EnvironmentVerified


class HandView(msgspec.Struct, frozen=True):
    """What a person sees of an episode."""

    id: str
    task: str
    """`suite/id`."""
    environment: str
    question: str
    by: str
    actions: tuple[ActionSpec, ...]
    observation: Observation
    """The newest."""
    steps: int
    verdict: Verdict | None
    """The newest; None before anything was handed in."""
    journal: tuple[Entry, ...]
    """What was done, in order."""
    idle_s: float
    """Seconds since it was last used."""
    idle_limit_s: float
    """After so many it is closed."""


class _Open:
    """One episode that is open."""

    def __init__(self, id: str, task: Task, by: str, folder: Path, idle_limit_s: float) -> None:
        self.idle_limit_s = idle_limit_s
        self.id = id
        self.task = task
        self.by = by
        self.folder = folder
        self.specs = specs_of(task)
        self.episode = Episode(task, Place(folder / "workspace", folder / "private", run_id=id))
        self.journal: list[Entry] = [EnvironmentReset(task.environment, reference_of(task))]
        self.observation = Observation("")
        self.verdict: Verdict | None = None
        self.busy = 0
        self.used_at = time.monotonic()

    def view(self) -> HandView:
        return HandView(
            id=self.id,
            task=reference_of(self.task),
            environment=self.task.environment,
            question=self.task.question,
            by=self.by,
            actions=tuple(self.specs.values()),
            observation=self.observation,
            steps=self.episode.steps,
            verdict=self.verdict,
            journal=tuple(self.journal),
            idle_s=0.0 if self.busy else time.monotonic() - self.used_at,
            idle_limit_s=self.idle_limit_s,
        )


class HandSessions:
    """The episodes that people drive in this process. Thread-safe; `shut_down` ends them all."""

    def __init__(self, folder: Path, *, idle_s: float = IDLE_S, most: int = MOST_OPEN) -> None:
        """`folder` is where their workspaces are made, and removed again."""
        self._folder = folder
        self._idle_s = idle_s
        self._most = most
        self._open: dict[str, _Open] = {}
        self._opening = 0
        self._loop = OwnLoop("by-hand", tidy=self._end_idle, every_s=idle_s / 10, end=self._end_all)

    def open(self, task: Task, *, by: str = "") -> HandView:
        """Make a task's world and look at it.

        Raises:
            ConfigurationError: too many are open, or there is no such environment.
            EnvironmentFault: the world could not be made.
        """
        return self._loop.wait(self._begin(task, by))

    def reset(self, id: str) -> HandView:
        """Begin the same task anew, in a fresh world and under the same id.

        Raises:
            ConfigurationError: no such episode is open.
            EnvironmentFault: the world could not be made.
        """
        return self._loop.wait(self._again(id))

    def step(self, id: str, action: Action) -> HandView:
        """Act.

        Raises:
            ConfigurationError: no such episode is open, or it has no such action.
            ToolError: it cannot be done, is refused, or its arguments do not fit.
            EnvironmentFault: the world broke.
        """
        return self._loop.wait(self._act(id, action))

    def observe(self, id: str) -> HandView:
        """Look. Raises as `step` does."""
        return self._loop.wait(self._look(id))

    def verify(self, id: str, answer: str) -> HandView:
        """Hand in an answer; one may act on and hand in again. Raises as `step` does."""
        return self._loop.wait(self._judge(id, answer))

    def close(self, id: str) -> None:
        """End one; nothing happens where it is closed already."""
        self._loop.wait(self._end(id))

    def views(self) -> list[HandView]:
        """Those that are open, oldest first."""
        return [one.view() for one in list(self._open.values())]

    def shut_down(self) -> None:
        """End them all, and the thread."""
        self._loop.shut_down()

    # -- on the loop -----------------------------------------------------------------------------

    async def _begin(self, task: Task, by: str) -> HandView:
        if len(self._open) + self._opening >= self._most:
            raise ConfigurationError(
                f"{self._most} episodes are open already, each with a world of its own. Close one "
                "first."
            )
        self._opening += 1
        try:
            return await self._make(uuid.uuid4().hex, task, by)
        finally:
            self._opening -= 1

    async def _make(self, id: str, task: Task, by: str) -> HandView:
        one = _Open(id, task, by, self._folder / id, self._idle_s)
        try:
            one.observation = await one.episode.reset()
        except BaseException:
            await _finish(one)
            raise
        one.used_at = time.monotonic()
        self._open[id] = one
        return one.view()

    async def _again(self, id: str) -> HandView:
        with self._using(id) as one:
            pass
        await self._end(id)
        return await self._make(id, one.task, one.by)

    async def _act(self, id: str, action: Action) -> HandView:
        with self._using(id) as one:
            spec = one.specs.get(action.name)
            if spec is None:
                known = ", ".join(one.specs) or "none"
                raise ConfigurationError(
                    f"There is no action {action.name!r} in this task. Actions are: {known}."
                )
            problem = first_problem(spec.parameters, dict(action.arguments))
            if problem is not None:
                raise MalformedCall(f"The action {action.name!r} does not fit: {problem}.")
            one.observation = await one.episode.step(action)
            one.journal.append(EnvironmentStepped(msgspec.to_builtins(action)))
            return one.view()

    async def _look(self, id: str) -> HandView:
        with self._using(id) as one:
            one.observation = await one.episode.observe()
            return one.view()

    async def _judge(self, id: str, answer: str) -> HandView:
        with self._using(id) as one:
            verdict = one.verdict = await one.episode.verify(answer)
            one.journal.append(
                EnvironmentVerified(verdict.score, verdict.why, verdict.details, verdict.near_miss)
            )
            return one.view()

    async def _end(self, id: str) -> None:
        one = self._open.pop(id, None)
        if one is not None:
            await _finish(one)

    async def _end_all(self) -> None:
        await asyncio.gather(*(self._end(id) for id in list(self._open)))

    async def _end_idle(self) -> None:
        """Close what nobody has used for long."""
        long_ago = time.monotonic() - self._idle_s
        for one in list(self._open.values()):
            if not one.busy and one.used_at < long_ago:
                await self._end(one.id)

    def _using(self, id: str) -> _Use:
        one = self._open.get(id)
        if one is None:
            raise ConfigurationError(
                f"No episode {id!r} is open: it was closed, perhaps after "
                f"{self._idle_s / 60:g} minutes without a word. Begin the task again."
            )
        return _Use(one)


class _Use:
    """Keeps an episode from being closed as idle while something is done to it."""

    def __init__(self, one: _Open) -> None:
        self._one = one

    def __enter__(self) -> _Open:
        self._one.busy += 1
        return self._one

    def __exit__(self, *_: object) -> None:
        self._one.busy -= 1
        self._one.used_at = time.monotonic()


async def _finish(one: _Open) -> None:
    await one.episode.close()
    await asyncio.to_thread(shutil.rmtree, one.folder, ignore_errors=True)
