"""How much each sub-task of a plan counts: by role, past success on like tasks, and cost."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import msgspec

from aworld.coordination.policy import CoordinationPolicy
from aworld.coordination.similarity import cosine
from aworld.coordination.statement import readable
from aworld.coordination.subtask import SubTask
from aworld.coordination.words import content
from aworld.errors import ConfigurationError

ROLES: Mapping[str, float] = {
    "planner": 1.2, "solver": 1.0, "coder": 1.0, "verifier": 0.8, "retriever": 0.6,
}  # fmt: skip
"""What a role's work counts before anything is known about it; a role that is not here 1."""
LIKE = 0.2
"""Least cosine of two tasks' words for the one to say something about the other."""
PRIOR = 2.0
"""Imagined past tasks, half of them done, so that one success is no certainty."""
CHEAPEST, DEAREST = 1.25, 0.8
"""Factors of a sub-task that costs nothing beside the others, and of one that costs all."""


class Past(msgspec.Struct, frozen=True):
    """A sub-task that is over."""

    content: str
    role: str
    succeeded: bool


class Weight(msgspec.Struct, frozen=True):
    """How much one sub-task counts, and why."""

    subject: str
    weight: float
    """From 0 to 1; all of one plan sum to 1."""
    role: float
    success: float
    """Expected part of like tasks that succeed, 0 to 1; 0.5 where none is known."""
    cost: float
    why: str


def weigh(
    tasks: Sequence[SubTask],
    past: Sequence[Past] = (),
    policy: CoordinationPolicy = CoordinationPolicy(),
) -> list[Weight]:
    """The weights of a plan's sub-tasks, in their order; they sum to 1.

    A weight is the product of three factors, divided by their sum: the role's own, the expected
    success (0.5 to 1.5 of the role's), and the cost beside the mean of the plan.

    Raises:
        ConfigurationError: a cost is negative or no number.
    """
    for task in tasks:
        if not (task.cost >= 0 and math.isfinite(task.cost)):
            raise ConfigurationError(
                f"The cost of {task.content[:60]!r} is {task.cost}; it must be 0 or more."
            )
    if not policy.weights:
        return [
            Weight(task.content, 1 / len(tasks), 1.0, 0.5, 1.0, "Weights are off: all alike.")
            for task in tasks
        ]
    drawn = [_drawn(task, tasks, past) for task in tasks]
    total = sum(weight.weight for weight in drawn)
    return [
        msgspec.structs.replace(weight, weight=weight.weight / total, why=_share(weight, total))
        for weight in drawn
    ]


def _drawn(task: SubTask, tasks: Sequence[SubTask], past: Sequence[Past]) -> Weight:
    role = ROLES.get(task.role, 1.0)
    success, seen = _success(task, past)
    cost = _cost(task.cost, [other.cost for other in tasks])
    known = f"{seen:.3g} like tasks before" if seen else "no like task before"
    why = (
        f"role {task.role or 'none'} {role:g} × success {0.5 + success:.2f} ({known}) × "
        f"cost {cost:.2f}"
    )
    return Weight(task.content, role * (0.5 + success) * cost, role, success, cost, why)


def _success(task: SubTask, past: Sequence[Past]) -> tuple[float, float]:
    """Expected success, and how many like tasks (each by its likeness) stand behind it."""
    words = content(readable(task.content))
    seen = done = 0.0
    for other in past:
        likeness = cosine(words, content(readable(other.content)))
        if likeness < LIKE or (task.role and other.role and task.role != other.role):
            continue
        seen += likeness
        done += likeness * other.succeeded
    return (done + PRIOR / 2) / (seen + PRIOR), seen


def _cost(own: float, all_costs: Sequence[float]) -> float:
    mean = sum(all_costs) / len(all_costs)
    if mean == 0:
        return 1.0
    part = own / (own + mean)
    return CHEAPEST + (DEAREST - CHEAPEST) * part


def _share(weight: Weight, total: float) -> str:
    return f"{weight.weight / total:.0%} of the plan: {weight.why}."
