"""Finds scorers by name: every file of this folder that has a `SCORER`."""

from __future__ import annotations

import functools
import importlib
import pkgutil
from collections.abc import Mapping
from typing import Any

from aworld.errors import ConfigurationError
from aworld.scorers.base import Scorer, Verdict


@functools.cache
def scorers() -> dict[str, Scorer[Any]]:
    """All scorers by name. None of their files may load heavy libraries when it is imported."""
    package = importlib.import_module("aworld.scorers")
    found: dict[str, Scorer[Any]] = {}
    for entry in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        # `processes` is a folder, and loads sympy.
        module = None if entry.ispkg else importlib.import_module(entry.name)
        scorer = getattr(module, "SCORER", None)
        if isinstance(scorer, Scorer):
            found[scorer.name] = scorer
    return dict(sorted(found.items()))


def get(name: str) -> Scorer[Any]:
    """A scorer by name.

    Raises:
        ConfigurationError: there is none.
    """
    known = scorers()
    if name not in known:
        raise ConfigurationError(f"There is no scorer {name!r}. Known: {', '.join(known)}.")
    return known[name]


def score(
    name: str, answer: object, truth: object, options: Mapping[str, object] | None = None
) -> Verdict:
    """Compare an answer with the truth by the scorer of this name.

    Raises:
        ConfigurationError: there is no such scorer, or the truth or the options do not fit it.
    """
    return get(name).score(answer, truth, options)
