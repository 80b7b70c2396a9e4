"""What nodes say to each other: messages, plans, lessons, verdicts, questions to people."""

from __future__ import annotations

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


class PersonAsked(Payload, frozen=True, tag="person.asked"):
    """An agent, or a tool that needs approval, asks a person. Opens a span."""

    question: str
    choices: tuple[str, ...] = ()
    default: str | None = None
    timeout_s: float | None = None


class PersonAnswered(Payload, frozen=True, tag="person.answered"):
    """The answer, or the default after the time-out."""

    answer: str
    by: str = ""
    timed_out: bool = False
    command: int = -1
    """Number of the command that carried it; -1 where none did."""
