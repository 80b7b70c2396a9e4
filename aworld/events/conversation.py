"""What nodes say to each other: messages, plans, lessons, verdicts, questions to people."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from aworld.events.envelope import Payload


class MessageSent(Payload, frozen=True, tag="message.sent"):
    """One node speaks to others; who is meant stands in `recipients` or `topic`."""

    content: str
    purpose: str = ""
    """`task`, `answer`, `failure`, `verify`, `critique`, `correction` or a user's own word."""
    subject: str = ""
    """What it is about apart from its wording: for `verify`, the proposed answer."""


class PlanProposed(Payload, frozen=True, tag="plan.proposed"):
    """What an agent means to do."""

    steps: tuple[str, ...]


class PlanRevised(Payload, frozen=True, tag="plan.revised"):
    """The plan after something was learned."""

    steps: tuple[str, ...]
    why: str = ""


class ReflectionMade(Payload, frozen=True, tag="reflection.made"):
    """What an agent learned from what went wrong."""

    lesson: str


class VerificationPassed(Payload, frozen=True, tag="verification.passed"):
    """A verifier looked at an answer and agrees."""

    answer: str
    evidence: str = ""


class VerificationFailed(Payload, frozen=True, tag="verification.failed"):
    """A verifier looked at an answer and does not agree."""

    answer: str
    evidence: str = ""


class Approval(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a person is asked to allow."""

    call: int
    """Seq of the call that waits."""
    tool: str = ""
    """The tool or action; "" for a call of the model."""
    arguments: dict[str, Any] = {}
    """As they stand now, changed by hooks or not; for a model `{messages, parameters}`."""
    rules: tuple[str, ...] = ()
    """The team's patterns that name the call; empty where a hook asks."""
    hook: str = ""
    """The hook that asks; "" where the team's own rules do."""
    stage: Literal["before", "after"] = "before"
    """`after` where it is about handing over the result."""


class PersonAsked(Payload, frozen=True, tag="person.asked"):
    """An agent, or a tool that needs approval, asks a person. Opens a span."""

    question: str
    choices: tuple[str, ...] = ()
    default: str | None = None
    timeout_s: float | None = None
    agent: str = ""
    """Who asks, where the supervisor puts the question for it."""
    approval: Approval | None = None
    """None where it is a question, not something to allow."""


class PersonAnswered(Payload, frozen=True, tag="person.answered"):
    """The answer, or the default after the time-out."""

    answer: str
    by: str = ""
    timed_out: bool = False
    command: int = -1
    """Number of the command that carried it; -1 where none did."""
