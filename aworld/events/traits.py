"""What a kind means to whoever draws or counts it: family, severity, whether it opens a span."""

from __future__ import annotations

from typing import Final, Literal

from aworld.events.action import ToolCalled, ToolFailed, ToolOutcomeUnknown, ToolReturned
from aworld.events.model import LlmFailed
from aworld.events.union import Event, Offloaded

Family = Literal["model", "tool", "message", "environment", "person", "trainer", "supervisor"]
Severity = Literal[0, 1, 2]
"""0 nothing wrong, 1 worth a look, 2 an error."""

_FAMILY: Final[dict[str, Family]] = {
    "llm": "model",
    "tool": "tool",
    "message": "message",
    "plan": "message",
    "reflection": "message",
    "verification": "message",
    "conflict": "message",
    "duplicate": "message",
    "environment": "environment",
    "person": "person",
    "edit": "person",
    "gate": "person",
    "training": "trainer",
    "reward": "trainer",
    "weight": "trainer",
}
_ERRORS: Final = frozenset(
    {
        "run.failed",
        "run.lost",
        "llm.failed",
        "tool.failed",
        "tool.outcome_unknown",
        "environment.failed",
        "error.raised",
    }
)
_WARNINGS: Final = frozenset(
    {
        "verification.failed",
        "limit.reached",
        "conflict.detected",
        "duplicate.dropped",
        "run.cancelled",
        "gate.decided",
    }
)
OPENERS: Final = frozenset(
    {
        "llm.requested",
        "tool.called",
        "person.asked",
        "environment.reset",
        "environment.submitted",
    }
)
CLOSERS: Final = frozenset(
    {
        "llm.responded",
        "llm.failed",
        "tool.returned",
        "tool.failed",
        "tool.outcome_unknown",
        "person.answered",
        "environment.observed",
        "environment.verified",
        "environment.failed",
    }
)
TERMINAL: Final = frozenset({"run.finished", "run.failed", "run.cancelled"})


def family(kind: str) -> Family:
    """The family that gives a kind its hue."""
    return _FAMILY.get(kind.partition(".")[0], "supervisor")


def severity(event: Event) -> Severity:
    """How bad an event is. A model call that will be retried is a warning."""
    kind = event.kind
    if kind in _ERRORS:
        payload = event.payload
        return 1 if isinstance(payload, LlmFailed) and payload.will_retry else 2
    return 1 if kind in _WARNINGS else 0


def opens_span(event: Event) -> bool:
    """Whether a span begins here."""
    return event.kind in OPENERS


def closes_span(event: Event) -> bool:
    """Whether the span that the event names ends here."""
    if event.span is None or event.kind not in CLOSERS:
        return False
    payload = event.payload
    return not (isinstance(payload, LlmFailed) and payload.will_retry)


def lane(event: Event) -> str:
    """The timeline's lane: the actor, or `actor/tool` for a tool's own events."""
    payload = event.payload
    if isinstance(payload, ToolCalled | ToolReturned | ToolFailed | ToolOutcomeUnknown):
        return f"{event.actor}/{payload.tool}"
    if isinstance(payload, Offloaded) and payload.tool:
        return f"{event.actor}/{payload.tool}"
    return event.actor
