"""Exact arithmetic."""

from __future__ import annotations

from typing import Any, ClassVar

from aworld.tools.base import BaseTool, Effect, ToolContext, ToolResult
from aworld.tools.expressions.arithmetic import evaluate
from aworld.tools.expressions.numbers import as_data, write
from aworld.tools.expressions.parser import parse


class Calculator(BaseTool):
    """Works out one expression; fractions and decimals stay exact."""

    name: ClassVar[str] = "calculator"
    description: ClassVar[str] = "Work out an arithmetic expression exactly, such as 23*47."
    effect: ClassVar[Effect] = "read_only"
    timeout_s: ClassVar[float] = 10.0

    def get_schema(self) -> dict[str, Any]:
        """One expression."""
        return {
            "type": "object",
            "properties": {
                "expression": {
                    "type": "string",
                    "description": "Numbers with + - * / // % ** ( ), sqrt, abs, round, min, max, "
                    "factorial, gcd, log, sin, pi, e.",
                }
            },
            "required": ["expression"],
            "additionalProperties": False,
        }

    async def run(self, context: ToolContext, **arguments: Any) -> ToolResult:
        """The number, and the exact fraction in `data`.

        Raises:
            ToolError: it is no expression, or has no value.
        """
        value = evaluate(parse(arguments["expression"]))
        return ToolResult(write(value), data=as_data(value))
