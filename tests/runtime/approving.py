"""A team that needs approval, driven in this process, and tools that write down what they did."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from aworld.agents.build import Built
from aworld.events.conversation import PersonAsked
from aworld.events.union import Event
from aworld.llm.base import Completion, ToolCall
from aworld.llm.scripted import ScriptedModel
from aworld.runtime import control
from aworld.runtime.node import AnyNode
from aworld.runtime.recovery import read_log
from aworld.runtime.replay import ReplayReport, replay
from aworld.runtime.supervisor import PARK_AFTER_S
from aworld.storage.base import RunRecord, Store
from aworld.tools.base import BaseTool, Effect
from tests.runtime.driven import Driven
from tests.teams import build


class Journal(BaseTool, register=False):
    """Writes a line down."""

    name = "journal"
    effect: ClassVar[Effect] = "unsafe"

    def __init__(self) -> None:
        self.lines: list[str] = []

    def get_schema(self) -> dict[str, Any]:
        properties = {"action": {"enum": ["add", "drop"]}, "line": {"type": "string"}}
        return {"type": "object", "properties": properties, "required": ["action", "line"]}

    async def run(self, action: str, line: str) -> str:
        self.lines.append(f"{action} {line}")
        return f"Wrote {line}."


class Look(BaseTool, register=False):
    """Reads."""

    name = "look"
    effect: ClassVar[Effect] = "read_only"

    def get_schema(self) -> dict[str, Any]:
        return {"type": "object", "properties": {"at": {"type": "string"}}}

    async def run(self, at: str = "") -> str:
        return f"Saw {at}."


def team_of(tools: Sequence[str], **fields: Any) -> dict[str, Any]:
    """A team of one agent."""
    agent = {"name": "writer", "model": "m", "tools": list(tools), "instructions": "Write."}
    return {"name": "writers", "topology": "single", "agents": [agent], **fields}


class Written:
    """A run of one agent with a journal."""

    def __init__(
        self,
        store: Store,
        replies: Sequence[Any],
        tools: Sequence[str] = ("journal", "look"),
        *,
        park_after_s: float = PARK_AFTER_S,
        **fields: Any,
    ) -> None:
        self.journal = Journal()
        self._answered: set[int | None] = set()
        self.team = team_of(tools, **fields)
        self._replies = list(replies)
        self._store = store
        self.driven = Driven.new(store, self.team, self.make_built, park_after_s=park_after_s)

    def make_built(self, record: RunRecord) -> Built:
        """The team, its model behind what the log has of it."""
        log = read_log(self._store, record.run_id)
        answered = [event for event in log if event.kind == "llm.responded"]
        own: dict[str, BaseTool] = {"journal": self.journal, "look": Look()}
        return build(self.team, ScriptedModel(self._replies[len(answered) :]), own)[1]

    def log(self) -> list[Event]:
        """All its events."""
        return self.driven.log()

    async def asked(self, count: int = 1) -> list[Event]:
        """The questions that wait, once there are so many."""
        await self.driven.until(lambda _: len(self.waiting()) >= count)
        return self.waiting()

    def waiting(self) -> list[Event]:
        """The questions that wait for an answer that nobody has given."""
        closed = {e.span for e in self.log() if e.kind == "person.answered"} | self._answered
        return [e for e in self.log() if e.kind == "person.asked" and e.seq not in closed]

    def answer(self, asked: Event, text: str) -> None:
        """Ann answers, and her answer reaches the worker."""
        self.answer_later(asked, text)
        self.driven.bring()

    def answer_later(self, asked: Event, text: str) -> None:
        """Ann answers, wherever the run is now."""
        control.answer(self.driven.store, self.driven.run_id, asked.seq, text, by="ann")
        self._answered.add(asked.seq)

    async def end(self) -> RunRecord:
        """Its row at the end."""
        record = await self.driven.until(lambda _: False)
        await self.driven.task
        return record

    def replayed(self) -> ReplayReport:
        """Its log, with fresh nodes."""
        return replay(self.driven.run_id, self.log(), self.nodes())

    def nodes(self) -> list[AnyNode]:
        """Fresh nodes of its team."""
        own: dict[str, BaseTool] = {"journal": Journal(), "look": Look()}
        return build(self.team, ScriptedModel([], name="scripted"), own)[1].nodes

    def payloads(self, kind: str) -> list[Any]:
        """The payloads of a kind, in order."""
        return [event.payload for event in self.log() if event.kind == kind]


def calls(*made: tuple[str, dict[str, Any]]) -> Completion:
    """A completion that calls several tools at once."""
    numbered = [ToolCall(f"call_{i}", name, given) for i, (name, given) in enumerate(made)]
    return Completion("", tuple(numbered), "tool_calls")


def add(line: str) -> tuple[str, dict[str, Any]]:
    """A call that writes a line."""
    return "journal", {"action": "add", "line": line}


def approval_of(asked: Event) -> Any:
    """What is to be allowed."""
    assert isinstance(asked.payload, PersonAsked)
    assert asked.payload.approval is not None
    return asked.payload.approval
