"""Whether a propositional claim holds for all truth values."""

from __future__ import annotations

import itertools
from collections.abc import Mapping

from aworld.errors import ToolError
from aworld.tools.expressions.claims import Verdict, join
from aworld.tools.expressions.tree import Binary, Name, Node, Unary, names

MOST_VARIABLES = 14
"""A table has two to the power of this many rows."""

_FIXED = {"true": True, "false": False}


def check_propositions(node: Node) -> Verdict:
    """Try all truth values; the first that make the claim false are the reason.

    Raises:
        ToolError: it has numbers or functions in it, or too many variables.
    """
    variables = sorted(name for name in names(node) if name.lower() not in _FIXED)
    if len(variables) > MOST_VARIABLES:
        raise ToolError(
            f"The claim has {len(variables)} variables; at most {MOST_VARIABLES} can be tried. "
            "Split it."
        )
    for row in itertools.product((True, False), repeat=len(variables)):
        values = dict(zip(variables, row, strict=True))
        if not _truth(node, values):
            shown = ", ".join(f"{name} = {str(value).lower()}" for name, value in values.items())
            return Verdict(False, f"not for {shown}" if shown else "it never holds")
    return Verdict(True)


def _truth(node: Node, values: Mapping[str, bool]) -> bool:
    match node:
        case Name():
            fixed = _FIXED.get(node.name.lower())
            return values[node.name] if fixed is None else fixed
        case Unary(operator="not"):
            return not _truth(node.operand, values)
        case Binary(operator="and" | "or" | "implies" | "iff"):
            return join(node.operator, _truth(node.left, values), _truth(node.right, values))
        case _:
            raise ToolError(
                "The claim joins numbers as if they were true or false. Compare them first, like "
                "'x + 1 > x and y == 2'."
            )
