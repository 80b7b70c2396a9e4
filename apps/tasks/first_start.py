"""The questions a new installation has, drawn by a fixed seed."""

from __future__ import annotations

from apps.tasks.reading import Row
from aworld.environments.math.word_problems import draw

SET = "word problems"
SEED = 2026
COUNT = 30


def first_rows() -> list[Row]:
    """The set's tasks."""
    return [
        Row(
            line=number,
            key=f"{number:02}",
            question=problem.question,
            answer=problem.answer,
            level=problem.family,
            metadata={"expression": problem.expression, "seed": SEED},
        )
        for number, problem in enumerate(draw(SEED, COUNT), 1)
    ]
