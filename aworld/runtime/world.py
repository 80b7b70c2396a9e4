"""The gate's side of a run's environment: one episode, made, or brought back, when first needed."""

from __future__ import annotations

import asyncio
import shutil
import uuid
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from aworld.environments.action_tool import EpisodeTool, specs_of
from aworld.environments.base import Action, Observation, Place, Task
from aworld.environments.episode import Episode, observation_hash
from aworld.environments.record import task_of
from aworld.errors import EnvironmentFault, NotFound, ToolError
from aworld.events.action import (
    EnvironmentFailed,
    EnvironmentObserved,
    EnvironmentReset,
    EnvironmentSubmitted,
    EnvironmentVerified,
    ToolCalled,
    ToolFailed,
    ToolReturned,
)
from aworld.events.run import ErrorRaised
from aworld.events.union import Event
from aworld.runtime.attachments import describe_all
from aworld.runtime.catching_up import Done, Past, past_of
from aworld.runtime.node import ENVIRONMENT
from aworld.runtime.recovery import read_log
from aworld.storage.base import RunRecord, Store
from aworld.tools.base import ToolContext
from aworld.tools.failures import reason_of
from aworld.tools.registry import call as call_tool

if TYPE_CHECKING:
    from aworld.runtime.supervisor import Supervisor

MISMATCH = "EnvironmentMismatch"
"""`error_type` of the `error.raised` that says that a world did not come back as it was."""


class Surroundings(NamedTuple):
    """What a world needs of its run."""

    put_blob: Callable[[bytes], str]
    get_blob: Callable[[str], bytes]
    read_log: Callable[[], list[Event]]
    """The run's log as far as it is in the store."""
    report: Callable[[ErrorRaised], None]
    running_s: Callable[[], float]


