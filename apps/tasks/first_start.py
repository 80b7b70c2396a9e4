"""The questions a new installation has, drawn by a fixed seed."""

from __future__ import annotations

from apps.tasks.models import Task
from apps.tasks.reading import Row
from apps.tasks.services import rows_write
from aworld.environments.math.word_problems import draw

SET = "word problems"
SEED = 2026
COUNT = 30


def first_tasks() -> int:
    """Add the set where there is none; returns how many tasks were added."""
    if Task.objects.filter(set=SET).exists():
        return 0
    rows = [
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
    return int(rows_write(SET, rows)["added"])
