"""Checks claims of arithmetic and logic."""

from __future__ import annotations

from typing import Any, ClassVar

from aworld.errors import ToolError
from aworld.tools.algebra import check_algebra
from aworld.tools.base import BaseTool, Effect, ToolContext, ToolResult
from aworld.tools.expressions.claims import Undecided, Verdict, check_numbers
from aworld.tools.expressions.functions import CONSTANTS, FUNCTIONS
from aworld.tools.expressions.parser import parse
from aworld.tools.expressions.predicates import is_predicate
from aworld.tools.expressions.quantified_claims import check_quantified
from aworld.tools.expressions.quantifiers import read_quantified
from aworld.tools.expressions.tree import Node, claims_of, functions, has_comparison, names
from aworld.tools.expressions.truth_table import check_propositions


class LogicCheck(BaseTool):
    """Says whether a claim holds, and where it does not, what holds instead."""

    name: ClassVar[str] = "logic_check"
    description: ClassVar[str] = (
        "Check a claim such as 23*47 == 1081 or (p and q) implies p; says true, or false and why."
    )
    effect: ClassVar[Effect] = "read_only"
    timeout_s: ClassVar[float] = 120.0
    long_results: ClassVar[bool] = False

    def get_schema(self) -> dict[str, Any]:
        """One claim."""
        return {
            "type": "object",
            "properties": {
                "claim": {
                    "type": "string",
                    "description": "Numbers or variables compared with == != < <= > >=, joined "
                    "with and, or, not, implies, iff. A claim with variables must hold for all "
                    "real numbers, or for all truth values, or say for which: for all integers "
                    "n >= 1: even(n*(n+1)); exists x in 1..9: x^2 == 49.",
                }
            },
            "required": ["claim"],
            "additionalProperties": False,
        }

    async def run(self, context: ToolContext, **arguments: Any) -> ToolResult:
        """`true`, or `false: ` and the reason; `data` is `{holds: bool, why: str}`.

        Raises:
            ToolError: it is no claim, or cannot be decided.
        """
        claim = arguments["claim"].strip().rstrip(".")
        quantified = read_quantified(claim)
        try:
            if quantified is not None:
                verdict = await check_quantified(quantified, claim)
            else:
                verdict = await _check(parse(claim), claim)
        except RecursionError:
            raise ToolError("The claim has too many parts. Check them one by one.") from None
        text = "true" if verdict.holds else "false"
        text = f"{text}: {verdict.why}" if verdict.why else text
        return ToolResult(text, data={"holds": verdict.holds, "why": verdict.why})


async def _check(node: Node, claim: str) -> Verdict:
    if any(is_predicate(part) for part in claims_of(node)):
        return _numbers_alone(node, claim)
    free = {name for name in names(node) if name.lower() not in CONSTANTS} - {"true", "false"}
    if not has_comparison(node):
        if not names(node):
            raise ToolError(
                f"{claim!r} is a calculation, not a claim. Compare it, like '{claim} == 4'."
            )
        return check_propositions(node)
    if not free:
        try:
            return check_numbers(node, claim)
        except Undecided:
            pass
    unknown = sorted(functions(node) - set(FUNCTIONS))
    if unknown:
        raise ToolError(f"There is no function {unknown[0]!r}. Known: {', '.join(FUNCTIONS)}.")
    return await check_algebra(node, claim)


def _numbers_alone(node: Node, claim: str) -> Verdict:
    free = sorted(name for name in names(node) if name.lower() not in CONSTANTS)
    if free:
        raise ToolError(
            f"Say for which {free[0]} it is claimed, such as 'for all integers {free[0]}: {claim}'."
        )
    try:
        return check_numbers(node, claim)
    except Undecided:
        raise ToolError(f"The claim {claim!r} could not be decided.") from None
