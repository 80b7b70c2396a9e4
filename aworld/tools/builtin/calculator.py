"""Exact arithmetic, with units."""

from __future__ import annotations

import asyncio
from typing import Any, ClassVar

from aworld.errors import ToolError
from aworld.tools.base import BaseTool, Effect, ToolContext, ToolResult
from aworld.tools.expressions.arithmetic import evaluate
from aworld.tools.expressions.numbers import as_data, write
from aworld.tools.expressions.parser import parse
from aworld.tools.quantities.evaluation import work_out
from aworld.tools.quantities.quantity import write_units
from aworld.tools.quantities.reading import has_names, read


class Calculator(BaseTool):
    """Works out one expression; fractions and decimals stay exact."""

    name: ClassVar[str] = "calculator"
    description: ClassVar[str] = "Work out an arithmetic expression exactly, such as 23*47."
    effect: ClassVar[Effect] = "read_only"
    timeout_s: ClassVar[float] = 20.0
    long_results: ClassVar[bool] = False

    def get_schema(self) -> dict[str, Any]:
        """One expression."""
        return {
            "type": "object",
            "properties": {
                "expression": {
                    "type": "string",
                    "description": "Numbers with + - * / // % ** ( ), sqrt, abs, round, min, max, "
                    "factorial, gcd, log, sin, pi, e; with units: 3 km + 200 m, 5 mile in km.",
                }
            },
            "required": ["expression"],
            "additionalProperties": False,
        }

    async def run(self, context: ToolContext, **arguments: Any) -> ToolResult:
        """The number and its unit; the exact fraction is in `data`.

        Raises:
            ToolError: it is no expression, has no value, or its units do not fit.
        """
        expression = arguments["expression"]
        try:
            if has_names(expression):
                # The first time, the definitions of units are read.
                return await asyncio.to_thread(_with_units, expression)
            value = evaluate(parse(expression))
        except RecursionError:
            raise ToolError("The expression has too many parts. Split it, or use sum.") from None
        return ToolResult(write(value), data=as_data(value))


def _with_units(expression: str) -> ToolResult:
    found = work_out(read(expression))
    if found.plain:
        return ToolResult(write(found.value), data=as_data(found.value))
    unit = write_units(found.units)
    return ToolResult(f"{write(found.value)} {unit}", data={**as_data(found.value), "unit": unit})
