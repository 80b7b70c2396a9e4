"""Finds tools by name and calls them: checked arguments, a time limit, one kind of error."""

from __future__ import annotations

import asyncio
import difflib
import functools
import importlib
import inspect
import pkgutil
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

import msgspec

from aworld.errors import ConfigurationError, ToolError
from aworld.tools.base import BaseTool, ToolContext, ToolResult
from aworld.tools.failures import MalformedCall, ToolTimeout
from aworld.tools.json_schema import first_problem

MOST_CHARACTERS = 60_000
"""Length of a result's text; what goes beyond is cut, and the text says so."""

AnyTool = TypeVar("AnyTool", bound="type[BaseTool] | BaseTool")

_registered: dict[str, BaseTool] = {}


def register(tool: AnyTool) -> AnyTool:
    """Make a tool known by its name, in place of one that has the name already. Also a decorator.

    Raises:
        ConfigurationError: it has no name or no description.
    """
    instance = tool() if isinstance(tool, type) else tool
    for field in ("name", "description"):
        if not isinstance(getattr(instance, field, None), str) or not getattr(instance, field):
            raise ConfigurationError(
                f"The tool {type(instance).__name__!r} has no {field}. Set it on its class."
            )
    _registered[instance.name] = instance
    return tool


def unregister(name: str) -> None:
    """Forget a tool that was registered."""
    _registered.pop(name, None)


def names() -> list[str]:
    """The names of all tools."""
    return sorted({**_built_in(), **_registered})


def get(name: str) -> BaseTool:
    """A tool by name.

    Raises:
        ConfigurationError: there is none; the text names the nearest.
    """
    tool = _registered.get(name) or _built_in().get(name)
    if tool is not None:
        return tool
    known = names()
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    raise ConfigurationError(f"There is no tool {name!r}.{hint} Known: {', '.join(known)}.")


class ToolDescription(msgspec.Struct, frozen=True):
    """What a model, and the page, know of a tool."""

    name: str
    description: str
    parameters: dict[str, Any]
    """JSON Schema of the arguments object."""
    effect: str


def describe(tool: BaseTool) -> ToolDescription:
    """A tool's description."""
    return ToolDescription(tool.name, tool.description, tool.get_schema(), tool.effect)


def schemas(wanted: Iterable[str] | None = None) -> list[ToolDescription]:
    """The descriptions of some tools, or of all.

    Raises:
        ConfigurationError: one of them does not exist.
    """
    return [describe(get(name)) for name in (names() if wanted is None else wanted)]


def check_arguments(tool: BaseTool, arguments: Mapping[str, Any]) -> None:
    """Compare arguments with the tool's schema.

    Raises:
        MalformedCall: they do not fit; the text says what to change.
    """
    problem = first_problem(tool.get_schema(), dict(arguments))
    if problem is not None:
        raise MalformedCall(f"The call of {tool.name!r} does not fit: {problem}. Call it again.")


async def call(
    tool: BaseTool | str,
    context: ToolContext,
    arguments: Mapping[str, Any],
    *,
    timeout_s: float | None = None,
) -> ToolResult:
    """Call a tool; `timeout_s` None means the tool's own limit.

    Raises:
        ToolError: whatever went wrong, in words for the model (`failures.reason_of` classifies).
        ConfigurationError: there is no tool of that name.
    """
    found = get(tool) if isinstance(tool, str) else tool
    check_arguments(found, arguments)
    limit = found.timeout_s if timeout_s is None else timeout_s
    limiter = asyncio.timeout(limit)
    try:
        async with limiter:
            result = _recordable(found.name, await found.run(context, **arguments))
    except ToolError:
        raise
    except asyncio.CancelledError:
        # Of this call, or something that the tool itself cancelled and then waited for.
        task = asyncio.current_task()
        if task is None or task.cancelling():
            raise
        raise ToolError(f"{found.name!r} was cancelled from within.") from None
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # A tool's sys.exit() must not end the worker.
        if isinstance(error, TimeoutError) and limiter.expired():
            raise ToolTimeout(
                f"{found.name!r} did not finish within {limit:g} s and was stopped. Ask for less "
                "at once."
            ) from None
        said = found.describe_error(error) if isinstance(error, Exception) else str(error)
        raise ToolError(_characters(said or type(error).__name__)) from error
    return _within_limits(result)


def _recordable(name: str, result: object) -> ToolResult:
    """The result as a log can keep it.

    Raises:
        ToolError: its data is of no JSON type.
    """
    given = result if isinstance(result, ToolResult) else ToolResult(str(result))
    # Nothing checks what a tool's author puts into the struct.
    text = _characters(str(given.text))
    try:
        msgspec.msgpack.encode(given.data)
    except (OverflowError, UnicodeEncodeError, RecursionError, TypeError) as error:
        raise ToolError(
            f"{name!r} gave data that cannot be recorded ({error}). Its author must give JSON: "
            "text, lists, objects, numbers of at most 64 bits."
        ) from error
    return given if text == given.text else msgspec.structs.replace(given, text=text)


def _characters(text: str) -> str:
    """The text with a question mark for each half of a surrogate pair."""
    return text.encode("utf-8", "replace").decode()


def _within_limits(result: ToolResult) -> ToolResult:
    if len(result.text) <= MOST_CHARACTERS:
        return result
    note = f"\n… cut: {MOST_CHARACTERS} of {len(result.text)} characters are shown."
    return msgspec.structs.replace(result, text=result.text[:MOST_CHARACTERS] + note)


@functools.cache
def _built_in() -> dict[str, BaseTool]:
    """The tools of `builtin/`, one a file."""
    package = importlib.import_module("aworld.tools.builtin")
    found: dict[str, BaseTool] = {}
    for entry in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        module = importlib.import_module(entry.name)
        for member in vars(module).values():
            # What a file imports is not its own.
            own = isinstance(member, type) and member.__module__ == module.__name__
            if own and issubclass(member, BaseTool) and not inspect.isabstract(member):
                tool = member()
                found[tool.name] = tool
    return found
