"""All tools there are, by name, and what keeps others from being one.

A name is given once: what was registered on purpose comes first, then what ships, then what was
defined elsewhere, oldest first. Whoever comes second is a problem, never a surprise.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import pkgutil
import re
import threading
from typing import Any, NamedTuple

import msgspec

from aworld.tools import definitions
from aworld.tools.base import BaseTool
from aworld.tools.user_tools import ToolProblem, user_tools

_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_EFFECTS = ("read_only", "idempotent", "unsafe")


class Entry(NamedTuple):
    """A tool and where it is from."""

    tool: BaseTool
    source: str
    """`built in`, `registered`, or the file that defines it."""


class Catalogue(NamedTuple):
    """What there is at one moment."""

    tools: dict[str, Entry]
    problems: list[ToolProblem]


registered: dict[str, BaseTool] = {}
"""Tools that were registered on purpose, by name."""

_lock = threading.RLock()
_made: dict[int, tuple[Any, BaseTool | ToolProblem | None]] = {}
_last: tuple[object, Catalogue] | None = None


def catalogue() -> Catalogue:
    """The tools as of now: files of the owner's folder that changed are read again."""
    global _last
    with _lock:
        reading = user_tools.refresh()
        state = (definitions.revision(), dict(registered), tuple(reading))
        if _last is None or _last[0] != state:
            _last = (state, _collect(reading))
        return _last[1]


def _collect(reading: list[ToolProblem]) -> Catalogue:
    tools = {name: Entry(tool, "registered") for name, tool in registered.items()}
    for name, tool in built_in().items():
        tools.setdefault(name, Entry(tool, "built in"))
    problems = list(reading)
    defined = definitions.definitions()
    for gone in _made.keys() - {id(definition.what) for definition in defined}:
        del _made[gone]
    for definition in defined:
        made = _tool_of(definition)
        if isinstance(made, ToolProblem):
            problems.append(made)
        elif made is not None:
            taken = tools.setdefault(made.name, Entry(made, definition.where.rpartition(":")[0]))
            if taken.tool is not made and type(taken.tool) is not definition.what:
                problems.append(ToolProblem(definition.where, _is_taken(made.name, taken.source)))
    return Catalogue(dict(sorted(tools.items())), problems)


def _is_taken(name: str, source: str) -> str:
    return (
        f"There is a tool {name!r} already ({source}). Give this one another name, or call "
        "register with it if it is to take the other's place."
    )


def _tool_of(definition: definitions.Definition) -> BaseTool | ToolProblem | None:
    """The tool of a definition; None where it was not meant to be one, such as an abstract class.
    Made once."""
    what = definition.what
    known = _made.get(id(what))
    if known is None or known[0] is not what:
        known = _made[id(what)] = (what, _make(definition))
    return known[1]


def _make(definition: definitions.Definition) -> BaseTool | ToolProblem | None:
    what, module = definition.what, definition.module
    if module.startswith("aworld."):
        # What ships is found by its file; the rest of the library's are no tools of their own.
        return None
    if isinstance(what, type) and (inspect.isabstract(what) or _needs_arguments(what)):
        return None
    try:
        tool = what() if isinstance(what, type) else what
        fault = first_fault(tool)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return ToolProblem(definition.where, f"{type(error).__name__}: {error}")
    return ToolProblem(definition.where, fault) if fault else tool


def _needs_arguments(tool_class: type[BaseTool]) -> bool:
    parameters = list(inspect.signature(tool_class.__init__).parameters.values())[1:]
    return any(
        parameter.default is parameter.empty
        and parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
        for parameter in parameters
    )


def first_fault(tool: BaseTool) -> str:
    """What is wrong with a tool, in a sentence; "" where nothing is."""
    who = f"The tool {type(tool).__name__!r}"
    for field in ("name", "description"):
        if not isinstance(getattr(tool, field, None), str) or not getattr(tool, field):
            how = " or write a docstring" if field == "description" else ""
            return f"{who} has no {field}. Set it on its class{how}."
    if not _NAME.fullmatch(tool.name):
        return (
            f"{who} is named {tool.name!r}; models know names of A-Z, a-z, 0-9, _ and - only, "
            "at most 64."
        )
    if tool.effect not in _EFFECTS:
        return f"{who} has the effect {tool.effect!r}. Effects are: {', '.join(_EFFECTS)}."
    if isinstance(tool.timeout_s, bool) or not isinstance(tool.timeout_s, int | float):
        return f"{who} has the time limit {tool.timeout_s!r}. Give it in seconds."
    return _schema_fault(who, tool.get_schema())


def _schema_fault(who: str, schema: object) -> str:
    if not isinstance(schema, dict) or schema.get("type") != "object":
        return f"{who} has a schema that is no object's. Begin it with {{'type': 'object'}}."
    if not isinstance(schema.get("properties", {}), dict):
        return f"{who} has a schema whose properties are no mapping of names to schemas."
    try:
        msgspec.json.encode(schema)
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        return f"{who} has a schema that is no JSON ({error})."
    return ""


@functools.cache
def built_in() -> dict[str, BaseTool]:
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
