"""Tools that were defined in this process: subclasses of `BaseTool`, decorated functions.

The list is filled as Python reads the definitions; `catalogue` makes tools of it when one is asked
for, so that a definition costs nothing and may be abstract.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from aworld.tools.base import BaseTool

_LIBRARY = ("abc", "aworld.tools.base", "aworld.tools.function_tool", __name__)


class Definition(NamedTuple):
    """Something that is or may become a tool."""

    what: type[BaseTool] | BaseTool
    module: str
    where: str
    """`file:line` of the definition."""


_lock = threading.Lock()
_defined: dict[tuple[str, str], Definition] = {}
_revision = 0


def define(what: type[BaseTool] | BaseTool, module: str, name: str) -> None:
    """Note a definition, in place of the one of the same name in the same module: a notebook's
    cell that is run again, a module that is read again."""
    global _revision
    with _lock:
        # At the end also where it is there already: the newest definition is last.
        _defined.pop((module, name), None)
        _defined[module, name] = Definition(what, module, _caller())
        _revision += 1


def forget(what: type[BaseTool] | BaseTool) -> None:
    """Take one back."""
    _keep(lambda found: found.what is not what)


def forget_module(module: str) -> None:
    """Take back what a module defined."""
    _keep(lambda found: found.module != module)


def definitions() -> list[Definition]:
    """All of them, oldest first."""
    with _lock:
        return list(_defined.values())


def revision() -> int:
    """Grows whenever the list changes."""
    return _revision


def _keep(wanted: Callable[[Definition], bool]) -> None:
    global _revision
    with _lock:
        kept = {key: found for key, found in _defined.items() if wanted(found)}
        if len(kept) != len(_defined):
            _defined.clear()
            _defined.update(kept)
            _revision += 1


def _caller() -> str:
    """Where the class statement or the decorator stands."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__") in _LIBRARY:
        frame = frame.f_back
    return f"{frame.f_code.co_filename}:{frame.f_lineno}"
