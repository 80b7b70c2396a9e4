"""One call of a tool: checked arguments, a time limit, one kind of result, one kind of error."""

from __future__ import annotations

import asyncio
import errno
import functools
import inspect
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from aworld.errors import ToolError
from aworld.tools.base import BaseTool, ToolContext, ToolResult
from aworld.tools.failures import MalformedCall, ToolTimeout
from aworld.tools.json_schema import first_problem, with_whole_numbers
from aworld.tools.pages import first_page, shortened
from aworld.tools.results import as_result, characters, checked
from aworld.tools.threads import in_thread

_FULL = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC))


def check_arguments(tool: BaseTool, arguments: Mapping[str, Any]) -> None:
    """Compare arguments with the tool's schema.

    Raises:
        MalformedCall: they do not fit; the text says what to change.
    """
    problem = first_problem(tool.get_schema(), dict(arguments))
    if problem is not None:
        raise MalformedCall(f"The call of {tool.name!r} does not fit: {problem}. Call it again.")


async def call_tool(
    tool: BaseTool,
    context: ToolContext,
    arguments: Mapping[str, Any],
    *,
    timeout_s: float | None = None,
) -> ToolResult:
    """Call a tool; `timeout_s` None means the tool's own limit.

    Raises:
        ToolError: whatever went wrong, in words for the model (`failures.reason_of` classifies).
    """
    try:
        result = await _limited(tool, context, arguments, timeout_s)
    except ToolError as error:
        error.args = (shortened(characters(str(error))),)
        raise
    return first_page(result, context)


async def _limited(
    tool: BaseTool, context: ToolContext, arguments: Mapping[str, Any], timeout_s: float | None
) -> ToolResult:
    limit = tool.timeout_s if timeout_s is None else timeout_s
    limiter = asyncio.timeout(limit)
    try:
        check_arguments(tool, arguments)
        given = with_whole_numbers(tool.get_schema(), dict(arguments))
        async with limiter:
            value = await _started(tool, context, given)
            # A picture is drawn and a file read here: neither may stop the loop.
            result = await _as_result(value, context)
        return checked(tool.name, result)
    except (ToolError, KeyboardInterrupt):
        raise
    except asyncio.CancelledError:
        # Of this call, or something that the tool itself cancelled and then waited for.
        task = asyncio.current_task()
        if task is None or task.cancelling():
            raise
        raise ToolError(f"{tool.name!r} was cancelled from within.") from None
    except BaseException as error:  # A tool's sys.exit() must not end the worker.
        if isinstance(error, TimeoutError) and limiter.expired():
            raise ToolTimeout(
                f"{tool.name!r} did not finish within {limit:g} s and was stopped. Ask for less "
                "at once."
            ) from None
        raise ToolError(_described(tool, error)) from error


def _described(tool: BaseTool, error: BaseException) -> str:
    """The tool's own words, or the error's where it has none."""
    said = ""
    own_words = type(tool).describe_error is not BaseTool.describe_error
    if isinstance(error, OSError) and error.errno in _FULL and not own_words:
        return (
            f"{tool.name!r} could not write: the disk of this machine is full "
            f"({error.strerror}). Delete files, or tell the person who runs it."
        )
    if isinstance(error, Exception):
        try:
            said = str(tool.describe_error(error))
        except Exception as second:
            said = f"{type(error).__name__} (and describe_error failed: {type(second).__name__})"
    else:
        said = str(error)
    return said or type(error).__name__


async def _started(tool: BaseTool, context: ToolContext, arguments: dict[str, Any]) -> Any:
    """`run`, as its author wrote it: with or without a context, a coroutine or not."""
    how = _context_parameter(type(tool).run)
    first = (context,) if how == "first" else ()
    named = {how.removeprefix("="): context} if how.startswith("=") else {}
    if inspect.iscoroutinefunction(tool.run):
        return await tool.run(*first, **arguments, **named)
    value = await in_thread(tool.run, *first, **arguments, **named)
    return await value if isinstance(value, Awaitable) else value


async def _as_result(value: object, context: ToolContext) -> ToolResult:
    if isinstance(value, str | ToolResult | None):
        return as_result(value, context)
    return await in_thread(as_result, value, context)


@functools.lru_cache(maxsize=4096)
def _context_parameter(run: Callable[..., Any]) -> str:
    """How `run` takes the context: `first`, `=name` (by keyword only), or "" for not at all."""
    for number, parameter in enumerate(list(inspect.signature(run).parameters.values())[1:]):
        annotation = parameter.annotation
        # Under `from __future__ import annotations` it is a text.
        spelled = annotation.rpartition(".")[2] if isinstance(annotation, str) else ""
        is_context = annotation is ToolContext or spelled == "ToolContext"
        if not is_context and (parameter.name != "context" or annotation is not parameter.empty):
            continue
        if parameter.kind is parameter.KEYWORD_ONLY:
            return f"={parameter.name}"
        if number == 0 and parameter.kind is not parameter.VAR_KEYWORD:
            return "first"
        if parameter.kind is parameter.POSITIONAL_OR_KEYWORD:
            return f"={parameter.name}"
    return ""
