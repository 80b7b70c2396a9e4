"""Checks claims of arithmetic and logic."""

from __future__ import annotations

from typing import Any, ClassVar

from aworld.errors import ToolError
from aworld.tools.algebra import check_algebra
from aworld.tools.base import BaseTool, Effect, ToolContext, ToolResult
from aworld.tools.expressions.claims import Undecided, Verdict, check_numbers
from aworld.tools.expressions.functions import CONSTANTS, FUNCTIONS
from aworld.tools.expressions.parser import parse
from aworld.tools.expressions.tree import Node, functions, has_comparison, names
from aworld.tools.expressions.truth_table import check_propositions


class LogicCheck(BaseTool):
    """Says whether a claim holds, and where it does not, what holds instead."""

    name: ClassVar[str] = "logic_check"
    description: ClassVar[str] = (
        "Check a claim such as 23*47 == 1081 or (p and q) implies p; says true, or false and why."
    )
    effect: ClassVar[Effect] = "read_only"
    timeout_s: ClassVar[float] = 40.0
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
                    "real numbers, or for all truth values.",
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
        verdict = await _check(parse(claim), claim)
        text = "true" if verdict.holds else f"false: {verdict.why}"
        return ToolResult(text, data={"holds": verdict.holds, "why": verdict.why})


async def _check(node: Node, claim: str) -> Verdict:
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
