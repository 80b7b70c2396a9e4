"""The front door of conflict detection: answers, claims and files of several agents."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from aworld.coordination import answers, claims, files
from aworld.coordination.files import Write
from aworld.coordination.policy import CoordinationPolicy
from aworld.coordination.statement import Conflict, Statement

MOST = 50
"""Conflicts of one call that are given; a coordinator has no use for more."""


def between_answers(
    question: str, said: Sequence[Statement], policy: CoordinationPolicy = CoordinationPolicy()
) -> list[Conflict]:
    """Conflicts between answers to one question, pair by pair in the order they were given.

    Args:
        question: what all were asked; its own numbers and names are not taken for answers.
        said: one statement an agent, whole messages allowed.
    """
    if not policy.conflicts:
        return []
    pairs = (answers.compare(question, one, other) for one, other in combinations(said, 2))
    return [conflict for conflict in pairs if conflict is not None][:MOST]


def between_claims(
    said: Sequence[Statement], policy: CoordinationPolicy = CoordinationPolicy()
) -> list[Conflict]:
    """Conflicts between sentences of different agents' statements.

    Give what agents say, not what tools return: a page's text asserts all sorts of things.
    """
    if not policy.claims:
        return []
    found: list[Conflict] = []
    for one, other in combinations([claims.read(statement) for statement in said], 2):
        found += claims.compare(one, other)
        if len(found) >= MOST:
            break
    return found[:MOST]


def between_writes(
    written: Sequence[Write], policy: CoordinationPolicy = CoordinationPolicy()
) -> list[Conflict]:
    """Conflicts between writes of one file by different agents: each against its newest before."""
    if not policy.files:
        return []
    newest: dict[str, Write] = {}
    found = []
    for write in written:
        earlier = newest.get(files.place(write.path))
        conflict = files.compare(earlier, write) if earlier is not None else None
        if conflict is not None:
            found.append(conflict)
        newest[files.place(write.path)] = write
    return found[:MOST]
