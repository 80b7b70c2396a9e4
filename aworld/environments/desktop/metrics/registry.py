"""Finds a metric by its name in a task's `func`."""

from __future__ import annotations

import functools
import importlib
import pkgutil
from collections.abc import Callable
from typing import TypeVar

Metric = Callable[..., float]
"""`(result, **options)` or `(result, expected, **options)`: 0.0 to 1.0. A file is its path, None
where it was not there."""

_PACKAGE = __name__.rpartition(".")[0]
_known: dict[str, Metric] = {}
AnyMetric = TypeVar("AnyMetric", bound=Metric)


def metric(function: AnyMetric) -> AnyMetric:
    """Make a function known under its name."""
    _known[function.__name__] = function
    return function


@functools.cache
def metrics() -> dict[str, Metric]:
    """All of them by name."""
    package = importlib.import_module(_PACKAGE)
    for entry in pkgutil.iter_modules(package.__path__, f"{_PACKAGE}."):
        if not entry.name.endswith(".judge"):
            importlib.import_module(entry.name)
    return dict(sorted(_known.items()))
