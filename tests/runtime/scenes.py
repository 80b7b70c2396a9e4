"""Runs of many kinds, each from a number: teams, scripts and what people do to them."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import msgspec

from aworld.agents.build import Built, build_team
from aworld.agents.pipeline import PipelineNode, Stage
from aworld.agents.team import read_team
from aworld.events.conversation import MessageSent, PersonAnswered, PersonAsked
from aworld.events.run import NodeJoined
from aworld.events.union import AnyPayload, Event
from aworld.llm.base import Completion, ModelRequest, ToolCall
from aworld.llm.scripted import Reply, ScriptedModel
from aworld.runtime.node import AskPerson, Intent, Say
from aworld.storage.base import RunRecord
from aworld.tools import registry

TOOLS = ("calculator", "logic_check")
DEPOSIT = "deposit"
"""A tool that must not be called twice."""
Script = Callable[[ModelRequest], str | Completion]


def agent(name: str, role: str, *tools: str) -> dict[str, Any]:
    """An agent with instructions that no other agent has."""
    instructions = f"You are {name}. Work with great care."
    return {
        "name": name,
        "role": role,
        "model": name,
        "instructions": instructions,
        "tools": list(tools),
    }


TEAMS: dict[str, dict[str, Any]] = {
    "single": {
        "name": "single",
        "topology": "single",
        "agents": [agent("solver", "solver", *TOOLS)],
    },
    "pipeline": {
        "name": "pipeline",
        "agents": [
            agent("solver", "solver", *TOOLS),
            agent("verifier", "verifier", *TOOLS),
        ],
    },
    "two agents": {
        "name": "two agents",
        "agents": [
            agent("planner", "", *TOOLS),
            agent("solver", "solver", *TOOLS),
        ],
    },
    "three agents": {
        "name": "three agents",
        "agents": [
            agent("planner", "", *TOOLS),
            agent("solver", "solver", *TOOLS),
            agent("verifier", "verifier", *TOOLS),
        ],
    },
}


class Scene(NamedTuple):
    """What a run is made of."""

    team: dict[str, Any]
    seed: int

    def built(self, record: RunRecord) -> Built:
        """The team, with models that say what the scene's number has them say."""
        team = read_team(record.team)
        return build_team(team, lambda name: self.model(name), registry.get)

    def model(self, name: str) -> ScriptedModel:
        """An agent's model: each answer depends on the prompt alone, so it goes on after a crash
        as if nothing had been."""
        reply: Reply = lambda request: answer(name, self.seed, request)  # noqa: E731
        return ScriptedModel([reply], repeat_last=True)


def scene(number: int) -> Scene:
    """One of many scenes."""
    names = list(TEAMS)
    return Scene(TEAMS[names[number % len(names)]], number)


def answer(name: str, seed: int, request: ModelRequest) -> str | Completion:
    """What an agent's model says to a prompt."""
    turns = len(request.messages)
    chance = random.Random(f"{seed} {name} {turns}")
    mistakes = chance.random()
    if turns < 2 + 6 * chance.random():
        if mistakes < 0.08:
            return "<tool_call>{not json}</tool_call>"
        if mistakes < 0.14:
            return Completion("", (ToolCall(f"u{turns}", "unknown", {}),), "tool_calls")
        if mistakes < 0.2:
            return ""
        many = 1 + (chance.random() < 0.4) + (chance.random() < 0.2)
        unsafe = any(tool.name == DEPOSIT for tool in request.tools)
        calls = tuple(_call(chance, turns, i, unsafe=unsafe) for i in range(many))
        return Completion("", calls, "tool_calls")
    if name == "verifier":
        word = "REJECTED" if chance.random() < 0.3 else "VERIFIED"
        return f"{word}: I counted to {turns}."
    return f"Answer: {chance.randrange(100)} of {name} at {turns}"


def _call(chance: random.Random, turns: int, i: int, *, unsafe: bool) -> ToolCall:
    if unsafe and chance.random() < 0.6:
        # No two calls of an agent are alike, so that each can be told apart where it takes effect.
        return ToolCall(f"c{turns}-{i}", DEPOSIT, {"key": f"{turns}-{i}"})
    numbers = [chance.randrange(1, 50) for _ in range(2)]
    if chance.random() < 0.2:
        # Division by zero: the tool fails, the model is told so.
        return ToolCall(f"c{turns}-{i}", "calculator", {"expression": f"{numbers[0]}/0"})
    if chance.random() < 0.3:
        claim = f"{numbers[0]} + {numbers[1]} == {sum(numbers)}"
        return ToolCall(f"c{turns}-{i}", "logic_check", {"claim": claim})
    expression = f"{numbers[0]}+{numbers[1]}"
    return ToolCall(f"c{turns}-{i}", "calculator", {"expression": expression})


# -- a person -------------------------------------------------------------------------------------


class AskerState(msgspec.Struct):
    """Where an asker is."""

    phase: str = "idle"
    sender: str = ""
    answers: list[str] = []
    last: int = -1


class Asker:
    """Asks a person a few things and hands their answers on: a node of its own."""

    name = "asker"
    role = ""
    topics: tuple[str, ...] = ()
    state_type = AskerState

    def __init__(
        self, instructions: str, tools: Sequence[dict[str, Any]], questions: int = 2
    ) -> None:
        self._instructions = instructions
        self._tools = tuple(tools)
        self._questions = questions

    def joined(self) -> AnyPayload:
        return NodeJoined("agent", "", self._instructions, "", self._tools)

    def initial(self) -> AskerState:
        return AskerState()

    def apply(self, state: AskerState, event: Event) -> AskerState:
        payload = event.payload
        if isinstance(payload, MessageSent) and event.actor != self.name:
            state.phase, state.sender, state.last = "ask", event.actor, event.seq
        elif isinstance(payload, MessageSent):
            state.phase = "idle"
        elif event.actor == self.name and isinstance(payload, PersonAsked):
            state.phase = "waiting"
        elif event.actor == self.name and isinstance(payload, PersonAnswered):
            state.answers.append(payload.answer)
            state.last = event.seq
            state.phase = "ask" if len(state.answers) < self._questions else "say"
        return state

    def decide(self, state: AskerState) -> Sequence[Intent]:
        cause = (state.last,)
        if state.phase == "ask":
            question = f"Question {len(state.answers) + 1}?"
            return [AskPerson(question, ("yes", "no"), caused_by=cause)]
        if state.phase == "say":
            text = " and ".join(state.answers)
            return [Say(MessageSent(text, "answer"), (state.sender,), caused_by=cause)]
        return []


ASKER_TOOLS = [
    {"name": name, "description": "Not called.", "parameters": {"type": "object"}} for name in TOOLS
]


def asking(instructions: str = "Ask politely.", tools: Sequence[dict[str, Any]] = ()) -> Built:
    """A team of one asker."""
    node = Asker(instructions, tools or ASKER_TOOLS)
    return Built([node, PipelineNode([Stage("asker", False)])], {}, {"asker": {}})