class World:
    """One run's environment. Made on the run's loop; `aclose` it when the run stops here."""

    def __init__(self, task: Task, place: Place, run: Surroundings) -> None:
        """Raises ConfigurationError where there is no such kind of environment."""
        self._task = task
        self._place = place
        self._run = run
        self._specs = specs_of(task)
        self._making = asyncio.Lock()
        self._episode: Episode | None = None
        self._fault: EnvironmentFault | None = None

    def acts(self, opened: Event) -> bool:
        """Whether a call is an action on this world, not a tool's."""
        return isinstance(opened.payload, ToolCalled) and ENVIRONMENT in opened.recipients

    async def begin_or_judge(
        self, opened: Event
    ) -> EnvironmentObserved | EnvironmentVerified | EnvironmentFailed:
        """What closes `environment.reset` or `environment.submitted`."""
        payload = opened.payload
        try:
            if isinstance(payload, EnvironmentReset):
                return await self._reset()
            assert isinstance(payload, EnvironmentSubmitted)
            episode = await self._ready(opened)
            verdict = await episode.verify(payload.answer)
        except EnvironmentFault as fault:
            stage = "reset" if isinstance(payload, EnvironmentReset) else "verify"
            return EnvironmentFailed(stage, str(fault))
        return EnvironmentVerified(verdict.score, verdict.why, verdict.details, verdict.near_miss)

    async def act(self, opened: Event, context: ToolContext) -> ToolReturned | ToolFailed:
        """Carry out an action."""
        called = opened.payload
        assert isinstance(called, ToolCalled)
        try:
            episode = await self._ready(opened)
        except EnvironmentFault as fault:
            return _broken(called, fault)
        tool = EpisodeTool(self._specs[called.tool], episode)
        try:
            result = await call_tool(tool, context, called.arguments)
        except ToolError as error:
            if episode.fault is not None:
                return _broken(called, episode.fault)
            return ToolFailed(called.tool, str(error), called.call_id, reason_of(error))
        step = tool.step
        assert step is not None
        attachments = await describe_all(result.attachments, self._run.put_blob)
        snapshot = ""
        if step.snapshot is not None:
            snapshot = await asyncio.to_thread(self._run.put_blob, step.snapshot)
        return ToolReturned(
            called.tool,
            result.text,
            result.data,
            called.call_id,
            tuple(attachments),
            observation_hash=observation_hash(step.observation),
            snapshot=snapshot,
        )

    async def aclose(self) -> None:
        """End the episode, and remove what it kept to itself."""
        episode, self._episode = self._episode, None
        if episode is not None:
            await episode.close()
        await asyncio.to_thread(shutil.rmtree, self._place.private, ignore_errors=True)

    # -- making the world ------------------------------------------------------------------------

    async def _reset(self) -> EnvironmentObserved:
        async with self._making:
            await asyncio.to_thread(self._clear_workspace)
            self._episode = Episode(self._task, self._place, running_s=self._run.running_s)
            observation = await self._episode.reset()
        attachments = await describe_all(observation.attachments, self._run.put_blob)
        told = {
            "text": observation.text,
            "data": observation.data,
            "attachments": attachments,
            "done": observation.done,
        }
        return EnvironmentObserved(told, observation_hash(observation))

    async def _ready(self, opened: Event) -> Episode:
        """The episode, brought back first where another worker, or a fork's parent, left it."""
        async with self._making:
            if self._fault is not None:
                raise self._fault
            if self._episode is None:
                try:
                    self._episode = await self._bring_back(opened.seq)
                except EnvironmentFault as fault:
                    self._fault = fault
                    raise
            return self._episode

    async def _bring_back(self, before: int) -> Episode:
        log = await asyncio.to_thread(self._run.read_log)
        past = past_of(event for event in log if event.seq < before)
        if past is None:
            raise EnvironmentFault(
                "The environment was never reset in this run. Fork it at an earlier step."
            )
        await asyncio.to_thread(self._clear_workspace)
        episode = Episode(self._task, self._place, running_s=self._run.running_s)
        try:
            await self._repeat(episode, past)
        except BaseException:
            await episode.close()
            raise
        episode.began_s = past.began_s
        return episode

    async def _repeat(self, episode: Episode, past: Past) -> None:
        at = past.newest_snapshot()
        snapshot = None if at is None else await self._snapshot(past.actions[at])
        if at is None or snapshot is None:
            first = 0
            self._compare(
                await episode.reset(), past.observed.observation_hash, past.observed_seq, "reset"
            )
        else:
            first = at + 1
            done = past.actions[at]
            assert isinstance(done.outcome, ToolReturned)
            self._compare(
                await episode.restore(snapshot),
                done.outcome.observation_hash,
                done.seq,
                "the snapshot",
            )
        episode.steps = first
        for done in past.actions[first:]:
            await self._do_again(episode, done)

    async def _do_again(self, episode: Episode, done: Done) -> None:
        action = Action(done.called.tool, done.called.arguments)
        try:
            observation = await episode.step(action)
        except ToolError as error:
            if isinstance(done.outcome, ToolReturned):
                self._report(done.seq, done.called.tool, "a result", f"an error: {error}")
            return
        if isinstance(done.outcome, ToolFailed):
            self._report(done.seq, done.called.tool, f"an error: {done.outcome.error}", "a result")
            return
        self._compare(observation, done.outcome.observation_hash, done.seq, done.called.tool)

    async def _snapshot(self, done: Done) -> bytes | None:
        assert isinstance(done.outcome, ToolReturned)
        try:
            return await asyncio.to_thread(self._run.get_blob, done.outcome.snapshot)
        except NotFound as missing:
            self._report(done.seq, done.called.tool, "a snapshot", str(missing))
            return None

    def _compare(self, seen: Observation, expected: str, seq: int, what: str) -> None:
        found = observation_hash(seen)
        if expected and found != expected:
            text = (seen.stable if seen.stable is not None else seen.text)[:300]
            self._report(seq, what, f"observation {expected[:12]}", f"{found[:12]}: {text!r}")

    def _report(self, seq: int, what: str, expected: str, found: str) -> None:
        error = (
            f"The world did not come back as it was: at step {seq} ({what}) the log has "
            f"{expected}, this time there was {found}. What follows may rest on another world."
        )
        self._run.report(ErrorRaised(error, MISMATCH))

    def _clear_workspace(self) -> None:
        """What an earlier worker's world left behind must not be found by the new one. Files that
        tools wrote stay where nothing but tools is at work."""
        if self._specs:
            shutil.rmtree(self._place.workspace, ignore_errors=True)


def world_of(
    record: RunRecord, store: Store, supervisor: Supervisor, workspace: Path
) -> World | None:
    """The world of a run that a supervisor drives; None where it has no environment.

    Raises:
        ConfigurationError: its task cannot be read, or there is no such kind of environment.
    """
    task = task_of(record.environment)
    if task is None:
        return None
    # Of this worker alone: one that lost the run may be busy yet with its own.
    private = workspace.parent.parent / "private" / f"{record.run_id}-{uuid.uuid4().hex[:8]}"
    surroundings = Surroundings(
        put_blob=store.put_blob,
        get_blob=store.get_blob,
        read_log=partial(read_log, store, record.run_id),
        report=supervisor.report,
        running_s=supervisor.running_s,
    )
    return World(task, Place(workspace, private, record.run_id), surroundings)


def _broken(called: ToolCalled, fault: EnvironmentFault) -> ToolFailed:
    return ToolFailed(called.tool, str(fault), called.call_id, "environment_error")
