"""Asking a person for leave: the question, and what its answer means for the call that waits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

import msgspec

from aworld.errors import ConfigurationError, ToolError
from aworld.events.control import GateDecided
from aworld.events.conversation import Approval, PersonAnswered, PersonAsked
from aworld.events.union import Event
from aworld.runtime.approval import ALLOW, ALWAYS, DENY, Answer, read_answer
from aworld.runtime.hooks import Ask, Moment
from aworld.runtime.questions import Questions
from aworld.tools.base import BaseTool
from aworld.tools.registry import check_arguments
from aworld.tools.results import characters


class Refused(Exception):
    """A call may not begin, or its result not be handed over; the text is for the agent."""


class Leave:
    """What people have allowed in one run."""

    def __init__(self, questions: Questions, answer: Callable[[int, PersonAnswered], bool]) -> None:
        """`answer` hands an answer in for another question that waits."""
        self._questions = questions
        self._answer = answer
        self._off: set[str] = set()
        """Rules that a person switched off for the rest of the run."""
        self._log_seen = False

    async def by_rules(
        self,
        opened: Event,
        tool: BaseTool,
        arguments: dict[str, Any],
        rules: tuple[str, ...],
        *,
        timeout_s: float | None,
    ) -> dict[str, Any]:
        """The arguments a call may begin with, where the team's rules name it.

        Raises:
            Refused: a person said no, or nobody said anything in time.
        """
        if not rules or await self._are_off(rules):
            return arguments
        question = f"{opened.actor} wants to call {tool.name}. Allow it?"
        approval = Approval(opened.seq, tool.name, arguments, rules)
        asked = _asked(opened, question, (ALLOW, ALWAYS, DENY), timeout_s, approval)
        answer, answered = await self._ask(opened, asked, tool)
        if answer.decision == "always":
            self._switch_off(rules, answered)
        return self._outcome(opened, asked, answer, answered)

    async def by_hook(
        self,
        opened: Event,
        hook: str,
        ask: Ask,
        tool: BaseTool | None,
        arguments: dict[str, Any],
    ) -> dict[str, Any]:
        """As `by_rules`, where a hook wants a person to decide; `tool` is None for a model.

        Raises:
            Refused: a person said no, or nobody said anything in time.
        """
        name = tool.name if tool is not None else ""
        approval = Approval(opened.seq, name, arguments, hook=hook)
        asked = _asked(opened, ask.question, (ALLOW, DENY), ask.timeout_s, approval)
        return self._outcome(opened, asked, *await self._ask(opened, asked, tool))

    async def result_by_hook(self, opened: Event, hook: str, ask: Ask, moment: Moment) -> None:
        """Have a person decide whether a result is handed over.

        Raises:
            Refused: it is not.
        """
        approval = Approval(opened.seq, moment.tool, moment.arguments, hook=hook, stage="after")
        asked = _asked(opened, ask.question, (ALLOW, DENY), ask.timeout_s, approval)
        self._outcome(opened, asked, *await self._ask(opened, asked, None))

    async def _ask(
        self, opened: Event, asked: PersonAsked, tool: BaseTool | None
    ) -> tuple[Answer, PersonAnswered]:
        """Ask until there is an answer that can be carried out."""
        question = asked.question
        while True:
            answered = await self._questions.put(asked, opened)
            try:
                answer = read_answer(answered.answer)
                _must_be_possible(asked, answer, tool)
            except (ConfigurationError, ToolError) as error:
                asked = msgspec.structs.replace(asked, question=f"{error} {question}")
                continue
            return answer, answered

    def _outcome(
        self, opened: Event, asked: PersonAsked, answer: Answer, answered: PersonAnswered
    ) -> dict[str, Any]:
        approval = asked.approval
        assert approval is not None
        by = f"person:{answered.by}" if not answered.timed_out else "approval"
        if answer.decision == "deny":
            self._refuse(asked, approval, by, answer, timed_out=answered.timed_out)
        if answer.decision == "change":
            made = GateDecided(opened.seq, by, "change", changed=answer.arguments)
            self._questions.decided(made)
            return answer.arguments
        return approval.arguments

    def _refuse(
        self, asked: PersonAsked, approval: Approval, by: str, answer: Answer, *, timed_out: bool
    ) -> NoReturn:
        reason = answer.reason
        if timed_out:
            reason = f"Nobody allowed it within {asked.timeout_s:g} s."
        self._questions.decided(GateDecided(approval.call, by, "deny", approval.stage, reason))
        what = f"call of {approval.tool!r}" if approval.tool else "call of the model"
        if approval.stage == "after":
            what = f"result of the {what}"
        why = f": {reason}" if reason else "."
        raise Refused(f"A person did not allow this {what}{why}")

    # -- allowed for the rest of the run ---------------------------------------------------------

    async def _are_off(self, rules: tuple[str, ...]) -> bool:
        if not self._log_seen:
            for put in await self._questions.found():
                approval, answered = put.asked.approval, put.answered
                if approval and answered and answered.answer.strip().casefold() == ALWAYS:
                    self._off.update(approval.rules)
            self._log_seen = True
        return self._off.issuperset(rules)

    def _switch_off(self, rules: tuple[str, ...], answered: PersonAnswered) -> None:
        """Allow what these rules name from now on, and what waits because of them."""
        self._off.update(rules)
        for span, asked in list(self._questions.waiting.items()):
            approval = asked.approval
            if approval is not None and approval.rules and self._off.issuperset(approval.rules):
                self._answer(span, PersonAnswered(ALLOW, by=answered.by))


def _asked(
    opened: Event,
    question: str,
    choices: tuple[str, ...],
    timeout_s: float | None,
    approval: Approval,
) -> PersonAsked:
    default = DENY if timeout_s is not None else None
    said = characters(str(question)).strip() or "May this go on?"
    return PersonAsked(said, choices, default, timeout_s, opened.actor, approval)


def _must_be_possible(asked: PersonAsked, answer: Answer, tool: BaseTool | None) -> None:
    if answer.decision == "always" and ALWAYS not in asked.choices:
        raise ConfigurationError("A hook asks each time, so nothing can be allowed for good.")
    if answer.decision == "change":
        if tool is None:
            raise ConfigurationError("Only a tool's arguments can be changed here.")
        check_arguments(tool, answer.arguments)
