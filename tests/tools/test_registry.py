"""Finding tools and calling them."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any, ClassVar

import pytest

from aworld.errors import ConfigurationError, ToolError
from aworld.tools import registry
from aworld.tools.base import BaseTool, ToolContext, ToolResult
from aworld.tools.catalogue import built_in
from aworld.tools.failures import MalformedCall, ToolRefused, ToolTimeout, reason_of


class Wordless:
    """What `str` cannot make a text of."""

    def __str__(self) -> str:
        raise ValueError("no words")


class Echo(BaseTool):
    """Gives back, fails or waits, as its argument says."""

    name: ClassVar[str] = "echo_for_tests"
    description: ClassVar[str] = "Give back the text."

    def get_schema(self) -> dict[str, Any]:
        return {
            "type": "object",
            "properties": {"text": {"type": "string"}},
            "required": ["text"],
            "additionalProperties": False,
        }

    async def run(self, context: ToolContext, **arguments: Any) -> ToolResult | str:
        text: str = arguments["text"]
        if text == "fail":
            raise KeyError("inner")
        if text == "refuse":
            raise ToolRefused("not that")
        if text == "exit":
            sys.exit(3)
        if text == "cancelled":
            raise asyncio.CancelledError
        if text == "wordless":
            return Wordless()  # type: ignore[return-value]
        if text == "large":
            return ToolResult("?", data={"n": 10**30})
        if text == "own timeout":
            raise TimeoutError("the database was slow")
        if text == "wait":
            await asyncio.Event().wait()
        return text

    def describe_error(self, error: Exception) -> str:
        return f"Echo broke: {error}"


@pytest.fixture
def echo() -> BaseTool:
    return registry.get("echo_for_tests")


def test_the_built_in_tools_are_found_by_their_files() -> None:
    assert {"calculator", "code_interpreter", "logic_check"} <= set(registry.names())
    effects = {tool.name: tool.effect for tool in registry.schemas()}
    assert effects["calculator"] == effects["logic_check"] == "read_only"
    assert effects["code_interpreter"] == "unsafe"


@pytest.mark.parametrize("name", sorted(built_in()))
def test_each_built_in_tool_has_a_schema_that_lists_its_parameters(name: str) -> None:
    (tool,) = registry.schemas([name])
    assert tool.description.endswith(".")
    assert tool.parameters["type"] == "object"
    assert set(tool.parameters.get("required", ())) <= set(tool.parameters["properties"])


def test_an_unknown_tool_is_named_with_the_nearest_one() -> None:
    with pytest.raises(ConfigurationError, match="no tool 'calculater'. Did you mean 'calculator'"):
        registry.get("calculater")


def test_a_tool_without_a_description_cannot_be_registered() -> None:
    class Mute(Echo):
        description: ClassVar[str] = ""

    with pytest.raises(ConfigurationError, match="'Mute' has no description"):
        registry.register(Mute)
    (problem,) = [p for p in registry.problems() if "'Mute'" in p.message]
    assert "test_registry.py:" in problem.where


async def test_a_text_becomes_a_result(echo: BaseTool) -> None:
    assert await registry.call(echo, ToolContext(), {"text": "hi"}) == ToolResult("hi")
    assert await registry.call("echo_for_tests", ToolContext(), {"text": "hi"}) == ToolResult("hi")


async def test_half_a_character_becomes_a_question_mark(echo: BaseTool) -> None:
    assert await registry.call(echo, ToolContext(), {"text": "a\ud800b"}) == ToolResult("a?b")


@pytest.mark.parametrize(
    ("arguments", "error", "text", "reason"),
    [
        ({}, MalformedCall, "the arguments lack 'text'", "malformed_call"),
        ({"text": 1}, MalformedCall, "'text' must be a string", "malformed_call"),
        ({"text": "fail"}, ToolError, "Echo broke: 'inner'", "error"),
        ({"text": "refuse"}, ToolRefused, "not that", "refused"),
        ({"text": "exit"}, ToolError, "^3$", "error"),
        ({"text": "cancelled"}, ToolError, "was cancelled from within", "error"),
        ({"text": "wordless"}, ToolError, "Echo broke: no words", "error"),
        ({"text": "large"}, ToolError, "gave data that cannot be recorded", "error"),
        ({"text": "own timeout"}, ToolError, "Echo broke: the database was slow", "error"),
        ({"text": "wait"}, ToolTimeout, "did not finish within 0.05 s", "timeout"),
    ],
)
async def test_whatever_goes_wrong_is_a_tool_error_with_its_reason(
    echo: BaseTool, arguments: dict[str, Any], error: type[ToolError], text: str, reason: str
) -> None:
    with pytest.raises(error, match=text) as raised:
        await registry.call(echo, ToolContext(), arguments, timeout_s=0.05)
    assert reason_of(raised.value) == reason


async def test_a_full_disk_is_told_in_words() -> None:
    class Keep(BaseTool, register=False):
        """Keep something."""

        def get_schema(self) -> dict[str, Any]:
            return {"type": "object", "properties": {}}

        def run(self) -> None:
            Path("/dev/full").write_text("x", encoding="utf-8")

    with pytest.raises(ToolError, match="^'keep' could not write: the disk of this machine is fu"):
        await registry.call(Keep(), ToolContext(), {})


async def test_a_cancelled_call_is_cancelled_and_not_an_error(echo: BaseTool) -> None:
    call = asyncio.create_task(registry.call(echo, ToolContext(), {"text": "wait"}))
    await asyncio.sleep(0)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
