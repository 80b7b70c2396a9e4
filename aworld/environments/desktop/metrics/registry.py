"""Finds a metric by its name in a task's `func`. Only the file that has it is loaded: others need
libraries that take long to load."""

from __future__ import annotations

import functools
import importlib
import re
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

Metric = Callable[..., float]
"""`(result, **options)` or `(result, expected, **options)`: 0.0 to 1.0. A file is its path, None
where it was not there."""

_PACKAGE = __name__.rpartition(".")[0]
_MARKED = re.compile(r"^@metric\ndef (\w+)\(", re.MULTILINE)
_known: dict[str, Metric] = {}
AnyMetric = TypeVar("AnyMetric", bound=Metric)


def metric(function: AnyMetric) -> AnyMetric:
    """Make a function known under its name."""
    _known[function.__name__] = function
    return function


@functools.cache
def modules() -> dict[str, str]:
    """The file of each metric, by the metric's name."""
    found = {}
    for path in sorted(Path(__file__).parent.glob("*.py")):
        for name in _MARKED.findall(path.read_text(encoding="utf-8")):
            found[name] = path.stem
    return found


def find(name: str) -> Metric:
    """A metric.

    Raises:
        KeyError: there is none of that name.
    """
    importlib.import_module(f"{_PACKAGE}.{modules()[name]}")
    return _known[name]
