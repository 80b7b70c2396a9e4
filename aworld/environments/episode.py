"""One episode, from reset to verdict: stage time-outs, the task's limits, one action at a time.

Runs, people who act by hand and known solutions all go through this class. What an environment
does wrong becomes an `EnvironmentFault`, and a world that broke once takes nothing more.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import shutil
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Literal, NamedTuple, TypeVar

import msgspec

from aworld.environments.base import Action, Environment, Observation, Place, Task, Verdict
from aworld.environments.registry import kind as find_kind
from aworld.errors import EnvironmentFault, ToolError
from aworld.tools.failures import ToolRefused
from aworld.tools.open_things import close_all

MOST_CHARACTERS = 60_000
"""Length of an observation's text; what goes beyond is cut, and the text says so."""
SNAPSHOT_EVERY = 5
"""Actions from one snapshot to the next, where the environment offers any."""
WORDS_LEFT = "Give your final answer now."

Stage = Literal["reset", "observe", "step", "verify", "close"]
T = TypeVar("T")

_log = logging.getLogger(__name__)


class Step(NamedTuple):
    """What came of one action."""

    observation: Observation
    snapshot: bytes | None
    """The whole world after it, now and then, where the environment offers snapshots."""


class Episode:
    """One environment doing one task. Use it on one event loop; `close` it at the end."""

    def __init__(
        self, task: Task, place: Place, *, running_s: Callable[[], float] = time.monotonic
    ) -> None:
        """`running_s` is the clock of contest time, in seconds; it may stand while a run is paused.

        Raises:
            ConfigurationError: there is no such kind of environment.
            EnvironmentFault: its kind could not make it.
        """
        kind = find_kind(task.environment)
        self.task = task
        self.place = place
        self.steps = 0
        """Actions carried out, or tried."""
        self.done = False
        """The world accepts no further action."""
        self.fault: EnvironmentFault | None = None
        """What broke the world."""
        self.began_s = running_s()
        """When contest time began, on `running_s`."""
        self._running_s = running_s
        self._turn = asyncio.Lock()
        self._closed = False
        try:
            self.environment = kind.make(task, place)
        except Exception as error:
            raise EnvironmentFault(f"{self._what} could not be made: {_said(error)}") from error
        # Whoever watches the actions of a known solution puts itself in the method's place.
        self._step = self.environment.step
        self._limits = self.environment.limits

    async def reset(self) -> Observation:
        """Make the world as the task wants it, its files laid out in the workspace.

        Raises:
            EnvironmentFault: it cannot be made.
        """
        async with self._turn:
            await asyncio.to_thread(self._lay_out)
            seen = await self._stage("reset", self._limits.reset_s, self.environment.reset())
            self.began_s = self._running_s()
            return self._seen(seen)

    async def restore(self, snapshot: bytes) -> Observation:
        """Bring back a snapshot, in place of `reset`.

        Raises:
            EnvironmentFault: it cannot be brought back.
        """
        async with self._turn:
            await asyncio.to_thread(self._lay_out)
            work = self.environment.restore(snapshot)
            return self._seen(await self._stage("reset", self._limits.reset_s, work))

    async def observe(self) -> Observation:
        """Look, changing nothing.

        Raises:
            EnvironmentFault: the world broke.
        """
        async with self._turn:
            self._must_be_whole()
            work = self.environment.observe()
            return self._seen(await self._stage("observe", self._limits.observe_s, work))

    async def step(self, action: Action) -> Observation:
        """Carry out one action, after those that wait already.

        Raises:
            ToolRefused: the task allows no further action; the text says why.
            ToolError: it cannot be done; the text goes to the model.
            EnvironmentFault: the world broke.
        """
        return (await self.carry_out(action)).observation

    async def carry_out(self, action: Action) -> Step:
        """As `step`, with a snapshot where one is due."""
        async with self._turn:
            self._must_be_whole()
            self._must_be_allowed()
            self.steps += 1
            work = self._step(action)
            seen = self._seen(await self._stage("step", self._limits.step_s, work))
            due = self.steps % SNAPSHOT_EVERY == 0 and offers_snapshots(self.environment)
            return Step(seen, await self._snapshot() if due else None)

    async def verify(self, answer: str) -> Verdict:
        """The environment's judgement.

        Raises:
            EnvironmentFault: it could not judge: no verdict on the team.
        """
        async with self._turn:
            self._must_be_whole()
            work = self.environment.verify(answer)
            verdict = await self._stage("verify", self._limits.verify_s, work)
            score = verdict.score
            if score is not None and not 0.0 <= score <= 1.0:
                raise self._break("verify", f"its score is {score!r}, which is not within 0 to 1")
            if not _plain(verdict.details):
                raise self._break("verify", "its details are no JSON")
            return verdict

    async def close(self) -> None:
        """End everything it started, and what tools keep going for its workspace."""
        if self._closed:
            return
        self._closed = True
        try:
            await self._stage("close", self._limits.close_s, self.environment.close())
        except EnvironmentFault as fault:
            _log.warning("%s", fault)
        await close_all(str(self.place.workspace))

    # -- what is allowed -------------------------------------------------------------------------

    def _must_be_whole(self) -> None:
        if self.fault is not None:
            raise self.fault
        if self._closed:
            raise EnvironmentFault(f"{self._what} is closed. Reset it first.")

    def _must_be_allowed(self) -> None:
        task, spent = self.task, self._running_s() - self.began_s
        if self.done:
            raise ToolRefused(f"The task is over: its world accepts no action. {WORDS_LEFT}")
        if task.max_steps is not None and self.steps >= task.max_steps:
            raise ToolRefused(
                f"The task allows {task.max_steps} actions and all are used. {WORDS_LEFT}"
            )
        if task.seconds is not None and spent >= task.seconds:
            raise ToolRefused(f"The task's {task.seconds:g} s are over. {WORDS_LEFT}")

    # -- the environment's side ------------------------------------------------------------------

    async def _stage(self, stage: Stage, limit_s: float, work: Awaitable[T]) -> T:
        limiter = asyncio.timeout(limit_s)
        try:
            async with limiter:
                return await work
        except EnvironmentFault as fault:
            raise self._break(stage, str(fault)) from fault
        except ToolError as error:
            if stage == "step":
                raise
            raise self._break(stage, str(error)) from error
        except asyncio.CancelledError as error:
            current = asyncio.current_task()
            if current is None or current.cancelling():
                raise
            raise self._break(stage, "it was cancelled from within") from error
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # An environment's sys.exit() must not end the worker.
            if isinstance(error, TimeoutError) and limiter.expired():
                raise self._break(stage, f"it took longer than {limit_s:g} s") from None
            raise self._break(stage, _said(error)) from error

    def _break(self, stage: Stage, why: str) -> EnvironmentFault:
        fault = EnvironmentFault(f"{self._what} failed to {stage}: {why.rstrip('.')}.")
        if stage != "close":
            self.fault = fault
        return fault

    @property
    def _what(self) -> str:
        task = self.task
        return f"The environment {task.environment!r} of task '{task.suite}/{task.id}'"

    def _seen(self, observation: Observation) -> Observation:
        """The observation as a log can keep it."""
        self.done = observation.done
        if not _plain(observation.data):
            raise self._break("observe", "its observation's data are no JSON")
        text = observation.text.encode("utf-8", "replace").decode()
        if len(text) > MOST_CHARACTERS:
            note = f"\n… cut: {MOST_CHARACTERS} of {len(text)} characters are shown."
            stable = observation.stable if observation.stable is not None else text
            return msgspec.structs.replace(
                observation, text=text[:MOST_CHARACTERS] + note, stable=stable
            )
        return observation if text == observation.text else _with_text(observation, text)

    async def _snapshot(self) -> bytes | None:
        try:
            async with asyncio.timeout(self._limits.step_s):
                return await self.environment.snapshot()
        except Exception as error:  # Without one the actions are repeated, which is slower.
            _log.warning("%s gave no snapshot: %s", self._what, _said(error))
            return None

    def _lay_out(self) -> None:
        """The folders, and the task's files in the workspace."""
        self.place.private.mkdir(parents=True, exist_ok=True)
        self.place.workspace.mkdir(parents=True, exist_ok=True)
        folder = Path(self.task.folder).resolve()
        for name in self.task.files:
            source = (folder / name).resolve()
            target = self.place.workspace / name
            if not source.is_relative_to(folder) or ".." in Path(name).parts:
                raise self._break("reset", f"its file {name!r} lies outside its folder")
            if not source.is_file():
                raise self._break("reset", f"its file {name!r} is missing in {str(folder)!r}")
            self._lay(source, target)

    def _lay(self, source: Path, target: Path) -> None:
        """Copy one file. What ran in the workspace before may have left links out of it."""
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.parent.resolve().is_relative_to(self.place.workspace.resolve()):
            raise self._break("reset", f"{str(target.parent)!r} leads out of the workspace")
        target.unlink(missing_ok=True)
        shutil.copyfile(source, target)


def observation_hash(observation: Observation) -> str:
    """sha256 of what two runs of the same actions must share."""
    same = observation.stable if observation.stable is not None else observation.text
    return hashlib.sha256(same.encode("utf-8", "replace")).hexdigest()


def offers_snapshots(environment: Environment) -> bool:
    """Whether its kind has snapshots at all."""
    return type(environment).snapshot is not Environment.snapshot


def _with_text(observation: Observation, text: str) -> Observation:
    return msgspec.structs.replace(observation, text=text)


def _plain(data: object) -> bool:
    try:
        msgspec.msgpack.encode(data)
    except (OverflowError, UnicodeEncodeError, RecursionError, TypeError):
        return False
    return True


def _said(error: BaseException) -> str:
    return str(error) or type(error).__name__
