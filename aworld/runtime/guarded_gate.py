"""The gate with its guards: hooks first, then the team's approval, then the world."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NoReturn, TypeVar

import msgspec

from aworld.errors import ToolError
from aworld.events.action import ToolCalled, ToolFailed, ToolReturned
from aworld.events.control import GateDecided
from aworld.events.conversation import PersonAnswered
from aworld.events.envelope import Payload
from aworld.events.model import LlmFailed, LlmRequested, LlmResponded
from aworld.events.union import Event
from aworld.llm.base import ChatMessage, ModelRequest, Parameters
from aworld.runtime.approval import ApprovalPolicy
from aworld.runtime.effects import Gate, OfEnvironment, OnRetry
from aworld.runtime.hooks import Ask, Change, Deny, Hook, Moment, When, decide, of_moment
from aworld.runtime.leave import Leave, Refused
from aworld.runtime.node import ENVIRONMENT
from aworld.runtime.questions import Questions
from aworld.tools.base import BaseTool
from aworld.tools.registry import check_arguments
from aworld.tools.results import characters

OutcomeT = TypeVar("OutcomeT", bound=Payload)
Stage = Literal["before", "after"]
_FIXED = frozenset({"kind", "call_id", "tool", "source"})
"""Fields of a result that say what it is the result of; no hook changes them."""


class GuardedGate:
    """Wraps the live gate of a run whose team wants approval, or where there are hooks."""

    def __init__(
        self,
        live: Gate,
        *,
        run_id: str,
        policy: ApprovalPolicy,
        hooks: Sequence[Hook],
        tools: Mapping[str, Mapping[str, BaseTool]],
        questions: Questions,
    ) -> None:
        """`tools` by node name and tool name."""
        self._live = live
        self._run_id = run_id
        self._policy = policy
        self._hooks = hooks
        self._tools = tools
        self._questions = questions
        self._leave = Leave(questions, live.answer)

    async def model(
        self, opened: Event, request: ModelRequest, on_retry: OnRetry
    ) -> LlmResponded | LlmFailed:
        """Ask the model, unless a hook refuses; perhaps something else than was recorded."""
        asked = opened.payload
        assert isinstance(asked, LlmRequested)
        before = of_moment(self._hooks, "before_model")
        if before:
            plain = msgspec.to_builtins(request)
            given = {name: plain[name] for name in ("messages", "parameters")}
            moment = self._moment("before_model", opened, given, model=asked.model)
            try:
                request = _request(request, await self._pass_hooks(before, opened, moment))
            except Refused as refused:
                return LlmFailed(str(refused))
        outcome = await self._live.model(opened, request, on_retry)
        after = of_moment(self._hooks, "after_model")
        if not after or not isinstance(outcome, LlmResponded):
            return outcome
        moment = self._moment("after_model", opened, {}, model=asked.model)
        try:
            return await self._pass_result(after, opened, moment, outcome)
        except Refused as refused:
            return LlmFailed(str(refused))

    async def tool(self, opened: Event) -> ToolReturned | ToolFailed:
        """Call a tool or act on the environment, unless a hook or a person refuses."""
        called = opened.payload
        assert isinstance(called, ToolCalled)
        tool = self._tools[opened.actor][called.tool]
        acts = ENVIRONMENT in opened.recipients
        try:
            check_arguments(tool, called.arguments)
        except ToolError:
            return await self._live.tool(opened)  # It refuses the call by itself, and says why.
        try:
            arguments = await self._may_begin(opened, called, tool, acts=acts)
        except Refused as refused:
            return ToolFailed(called.tool, str(refused), called.call_id, "refused")
        if arguments is not called.arguments:
            changed = msgspec.structs.replace(called, arguments=arguments)
            opened = msgspec.structs.replace(opened, payload=changed)
        if called.effect != "read_only":
            # What a person allowed must not be asked again once it may have begun.
            await self._questions.durable()
        outcome = await self._live.tool(opened)
        after = of_moment(self._hooks, "after_environment" if acts else "after_tool")
        if not after:
            return outcome
        when: When = "after_environment" if acts else "after_tool"
        moment = self._moment(when, opened, arguments, called.tool, called.effect)
        try:
            return await self._pass_result(after, opened, moment, outcome)
        except Refused as refused:
            return ToolFailed(called.tool, str(refused), called.call_id, "refused")

    async def person(self, opened: Event) -> PersonAnswered:
        """Questions pass as they are."""
        return await self._live.person(opened)

    async def environment(self, opened: Event) -> OfEnvironment:
        """The world's reset and verdict are no act of an agent's, and pass."""
        return await self._live.environment(opened)

    def answer(self, span: int, answered: PersonAnswered) -> bool:
        """Hand in a person's answer."""
        return self._live.answer(span, answered)

    async def aclose(self) -> None:
        """End what the live gate keeps going."""
        await self._live.aclose()

    # -- before ----------------------------------------------------------------------------------

    async def _may_begin(
        self, opened: Event, called: ToolCalled, tool: BaseTool, *, acts: bool
    ) -> dict[str, Any]:
        """The arguments it may begin with.

        Raises:
            Refused: it may not.
        """
        arguments = called.arguments
        before = of_moment(self._hooks, "before_environment" if acts else "before_tool")
        if before:
            when: When = "before_environment" if acts else "before_tool"
            moment = self._moment(when, opened, arguments, called.tool, called.effect)
            arguments = await self._pass_hooks(before, opened, moment, tool)
        rules = self._policy.rules_for(called.tool, arguments, tool.get_schema(), called.effect)
        return await self._leave.by_rules(
            opened, tool, arguments, rules, timeout_s=self._policy.timeout_s
        )

    async def _pass_hooks(
        self, hooks: Sequence[Hook], opened: Event, moment: Moment, tool: BaseTool | None = None
    ) -> dict[str, Any]:
        """The arguments after all hooks; `tool` is None for a model.

        Raises:
            Refused: a hook, or a person whom one asks, says no.
        """
        arguments = moment.arguments
        for hook in hooks:
            # A copy: what a hook does to it is no change until it says so.
            own = msgspec.to_builtins(arguments)
            said = await decide(hook, msgspec.structs.replace(moment, arguments=own))
            if isinstance(said, Change):
                arguments = said.fields if tool is not None else {**arguments, **said.fields}
                self._must_fit(hook, opened, tool, arguments)
                self._record(opened, hook, "before", said.fields)
            elif isinstance(said, Deny):
                self._refuse(opened, hook, "before", said.reason)
            elif isinstance(said, Ask):
                arguments = await self._leave.by_hook(opened, hook.name, said, tool, arguments)
        return arguments

    def _must_fit(
        self, hook: Hook, opened: Event, tool: BaseTool | None, arguments: dict[str, Any]
    ) -> None:
        try:
            msgspec.msgpack.encode(arguments)  # Else no log could keep them.
            if tool is not None:
                check_arguments(tool, arguments)
            else:
                _messages(arguments)
        except (ToolError, msgspec.ValidationError, TypeError, ValueError, OverflowError) as error:
            why = f"The hook {hook.name!r} changed the call so that it does not fit: {error}"
            self._refuse(opened, hook, "before", why)

    # -- after -----------------------------------------------------------------------------------

    async def _pass_result(
        self, hooks: Sequence[Hook], opened: Event, moment: Moment, outcome: OutcomeT
    ) -> OutcomeT:
        """The outcome after all hooks, of the same type.

        Raises:
            Refused: it is kept back.
        """
        for hook in hooks:
            plain = msgspec.to_builtins(outcome)
            said = await decide(hook, msgspec.structs.replace(moment, result=plain))
            if isinstance(said, Change):
                outcome = self._changed(hook, opened, plain, said.fields, type(outcome))
            elif isinstance(said, Deny):
                self._refuse(opened, hook, "after", said.reason)
            elif isinstance(said, Ask):
                await self._leave.result_by_hook(opened, hook.name, said, moment)
        return outcome

    def _changed(
        self,
        hook: Hook,
        opened: Event,
        plain: dict[str, Any],
        fields: dict[str, Any],
        to: type[OutcomeT],
    ) -> OutcomeT:
        try:
            fixed = sorted(_FIXED & fields.keys())
            unknown = sorted(fields.keys() - set(to.__struct_fields__) - _FIXED)
            if fixed or unknown:
                raise ValueError(f"it has no field {(fixed or unknown)[0]!r} that may be changed")
            msgspec.msgpack.encode(fields)
            outcome = msgspec.convert({**plain, **fields}, to)
        except (msgspec.ValidationError, TypeError, ValueError, OverflowError) as error:
            why = f"The hook {hook.name!r} changed the result so that it does not fit: {error}"
            self._refuse(opened, hook, "after", why)
        self._record(opened, hook, "after", fields)
        return outcome

    # -- what is recorded ------------------------------------------------------------------------

    def _record(self, opened: Event, hook: Hook, stage: Stage, changed: dict[str, Any]) -> None:
        made = GateDecided(opened.seq, f"hook:{hook.name}", "change", stage, changed=changed)
        self._questions.decided(made)

    def _refuse(self, opened: Event, hook: Hook, stage: Stage, reason: str) -> NoReturn:
        told = characters(str(reason)) or f"The hook {hook.name!r} does not allow it."
        self._questions.decided(GateDecided(opened.seq, f"hook:{hook.name}", "deny", stage, told))
        raise Refused(told)

    def _moment(
        self,
        when: When,
        opened: Event,
        arguments: dict[str, Any],
        tool: str = "",
        effect: str = "",
        model: str = "",
    ) -> Moment:
        return Moment(when, self._run_id, opened.actor, opened.seq, tool, effect, model, arguments)


def _request(request: ModelRequest, arguments: dict[str, Any]) -> ModelRequest:
    messages, parameters = _messages(arguments)
    return msgspec.structs.replace(request, messages=messages, parameters=parameters)


def _messages(arguments: dict[str, Any]) -> tuple[tuple[ChatMessage, ...], Parameters]:
    return (
        msgspec.convert(arguments["messages"], tuple[ChatMessage, ...]),
        msgspec.convert(arguments["parameters"], Parameters),
    )
