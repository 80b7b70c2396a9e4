"""Verdicts as the payloads of events, which a coordinator node publishes."""

from __future__ import annotations

from aworld.coordination.dedupe import Duplicate
from aworld.coordination.follow_up import FollowUp, Resolution
from aworld.coordination.statement import Conflict, Side
from aworld.coordination.validation import Validation
from aworld.coordination.weighting import Weight
from aworld.events.conversation import VerificationFailed, VerificationPassed
from aworld.events.coordination import (
    ConflictDetected,
    ConflictResolved,
    DuplicateDropped,
    WeightAssigned,
)

_SHOWN = 2000
"""Characters of a passage that an event holds; the whole stands in the message's own event."""


def conflict_detected(conflict: Conflict, follow_up: FollowUp | None = None) -> ConflictDetected:
    """`conflict.detected`, with each side's passage and place, and what follows."""
    one, other = conflict.sides
    return ConflictDetected(
        about=conflict.about,
        sides=(_side(one), _side(other)),
        rule=conflict.rule,
        why=conflict.why,
        follow_up=follow_up.step if follow_up else "",
    )


def conflict_resolved(conflict: Conflict, resolution: Resolution) -> ConflictResolved:
    """`conflict.resolved`: the answer that holds, and who is behind it."""
    behind = ", ".join(name for name in resolution.supporters if name)
    why = f"{resolution.why} Behind it: {behind}." if behind else resolution.why
    return ConflictResolved(about=conflict.about, winner=resolution.winner[:_SHOWN], why=why)


def duplicate_dropped(found: Duplicate) -> DuplicateDropped:
    """`duplicate.dropped`, with the first sub-task's seq and how alike the two are."""
    return DuplicateDropped(
        content=found.content,
        same_as=found.same_as.seq,
        rule=found.rule,
        similarity=found.similarity,
        why=found.why,
    )


def weight_assigned(weight: Weight) -> WeightAssigned:
    """`weight.assigned`, its reason the three factors."""
    return WeightAssigned(subject=weight.subject, weight=weight.weight, why=weight.why)


def verified(result: str, validation: Validation) -> VerificationPassed | VerificationFailed:
    """`verification.passed` or `.failed`, its evidence the rules checked or broken."""
    shown = result[:_SHOWN]
    if validation.holds:
        checked = ", ".join(validation.checked) or "nothing"
        return VerificationPassed(answer=shown, evidence=f"Checked by rule: {checked}.")
    return VerificationFailed(
        answer=shown, evidence="\n".join(finding.why for finding in validation.findings)[:_SHOWN]
    )


def _side(side: Side) -> dict[str, str | int]:
    return {
        "seq": side.seq,
        "actor": side.actor,
        "statement": side.span.text[:_SHOWN],
        "start": side.span.start,
        "end": side.span.end,
    }
