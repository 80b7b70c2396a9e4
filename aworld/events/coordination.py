"""`conflict.*`, `duplicate.*`, `weight.*`, `reward.*`: verdicts about the team's work."""

from __future__ import annotations

from typing import Any

from aworld.events.envelope import Payload


class ConflictDetected(Payload, frozen=True, tag="conflict.detected"):
    """Two statements cannot both hold."""

    about: str
    sides: tuple[dict[str, Any], ...]
    """`{seq, actor, statement}` each; `start` and `end` where it is a passage of a message."""
    rule: str = ""
    """Which comparison found it: `number`, `date`, `negation`, `file` and so on."""
    why: str = ""
    """A sentence that names both values."""
    follow_up: str = ""
    """`ask_again`, `vote`, `verifier` or `person`; "" where nothing follows."""


class ConflictResolved(Payload, frozen=True, tag="conflict.resolved"):
    """Which side holds, and why."""

    about: str
    winner: str
    why: str = ""


class DuplicateDropped(Payload, frozen=True, tag="duplicate.dropped"):
    """A sub-task that was there already."""

    content: str
    same_as: int
    """Seq of the first one."""
    rule: str = ""
    """`same` or `alike`."""
    similarity: float = 1.0
    """From 0 to 1."""
    why: str = ""


class WeightAssigned(Payload, frozen=True, tag="weight.assigned"):
    """How much a sub-task counts."""

    subject: str
    weight: float
    why: str = ""


class RewardAssigned(Payload, frozen=True, tag="reward.assigned"):
    """What an attempt or a step earned."""

    value: float
    source: str
    why: str = ""
