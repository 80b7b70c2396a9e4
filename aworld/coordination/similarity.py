"""How alike two texts are: words and runs of characters, between 0 and 1."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable

RUN = 3
"""Characters of a run; of Chinese two."""


def alike(one: list[str], other: list[str]) -> float:
    """The mean of two cosines: of words, and of runs of characters within them.

    Words forgive another order, runs forgive another ending. Two empty lists are 1.
    """
    if one == other:
        return 1.0
    return (cosine(one, other) + cosine(_runs(one), _runs(other))) / 2


def cosine(one: Iterable[str], other: Iterable[str]) -> float:
    """The cosine of two bags; 0 where one is empty."""
    first, second = Counter(one), Counter(other)
    dot = sum(count * second[item] for item, count in first.items())
    lengths = [math.sqrt(sum(n * n for n in bag.values())) for bag in (first, second)]
    return dot / (lengths[0] * lengths[1]) if all(lengths) else 0.0


def _runs(parts: list[str]) -> list[str]:
    return [
        f" {part} "[place : place + RUN]
        for part in parts
        for place in range(max(1, len(part) + 2 - RUN + 1))
    ]
