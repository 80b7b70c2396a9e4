"""Functions as tools."""

from __future__ import annotations

from typing import Literal

import msgspec
import pytest

from aworld.errors import ConfigurationError, ToolError
from aworld.tools import registry
from aworld.tools.base import ToolContext, ToolResult
from aworld.tools.failures import MalformedCall
from aworld.tools.function_tool import FunctionTool, function_tool


class Point(msgspec.Struct):
    """A place."""

    x: int
    y: int = 0


@function_tool(effect="read_only")
def distance(start: Point, to: list[int], unit: Literal["m", "km"] = "m") -> dict[str, float]:
    """How far two places
    are apart.

    Args:
        start: where to begin
        unit: of the result
    """
    return {unit: abs(start.x - to[0]) + abs(start.y - to[1])}


@function_tool
async def whereabouts(context: ToolContext, greeting: str = "hello") -> str:
    """Who asks."""
    return f"{greeting} {context.agent}"


def test_the_schema_is_the_functions_signature() -> None:
    assert (distance.name, distance.effect) == ("distance", "read_only")
    assert distance.description == "How far two places are apart."
    assert distance.get_schema() == {
        "type": "object",
        "properties": {
            "start": {"$ref": "#/$defs/Point", "description": "where to begin"},
            "to": {"type": "array", "items": {"type": "integer"}},
            "unit": {"enum": ["km", "m"], "default": "m", "description": "of the result"},
        },
        "required": ["start", "to"],
        "additionalProperties": False,
        "$defs": {
            "Point": {
                "title": "Point",
                "description": "A place.",
                "type": "object",
                "properties": {
                    "x": {"type": "integer"},
                    "y": {"type": "integer", "default": 0},
                },
                "required": ["x"],
            }
        },
    }


async def test_arguments_arrive_as_the_functions_own_types() -> None:
    result = await registry.call(distance, ToolContext(), {"start": {"x": 1}, "to": [4, 4]})
    assert result == ToolResult('{"m":7}', data={"m": 7})


async def test_the_context_is_given_and_not_asked_for() -> None:
    assert "context" not in whereabouts.get_schema()["properties"]
    result = await registry.call(whereabouts, ToolContext(agent="solver"), {})
    assert result.text == "hello solver"


async def test_arguments_of_a_wrong_type_are_refused_before_the_call() -> None:
    with pytest.raises(MalformedCall, match="'x' must be a whole number"):
        await registry.call(distance, ToolContext(), {"start": {"x": "far"}, "to": [1, 2]})


async def test_an_error_of_the_function_is_told_to_the_model() -> None:
    with pytest.raises(ToolError, match="list index out of range"):
        await registry.call(distance, ToolContext(), {"start": {"x": 1}, "to": []})


async def test_a_default_that_can_change_is_fresh_for_each_call() -> None:
    def collect(item: str, into: list[str] = []) -> list[str]:  # noqa: B006
        into.append(item)
        return into

    tool = FunctionTool(collect, description="Collect.")
    for item in ("a", "b"):
        assert (await registry.call(tool, ToolContext(), {"item": item})).data == [item]


def test_a_parameter_without_a_type_is_named() -> None:
    def bad(thing) -> str:  # type: ignore[no-untyped-def]
        return str(thing)

    with pytest.raises(ConfigurationError, match="'thing' of tool 'bad' has no type"):
        function_tool(bad)


def test_a_parameter_that_json_cannot_carry_is_refused() -> None:
    def bad(thing: complex) -> str:
        return str(thing)

    with pytest.raises(ConfigurationError, match="'bad' has a parameter that JSON cannot carry"):
        FunctionTool(bad)
