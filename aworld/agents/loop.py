"""The loop of an agent as a state machine: model, tools, model … until there is an answer.

Whatever a model gets wrong is told to it as its next input (malformed arguments, a tool that does
not exist, an empty answer, a verdict nobody can read); three times in a row ends its work. So does
the very same call failing three times in a row.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Literal

import msgspec

from aworld.agents.roles.base import Role
from aworld.events.action import ToolCalled, ToolFailed, ToolOutcomeUnknown, ToolReturned
from aworld.events.conversation import MessageSent, VerificationFailed, VerificationPassed
from aworld.events.model import LlmFailed, LlmRequested, LlmResponded
from aworld.events.run import NodeJoined
from aworld.events.union import AnyPayload, Event
from aworld.llm.base import Parameters, ToolSchema
from aworld.runtime.more_pages import READ_RESULT
from aworld.runtime.node import ENVIRONMENT, CallModel, CallTool, Intent, Say

MAX_MISTAKES = 3
"""Answers in a row that nothing can be done with."""
HEARD = frozenset({"task", "verify", "critique"})
"""Purposes of messages that give an agent work."""

EMPTY_ANSWER = "Your answer was empty. Call a tool, or write the answer as text."
NO_VERDICT = "I could not read a verdict. Begin your reply with `VERIFIED: ` or `REJECTED: `."

Phase = Literal["idle", "ready", "model", "tools", "answer", "correct", "give_up"]


class Call(msgspec.Struct):
    """One tool call of the model's last answer."""

    id: str
    name: str
    arguments: dict[str, Any] | None
    error: str = ""
    begun: bool = False
    result: int | None = None
    """Seq of the event that holds its result."""


class Work(msgspec.Struct):
    """One message that asks for something."""

    seq: int
    sender: str
    subject: str = ""


class AgentState(msgspec.Struct):
    """Everything an agent is at one moment."""

    phase: Phase = "idle"
    context: list[int] = []
    """Seqs of the messages its model sees."""
    work: Work | None = None
    waiting: list[Work] = []
    calls: list[Call] = []
    mistakes: int = 0
    failure: str = ""
    """The last call that failed: its name and arguments."""
    repeats: int = 0
    """How often that very call failed in a row."""
    text: str = ""
    """The last answer's text, or what it must be told."""
    last: int = -1
    """Seq of the event that brought it into this phase."""


