"""What an environment is: a world that a team acts on and that judges what came of it.

One instance is one episode. Agents act through its `actions`, which are ordinary tools while the
episode lasts; the environment itself is reset before the first and verified after the last.
"""

from __future__ import annotations

import abc
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import msgspec

from aworld.tools.base import Attachment, Effect


class StageLimits(msgspec.Struct, frozen=True):
    """Seconds each stage of an episode may take."""

    reset_s: float = 60.0
    observe_s: float = 15.0
    step_s: float = 60.0
    verify_s: float = 120.0
    close_s: float = 15.0


class Task(msgspec.Struct, frozen=True):
    """One task of a suite."""

    id: str
    environment: str
    """The name of its environment, such as `web`."""
    suite: str
    """The set of tasks it is from, such as `miniwob`; `(suite, id)` is its identity."""
    question: str
    """What the team is told. May be completed by the first observation."""
    level: str = ""
    tags: tuple[str, ...] = ()
    folder: str = ""
    """Where its files lie, as an absolute path; "" where it has none."""
    files: tuple[str, ...] = ()
    """Attachments the team may read, relative to `folder`; copied into the workspace."""
    graded: bool = True
    """Whether `verify` gives a score: a proof, for one, is not graded."""
    seed: int = 0
    max_steps: int | None = None
    seconds: float | None = None
    """Contest time; None means the team's own limit."""
    network: tuple[str, ...] = ()
    """Hosts its actions may reach; none by default."""
    data: dict[str, Any] = {}
    """The rest, in the format's own fields: answers, scripts, getters. Never shown to the team."""


class Action(msgspec.Struct, frozen=True):
    """Something done to the world: one of `actions`, with its arguments."""

    name: str
    arguments: dict[str, Any] = {}


class ActionSpec(msgspec.Struct, frozen=True):
    """An action that agents are offered, as a tool."""

    name: str
    description: str
    parameters: dict[str, Any]
    """JSON Schema of the arguments object."""
    effect: Effect = "unsafe"


class Observation(msgspec.Struct, frozen=True):
    """What can be seen of the world."""

    text: str
    """What the model reads."""
    data: Any = None
    attachments: tuple[Attachment, ...] = ()
    """Pictures and files."""
    done: bool = False
    """Whether the world accepts no further action."""
    stable: str | None = None
    """What two runs of the same actions must share, for comparison when actions are replayed;
    None takes `text`. Leave times, ports and handles out."""


class Verdict(msgspec.Struct, frozen=True):
    """The environment's judgement of an episode."""

    score: float | None
    """0.0 to 1.0; None where the task is not graded."""
    why: str
    details: dict[str, Any] = {}
    """Each test or metric with what it found."""
    near_miss: str = ""
    """What kept an answer from being right by a little; never changes the score."""


class Place(msgspec.Struct, frozen=True):
    """Where an episode may work."""

    workspace: Path
    """The run's folder, which tools and the sandbox share as `/workspace`."""
    private: Path
    """A folder that the team cannot see: profiles, logs, the tests."""
    run_id: str = ""


class Environment(abc.ABC):
    """One episode of one task. Not shared, not reused; `close` may be called at any time."""

    limits: ClassVar[StageLimits] = StageLimits()

    def __init__(self, task: Task, place: Place) -> None:
        self.task = task
        self.place = place

    @classmethod
    def actions(cls, task: Task) -> Sequence[ActionSpec]:
        """What agents can do here; must depend on the task alone, for a replay asks it too."""
        return ()

    @abc.abstractmethod
    async def reset(self) -> Observation:
        """Make the world as the task wants it.

        Raises:
            EnvironmentFault: the world could not be made: no verdict on the team.
        """

    @abc.abstractmethod
    async def observe(self) -> Observation:
        """Look, changing nothing."""

    @abc.abstractmethod
    async def step(self, action: Action) -> Observation:
        """Carry out one action.

        Raises:
            ToolError: it cannot be done; the text goes to the model.
            EnvironmentFault: the world broke.
        """

    @abc.abstractmethod
    async def verify(self, answer: str) -> Verdict:
        """Judge what the team did, and its final answer."""

    @abc.abstractmethod
    async def close(self) -> None:
        """End everything it started. May be called twice."""

    async def snapshot(self) -> bytes | None:
        """The whole state of the world, or None where only repeating the actions brings it back."""
        return None

    async def restore(self, snapshot: bytes) -> Observation:
        """Bring a fresh world to the state of a snapshot, in place of `reset`."""
        raise NotImplementedError(f"{type(self).__name__} has no snapshots.")


class Oracle(abc.ABC):
    """A known solution of a task."""

    @abc.abstractmethod
    async def solve(self, environment: Environment, first: Observation) -> str:
        """Act through `environment.step` until the task is solved; the final answer."""


class Support(msgspec.Struct, frozen=True):
    """Whether something of a format can be used on this machine."""

    name: str
    supported: bool
    why: str = ""
    """What is missing, and how to get it."""


class EnvironmentKind(abc.ABC):
    """One kind of environment: its tasks and how an episode is made. One a folder, found by
    `registry`."""

    name: ClassVar[str]
    title: ClassVar[str]
    description: ClassVar[str]

    @abc.abstractmethod
    def suites(self) -> Mapping[str, str]:
        """Shipped suites: name to one line on what it is."""

    @abc.abstractmethod
    def tasks(self, suite: str) -> Iterable[Task]:
        """The tasks of a shipped suite, always in the same order.

        Raises:
            ConfigurationError: there is no such suite.
        """

    @abc.abstractmethod
    def read(self, path: Path) -> Iterable[Task]:
        """The tasks of a folder or file in this environment's format.

        Raises:
            ConfigurationError: it cannot be read; the text names the file and the line.
        """

    @abc.abstractmethod
    def make(self, task: Task, place: Place) -> Environment:
        """An episode of a task."""

    @abc.abstractmethod
    def action_specs(self, task: Task) -> Sequence[ActionSpec]:
        """What agents can do in it, without making one."""

    def oracle(self, task: Task) -> Oracle | None:
        """The known solution of a task, where there is one."""
        return None

    def support(self) -> Sequence[Support]:
        """What of the format works on this machine, for `aworld doctor` and the docs. The first
        says whether anything does."""
        return ()
