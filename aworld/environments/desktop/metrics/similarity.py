"""How alike two texts are, as OSWorld's `fuzz.ratio` counts it."""

from __future__ import annotations

from collections.abc import Sequence


def ratio(first: Sequence[object], second: Sequence[object]) -> float:
    """Twice the longest common subsequence over both lengths; 1.0 for two empty ones."""
    total = len(first) + len(second)
    return 2.0 * common_subsequence(first, second) / total if total else 1.0


def common_subsequence(first: Sequence[object], second: Sequence[object]) -> int:
    """The length of the longest common subsequence, by rows of bits (Hyyrö 2004)."""
    places: dict[object, int] = {}
    for index, item in enumerate(first):
        places[item] = places.get(item, 0) | 1 << index
    everything = (1 << len(first)) - 1
    row = everything
    for item in second:
        hit = row & places.get(item, 0)
        row = (row + hit | row - hit) & everything
    return len(first) - row.bit_count()
