"""Finds a getter by the `type` in a task's `result` or `expected`."""

from __future__ import annotations

import functools
import importlib
import pkgutil
from collections.abc import Awaitable, Callable
from typing import Any

from aworld.environments.desktop.scene import Scene, Value

Fields = dict[str, Any]
Getter = Callable[[Scene, Fields], Awaitable[Value]]

_PACKAGE = __name__.rpartition(".")[0]
_known: dict[str, Getter] = {}


def getter(name: str) -> Callable[[Getter], Getter]:
    """Make a function known under OSWorld's name."""

    def register(function: Getter) -> Getter:
        _known[name] = function
        return function

    return register


@functools.cache
def getters() -> dict[str, Getter]:
    """All of them by name."""
    package = importlib.import_module(_PACKAGE)
    for entry in pkgutil.iter_modules(package.__path__, f"{_PACKAGE}."):
        importlib.import_module(entry.name)
    return dict(sorted(_known.items()))