class AgentNode:
    """An agent as a node of a run."""

    state_type = AgentState
    topics: tuple[str, ...] = ()

    def __init__(
        self,
        name: str,
        *,
        role: Role | None,
        instructions: str,
        model: str,
        tools: Sequence[tuple[ToolSchema, str]],
        parameters: Parameters,
        actions: Collection[str] = (),
        pages: bool = False,
    ) -> None:
        """`tools` are schemas with their effect (`read_only`, `idempotent`, `unsafe`); those of
        `actions` act on the run's environment; `pages` tells whether their results may have
        further pages to ask for."""
        self.name = name
        self.role = role.name if role else ""
        self._judge = role.judge if role else None
        self._instructions = instructions
        self._model = model
        self._tools = tools
        self._offered = {schema.name for schema, _ in tools}
        self._callables = self._offered | ({READ_RESULT} if pages else set())
        self._parameters = parameters
        self._actions = frozenset(actions)

    def joined(self) -> AnyPayload:
        """What it is: prompt, model, tools."""
        tools = tuple(
            {**msgspec.to_builtins(schema), "effect": effect} for schema, effect in self._tools
        )
        return NodeJoined("agent", self.role, self._instructions, self._model, tools)

    def initial(self) -> AgentState:
        """An agent without work."""
        return AgentState()

    # -- folding ---------------------------------------------------------------------------------

    def apply(self, state: AgentState, event: Event) -> AgentState:
        """Fold one event."""
        payload = event.payload
        if isinstance(payload, MessageSent):
            self._hear(state, event, payload)
        elif event.actor == self.name:
            self._go_on(state, event, payload)
        return state

    def _go_on(self, state: AgentState, event: Event, payload: AnyPayload) -> None:
        """What came of something the agent wanted."""
        if isinstance(payload, NodeJoined):
            state.context = [event.seq]
        elif isinstance(payload, LlmRequested):
            state.phase = "model"
        elif isinstance(payload, LlmResponded):
            self._read_answer(state, event, payload)
        elif isinstance(payload, LlmFailed):
            if not payload.will_retry:
                self._give_up(state, f"The model could not be asked: {payload.error}", event.seq)
        elif isinstance(payload, ToolCalled):
            _begin(state, payload.call_id)
        elif isinstance(payload, ToolReturned | ToolFailed | ToolOutcomeUnknown):
            self._take_result(state, event, payload.call_id)
        elif isinstance(payload, VerificationPassed | VerificationFailed):
            self._done(state)

    def _hear(self, state: AgentState, event: Event, message: MessageSent) -> None:
        if event.actor == self.name:
            if message.purpose == "correction":
                state.context.append(event.seq)
                state.phase, state.last = "ready", event.seq
            elif message.purpose in {"answer", "failure"}:
                self._done(state)
            return
        if self.name in event.recipients and message.purpose in HEARD:
            state.waiting.append(Work(event.seq, event.actor, message.subject))
            if state.phase == "idle":
                self._next_work(state)

    def _next_work(self, state: AgentState) -> None:
        state.work = state.waiting.pop(0)
        state.context.append(state.work.seq)
        state.phase, state.last = "ready", state.work.seq
        state.mistakes, state.failure, state.repeats = 0, "", 0

    def _done(self, state: AgentState) -> None:
        state.phase, state.work = "idle", None
        if state.waiting:
            self._next_work(state)

    def _read_answer(self, state: AgentState, event: Event, answer: LlmResponded) -> None:
        state.context.append(event.seq)
        state.text, state.last = answer.text, event.seq
        if answer.tool_calls:
            state.calls = [
                Call(call["id"], call["name"], call["arguments"], call.get("error", ""))
                for call in answer.tool_calls
            ]
            good = any(self._callable(call) for call in state.calls)
            state.mistakes = 0 if good else state.mistakes + 1
            state.phase = "tools"
        elif not answer.text.strip():
            self._correct(state, EMPTY_ANSWER)
        elif self._judge is not None and self._judge(answer.text).passed is None:
            self._correct(state, NO_VERDICT)
        else:
            state.phase = "answer"

    def _correct(self, state: AgentState, text: str) -> None:
        state.mistakes += 1
        if state.mistakes >= MAX_MISTAKES:
            self._give_up(state, f"{MAX_MISTAKES} answers in a row could not be used.", state.last)
        else:
            state.phase, state.text = "correct", text

    def _give_up(self, state: AgentState, why: str, seq: int) -> None:
        state.phase, state.text, state.last = "give_up", why, seq

    def _take_result(self, state: AgentState, event: Event, call_id: str) -> None:
        for call in state.calls:
            if call.id == call_id and call.result is None:
                call.begun, call.result = True, event.seq
                _count_repeats(state, call, event.payload)
                break
        results = [call.result for call in state.calls]
        if state.phase == "tools" and None not in results:
            state.context.extend(seq for seq in results if seq is not None)
            state.calls, state.last = [], event.seq
            if state.mistakes >= MAX_MISTAKES:
                why = f"{MAX_MISTAKES} answers in a row called no tool that exists, or none right."
                self._give_up(state, why, event.seq)
            elif state.repeats >= MAX_MISTAKES:
                why = f"The same call failed {MAX_MISTAKES} times in a row: {state.failure}."
                self._give_up(state, why, event.seq)
            else:
                state.phase = "ready"

    # -- deciding --------------------------------------------------------------------------------

    def decide(self, state: AgentState) -> Sequence[Intent]:
        """What the agent wants now."""
        cause = (state.last,)
        if state.phase == "ready":
            return [CallModel(tuple(state.context), self._parameters, cause)]
        if state.phase == "tools":
            return [self._call(call, cause) for call in state.calls if not call.begun]
        if state.phase == "correct":
            return [Say(MessageSent(state.text, "correction"), (self.name,), caused_by=cause)]
        if state.work is None:
            return []
        to = (state.work.sender,)
        if state.phase == "give_up":
            return [Say(MessageSent(state.text, "failure"), to, caused_by=cause)]
        if state.phase == "answer":
            return [Say(self._conclusion(state, state.work), to, caused_by=cause)]
        return []

    def _call(self, call: Call, cause: tuple[int, ...]) -> Intent:
        if call.arguments is None:
            error = call.error or "The arguments are no JSON object."
            return Say(ToolFailed(call.name, error, call.id, "malformed_call"), caused_by=cause)
        if call.name not in self._callables:
            have = ", ".join(sorted(self._offered)) or "none"
            error = f"There is no tool {call.name!r}. Your tools: {have}."
            return Say(ToolFailed(call.name, error, call.id, "unknown_tool"), caused_by=cause)
        told = (ENVIRONMENT,) if call.name in self._actions else ()
        return CallTool(call.id, call.name, call.arguments, cause, told)

    def _callable(self, call: Call) -> bool:
        return call.arguments is not None and call.name in self._callables

    def _conclusion(self, state: AgentState, work: Work) -> AnyPayload:
        if self._judge is None:
            return MessageSent(state.text, "answer")
        verdict = self._judge(state.text)
        if verdict.passed:
            return VerificationPassed(answer=work.subject, evidence=verdict.text)
        return VerificationFailed(answer=work.subject, evidence=verdict.text)


def _begin(state: AgentState, call_id: str) -> None:
    for call in state.calls:
        if call.id == call_id and not call.begun:
            call.begun = True
            return


def _count_repeats(state: AgentState, call: Call, result: AnyPayload) -> None:
    """A model that repeats a failed call word for word has learned nothing from the error."""
    if not isinstance(result, ToolFailed):
        state.failure, state.repeats = "", 0
        return
    made = f"{call.name}({msgspec.json.encode(call.arguments, order='sorted').decode()})"
    state.repeats = state.repeats + 1 if made == state.failure else 1
    state.failure = made
