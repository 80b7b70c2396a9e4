"""Tools by name, and calling them."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

import msgspec

from aworld.errors import ConfigurationError
from aworld.tools import definitions
from aworld.tools.base import BaseTool, ToolContext, ToolResult
from aworld.tools.calling import call_tool, check_arguments
from aworld.tools.catalogue import catalogue, first_fault, registered
from aworld.tools.mcp.known_servers import find_tool, known_tools
from aworld.tools.mcp.listing import PREFIX
from aworld.tools.user_tools import ToolProblem

__all__ = [
    "ToolDescription",
    "call",
    "check_arguments",
    "describe",
    "get",
    "names",
    "problems",
    "register",
    "schemas",
    "sources",
    "unregister",
]

AnyTool = TypeVar("AnyTool", bound="type[BaseTool] | BaseTool")


def register(tool: AnyTool) -> AnyTool:
    """Make a tool known by its name, in place of one that has the name already. Also a decorator.

    A class that is defined is known without this; it is for tools that are made with arguments,
    and for taking another's place.

    Raises:
        ConfigurationError: it has no name, no description, or no proper schema.
    """
    instance = tool() if isinstance(tool, type) else tool
    fault = first_fault(instance)
    if fault:
        raise ConfigurationError(fault)
    registered[instance.name] = instance
    return tool


def unregister(name: str) -> None:
    """Forget a tool that was registered or defined; one that ships comes back to its place."""
    registered.pop(name, None)
    for definition in definitions.definitions():
        if definition.what.name == name:
            definitions.forget(definition.what)


def names() -> list[str]:
    """The names of all tools, those of the MCP servers that were asked before included."""
    return sorted({**catalogue().tools, **known_tools()})


def sources() -> dict[str, str]:
    """Where each tool is from, by name: `built in`, `registered`, an MCP server, or a file."""
    from_servers = {name: f"MCP server {tool.spec.name}" for name, tool in known_tools().items()}
    return from_servers | {name: entry.source for name, entry in catalogue().tools.items()}


def problems() -> list[ToolProblem]:
    """What was to be a tool and is none, with where it stands."""
    return list(catalogue().problems)


def get(name: str) -> BaseTool:
    """A tool by name.

    Raises:
        ConfigurationError: there is none; the text names the nearest.
    """
    entry = catalogue().tools.get(name)
    if entry is not None:
        return entry.tool
    if name.startswith(PREFIX):
        return find_tool(name)
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


async def call(
    tool: BaseTool | str,
    context: ToolContext,
    arguments: Mapping[str, Any],
    *,
    timeout_s: float | None = None,
) -> ToolResult:
    """Call a tool; `timeout_s` None means the tool's own limit. A long text comes as its first
    page, with the whole attached.

    Raises:
        ToolError: whatever went wrong, in words for the model (`failures.reason_of` classifies).
        ConfigurationError: there is no tool of that name.
    """
    found = get(tool) if isinstance(tool, str) else tool
    return await call_tool(found, context, arguments, timeout_s=timeout_s)
