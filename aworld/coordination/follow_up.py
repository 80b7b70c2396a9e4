"""What follows a conflict: ask again, vote, verifier, person. Says what to send, sends nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec

from aworld.coordination import answers
from aworld.coordination.policy import CoordinationPolicy, Step
from aworld.coordination.statement import Conflict, Statement


class FollowUp(msgspec.Struct, frozen=True):
    """The next step for a conflict."""

    step: Step
    to: tuple[str, ...]
    """Agents to send `text` to; empty for a vote and a person."""
    text: str
    choices: tuple[str, ...] = ()
    """For a person: the sides' passages, in their order."""


class Resolution(msgspec.Struct, frozen=True):
    """Which answer holds."""

    winner: str
    """The text of the winning answer, as its first supporter gave it."""
    by: Literal["agreement", "vote"]
    supporters: tuple[str, ...]
    why: str


def follow_up(
    conflict: Conflict,
    taken: int,
    agents: Mapping[str, str],
    policy: CoordinationPolicy = CoordinationPolicy(),
) -> FollowUp | None:
    """The step after `taken` steps; one that nobody can carry out is passed over.

    Args:
        taken: how many steps of the policy were tried for this conflict.
        agents: the role of each agent by its name.

    Returns:
        None where no step is left: the conflict stays as it is.
    """
    for step in policy.follow_up[taken:]:
        found = _carried_out(step, conflict, agents)
        if found is not None:
            return found
    return None


def step_number(found: FollowUp, policy: CoordinationPolicy) -> int:
    """How many steps are taken once this one is: what `follow_up` wants next."""
    return policy.follow_up.index(found.step) + 1


def _carried_out(step: Step, conflict: Conflict, agents: Mapping[str, str]) -> FollowUp | None:
    one, other = conflict.sides
    authors = tuple(dict.fromkeys(side.actor for side in (one, other) if side.actor in agents))
    match step:
        case "ask_again":
            return FollowUp(step, authors, _again(conflict)) if authors else None
        case "vote":
            # Two voices that differ are no majority.
            return FollowUp(step, (), _both(conflict)) if len(agents) > 2 else None
        case "verifier":
            verifiers = [name for name, role in agents.items() if role == "verifier"]
            free = [name for name in verifiers if name not in authors]
            return FollowUp(step, (free[0],), _to_verify(conflict)) if free else None
        case "person":
            choices = (one.span.text[:500], other.span.text[:500])
            return FollowUp(step, (), _both(conflict), choices)
        case "none":
            return None


def settled(question: str, said: Sequence[Statement]) -> Resolution | None:
    """The answer that all give now; None while two of them are in conflict, or none says one."""
    groups = _groups(question, said)
    if len(groups) != 1:
        return None
    first = groups[0]
    return Resolution(
        first[0].text,
        "agreement",
        tuple(statement.actor for statement in first),
        f"All {len(first)} answers agree." if len(first) > 1 else "Only one answer is left.",
    )


def vote(
    question: str, said: Sequence[Statement], weights: Mapping[str, float] | None = None
) -> Resolution | None:
    """The answer with more than half of the weight behind it; None where none has.

    Args:
        weights: by agent, 0 or more; an agent that is not in it counts 1.
    """
    counted = weights or {}
    groups = _groups(question, said)
    totals = [sum(max(counted.get(s.actor, 1.0), 0.0) for s in group) for group in groups]
    if not totals or max(totals) * 2 <= sum(totals):
        return None
    best = totals.index(max(totals))
    return Resolution(
        groups[best][0].text,
        "vote",
        tuple(statement.actor for statement in groups[best]),
        f"{max(totals):.3g} of {sum(totals):.3g} votes, {len(groups)} different answers.",
    )


def _groups(question: str, said: Sequence[Statement]) -> list[list[Statement]]:
    """Answers that agree with the first of their group; those that abstain are left out."""
    groups: list[list[Statement]] = []
    for statement in said:
        if not answers.gives_one(question, statement):
            continue
        for group in groups:
            if answers.compare(question, group[0], statement) is None:
                group.append(statement)
                break
        else:
            groups.append([statement])
    return groups


def _both(conflict: Conflict) -> str:
    one, other = conflict.sides
    return (
        f"Two statements cannot both hold. {conflict.why}\n\n"
        f"{one.actor or 'One'}: {one.span.text[:500]}\n"
        f"{other.actor or 'The other'}: {other.span.text[:500]}"
    )


def _again(conflict: Conflict) -> str:
    return (
        f"{_both(conflict)}\n\nCheck your own statement again from its sources, step by step. Then "
        "give it once more, changed or not, and say what decided."
    )


def _to_verify(conflict: Conflict) -> str:
    return (
        f"{_both(conflict)}\n\nFind out with your tools which of the two holds, or that neither "
        "does. End with FINAL ANSWER: and what holds."
    )
