"""Whether a regular expression of a stranger's schema can be tried on a text in bounded time.

Python's `re` goes back over every way in which repeats can share a text: `^(a+)+$` takes for ever
on thirty letters, holds the event loop meanwhile, and no thread can be stopped. So the worst case
is counted before a pattern is tried.
"""

from __future__ import annotations

import functools
import importlib
import re
from collections.abc import Iterable
from typing import Any

MOST_STEPS = 10_000_000
"""About half a second."""

_parser: Any = importlib.import_module("re._parser")
_REPEATS = frozenset({"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"})


def is_quick(pattern: str, characters: int) -> bool:
    """Whether it is tried on so many characters within `MOST_STEPS`, counted carefully: on long
    texts many a harmless pattern with repeats inside repeats is not quick.

    Raises:
        re.error: it is no pattern.
    """
    return _steps(pattern, characters) <= MOST_STEPS


@functools.lru_cache(maxsize=512)
def _steps(pattern: str, characters: int) -> float:
    try:
        parsed = _parser.parse(pattern)
    except (RecursionError, OverflowError) as error:
        raise re.error(str(error)) from error
    items = list(parsed)
    anchored = bool(items) and str(items[0][0]) == "AT"
    starts = 1 if anchored else characters + 1
    return starts * _ways(items, characters)


def _ways(items: Iterable[tuple[Any, Any]], characters: int) -> float:
    """In how many ways these parts of a pattern can share the text, at most."""
    ways = 1.0
    for name, what in items:
        kind = str(name)
        if kind in _REPEATS:
            least, most, inner = int(what[0]), int(what[1]), what[2]
            inner_ways = _ways(inner, characters)
            rounds = max(least, min(most, characters))
            # Each round can take its share in as many ways.
            ways *= _power(inner_ways, rounds) * (rounds - least + 1)
        elif kind == "BRANCH":
            ways *= sum(_ways(branch, characters) for branch in what[1])
        elif kind in ("SUBPATTERN", "ASSERT", "ASSERT_NOT", "ATOMIC_GROUP", "GROUPREF_EXISTS"):
            for part in what if isinstance(what, tuple) else (what,):
                if isinstance(part, _parser.SubPattern):
                    ways *= _ways(part, characters)
        if ways > MOST_STEPS:
            return ways
    return ways


def _power(ways: float, rounds: int) -> float:
    try:
        return ways**rounds
    except OverflowError:
        return float("inf")
