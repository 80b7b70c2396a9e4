"""What the types of a team's definition let pass: names nobody reads, numbers out of range."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from aworld.events.run import Limits
from aworld.llm.base import Parameters

BESIDE = ("breakpoints",)
"""Fields of a run's copy of a team that are no part of the team."""


class Range(NamedTuple):
    """Which numbers a field takes."""

    least: float
    most: float


_ANY = 2.0**53
_RANGES: dict[str, Range] = {
    "limits.steps": Range(1, _ANY),
    "limits.tokens": Range(1, _ANY),
    "limits.seconds": Range(0.001, _ANY),
    "limits.cost_usd": Range(0, _ANY),
    "max_rounds": Range(0, 1000),
    "parameters.temperature": Range(0, 100),
    "parameters.top_p": Range(0, 1),
    "parameters.max_tokens": Range(1, _ANY),
    "parameters.seed": Range(-_ANY, _ANY),
    "parameters.timeout_s": Range(0.001, 86_400),
}


def unknown_fields(
    where: str, given: dict[str, Any], known: Sequence[str]
) -> Iterator[tuple[str, str]]:
    """`(where, message)` of each field that nothing reads: a slip of the pen would go unseen."""
    for name in given:
        if name not in known:
            near = difflib.get_close_matches(str(name), known, n=1)
            hint = f" Did you mean {near[0]!r}?" if near else f" Fields are: {', '.join(known)}."
            yield f"{where}{name}", f"There is no field {name!r}.{hint}"


def out_of_range(where: str, kind: str, values: object) -> Iterator[tuple[str, str]]:
    """`(where, message)` of each number that cannot be meant; `kind` is `limits` or such."""
    for field, (least, most) in _RANGES.items():
        group, _, name = field.rpartition(".")
        value = getattr(values, name, None) if group == kind else None
        if isinstance(value, int | float) and not least <= value <= most:
            yield f"{where}{name}", f"{name} is {value:g}; it must be {_words(least, most)}."


def _words(least: float, most: float) -> str:
    return f"at least {least:g}" if most == _ANY else f"{least:g} to {most:g}"


PARAMETER_FIELDS = Parameters.__struct_fields__
LIMIT_FIELDS = Limits.__struct_fields__
