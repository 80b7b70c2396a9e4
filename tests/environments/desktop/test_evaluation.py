"""OSWorld's arithmetic over several metrics."""

from __future__ import annotations

import pytest

from aworld.environments.desktop.evaluation import joined
from aworld.environments.desktop.task_format import Check


@pytest.mark.parametrize(
    ("conj", "scores", "total", "measured"),
    [
        ("and", [1.0, 0.5], 0.75, 2),
        ("and", [0.5, 0.0, 1.0], 0.0, 2),
        ("and", [1.0, 1.0], 1.0, 2),
        ("or", [0.2, 0.7, 0.4], 0.7, 3),
        ("or", [0.2, 1.0, 0.4], 1.0, 2),
        ("or", [0.0, 0.0], 0.0, 2),
        # One metric's score stands as it is.
        ("and", [0.3], 0.3, 1),
    ],
)
async def test_metrics_are_joined_and_those_that_decide_nothing_are_not_taken(
    conj: str, scores: list[float], total: float, measured: int
) -> None:
    taken = iter(scores)

    async def measure(check: Check) -> float:
        return next(taken)

    checks = [Check("m", {}, None, {}) for _ in scores]
    assert await joined(checks, conj, measure) == pytest.approx(total)
    assert len(list(taken)) == len(scores) - measured
