"""A small world for tests: a box with a dial that opens at the right number, and what it holds."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar

import msgspec

from aworld.environments import registry
from aworld.environments.base import (
    Action,
    ActionSpec,
    Environment,
    EnvironmentKind,
    Observation,
    Oracle,
    Place,
    StageLimits,
    Task,
    Verdict,
)
from aworld.errors import ConfigurationError, EnvironmentFault, ToolError
from aworld.tools.base import Attachment

ACTIONS = (
    ActionSpec(
        "turn",
        "Turn the dial by some clicks.",
        {
            "type": "object",
            "properties": {"clicks": {"type": "integer"}},
            "required": ["clicks"],
            "additionalProperties": False,
        },
    ),
    ActionSpec("open", "Open the box.", {"type": "object", "properties": {}}),
)
PICTURE = Attachment("box.png", "image/png", b"\x89PNG box")

SPOILT: list[str] = []
"""Makes every further world another one, as a kind that depends on chance would be."""


class Box(Environment):
    """The world: `dial` and whether it is `open`; each turn is written to a file, too."""

    limits: ClassVar[StageLimits] = StageLimits(reset_s=5, step_s=0.5, verify_s=0.5, close_s=0.5)
    made: ClassVar[list[Box]] = []

    def __init__(self, task: Task, place: Place) -> None:
        super().__init__(task, place)
        self.dial = 0
        self.open = False
        self.closed = 0
        self.carried_out: list[str] = []
        self.made.append(self)

    async def reset(self) -> Observation:
        await self._misbehave("reset")
        turns = self.place.workspace / "turns.txt"
        if turns.exists():
            raise EnvironmentFault("the workspace is not clean")
        turns.write_text("", encoding="utf-8")
        return self._seen()

    async def observe(self) -> Observation:
        return self._seen()

    async def step(self, action: Action) -> Observation:
        await self._misbehave("step")
        self.carried_out.append(action.name)
        if action.name == "turn":
            await asyncio.sleep(0.001)  # Two at once would be seen.
            self.dial += action.arguments["clicks"]
            with (self.place.workspace / "turns.txt").open("a", encoding="utf-8") as turns:
                turns.write(f"{action.arguments['clicks']}\n")
        elif self.dial != self.task.data["number"]:
            raise ToolError("The box is locked.")
        else:
            self.open = True
        return self._seen()

    async def verify(self, answer: str) -> Verdict:
        await self._misbehave("verify")
        right = self.open and self.task.data["holds"] in answer
        if not self.task.graded:
            return Verdict(None, "Nobody grades this.")
        why = "The box is open and its content named." if right else "The box kept its secret."
        return Verdict(float(right), why, {"open": self.open, "dial": self.dial})

    async def close(self) -> None:
        self.closed += 1
        await self._misbehave("close")

    def _seen(self) -> Observation:
        held = f" It holds {self.task.data['holds']}." if self.open else ""
        text = f"The dial is at {self.dial}.{' Spoilt.' if SPOILT else ''}{held}"
        return Observation(text, {"dial": self.dial}, (PICTURE,), done=self.open)

    async def _misbehave(self, stage: str) -> None:
        how = self.task.data.get(stage)
        if how == "fault":
            raise EnvironmentFault("its hinge broke")
        if how == "crash":
            raise RuntimeError("its author slipped")
        if how == "exit":
            raise SystemExit(3)
        if how == "hang":
            await asyncio.sleep(3600)


class BoxWithSnapshots(Box):
    """The same, with snapshots."""

    async def snapshot(self) -> bytes | None:
        return msgspec.json.encode({"dial": self.dial, "open": self.open})

    async def restore(self, snapshot: bytes) -> Observation:
        state = msgspec.json.decode(snapshot)
        self.dial, self.open = state["dial"], state["open"]
        return self._seen()


class BoxOracle(Oracle):
    """Turns to the number in two moves, opens, reads."""

    async def solve(self, environment: Environment, first: Observation) -> str:
        assert isinstance(environment, Box)
        number = environment.task.data["number"]
        await environment.step(Action("turn", {"clicks": number - 1}))
        await environment.step(Action("turn", {"clicks": 1}))
        seen = await environment.step(Action("open"))
        return seen.text


def task(id: str = "plain", *, data: Mapping[str, Any] | None = None, **fields: Any) -> Task:
    """A task; `data` is added to that of a plain one."""
    whole = {"number": 7, "holds": "a pearl", "snapshots": False, **(data or {})}
    return Task(id, "box", "boxes", "Open the box and say what it holds.", data=whole, **fields)


class BoxKind(EnvironmentKind):
    """The kind."""

    name, title, description = "box", "Boxes", "Boxes with dials."

    def suites(self) -> Mapping[str, str]:
        return {"boxes": "Boxes with dials."}

    def tasks(self, suite: str) -> Iterable[Task]:
        if suite != "boxes":
            raise ConfigurationError(f"There is no suite {suite!r}.")
        return (task(), task("far", data={"number": 700}), task("proof", graded=False))

    def read(self, path: Path) -> Iterable[Task]:
        raise ConfigurationError("Boxes come from no file.")

    def make(self, task: Task, place: Place) -> Environment:
        if task.data.get("make") == "crash":
            raise RuntimeError("no wood")
        return (BoxWithSnapshots if task.data["snapshots"] else Box)(task, place)

    def action_specs(self, task: Task) -> Sequence[ActionSpec]:
        return ACTIONS

    def oracle(self, task: Task) -> Oracle | None:
        return BoxOracle()


@contextmanager
def boxes() -> Iterator[type[Box]]:
    """The kind is known meanwhile; `Box.made` has each world that was made."""
    registry.register(BoxKind())
    Box.made.clear()
    SPOILT.clear()
    try:
        yield Box
    finally:
        registry.unregister("box")
