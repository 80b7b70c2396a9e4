"""Contest problems: where they come from and how their answers are scored."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from aworld.environments.base import Task
from aworld.errors import ConfigurationError
from aworld.scorers import registry as scorers

AIME_S = 3 * 3600 / 15
"""Contest time of one problem: three hours for fifteen."""
IMO_S = 4.5 * 3600 / 3
"""Four and a half hours for three."""
PROOF = "proof"
"""In place of a scorer: the problem asks for a proof, which is not graded."""


class Problem(msgspec.Struct, forbid_unknown_fields=False):
    """A line of a file of problems. MathArena's names are read too."""

    problem: str = ""
    question: str = ""
    """The same as `problem`."""
    id: str | int | None = None
    problem_idx: str | int | None = None
    """The same as `id`; without either it is the line's number."""
    answer: str | int | float | None = None
    """None asks for a proof."""
    scorer: str = ""
    """`aime`, `math`, `text`, `json`, or `proof`; "" takes `math`, or `proof` without an answer."""
    seconds: float | None = None
    """Contest time."""
    level: str | int = ""
    area: str = ""


def read_problems(file: Path, suite: str, defaults: dict[str, Any]) -> Iterator[Task]:
    """The problems of a .jsonl file; `defaults` are fields that its lines may leave out.

    Raises:
        ConfigurationError: it cannot be read; the text names the line.
    """
    seen: set[str] = set()
    try:
        with file.open("rb") as lines:
            for number, line in enumerate(lines, start=1):
                if line.strip():
                    yield _task(line, f"{file}, line {number}", str(number), suite, defaults, seen)
    except OSError as error:
        raise ConfigurationError(f"{str(file)!r} cannot be read: {error.strerror}.") from error


def _task(
    line: bytes, where: str, number: str, suite: str, defaults: dict[str, Any], seen: set[str]
) -> Task:
    try:
        fields = msgspec.json.decode(line, type=dict[str, Any])
        problem = msgspec.convert(defaults | fields, Problem)
    except (msgspec.DecodeError, msgspec.ValidationError, RecursionError) as error:
        raise ConfigurationError(f"{where} is no problem: {error}.") from error
    question = (problem.problem or problem.question).strip()
    if not question:
        raise ConfigurationError(f"{where} has no 'problem'. Write the question there.")
    names = (problem.id, problem.problem_idx, number)
    task_id = str(next(name for name in names if name not in (None, "")))
    if task_id in seen:
        raise ConfigurationError(f"{where} repeats the id {task_id!r}. Give each its own.")
    seen.add(task_id)
    if problem.seconds is not None and not problem.seconds > 0:
        raise ConfigurationError(f"{where} has {problem.seconds:g} seconds. Give more than 0.")
    scorer = _scorer(problem, where)
    return Task(
        id=task_id,
        environment="math",
        suite=suite,
        question=question,
        level=str(problem.level),
        tags=(problem.area,) if problem.area else (),
        graded=scorer != PROOF,
        seconds=problem.seconds,
        data={"scorer": scorer, "answer": "" if scorer == PROOF else str(problem.answer)},
    )


def _scorer(problem: Problem, where: str) -> str:
    """The scorer's name, tried on the answer itself where that costs nothing."""
    name = problem.scorer or (PROOF if problem.answer is None else "math")
    if name == PROOF:
        return name
    if problem.answer is None or str(problem.answer).strip() == "":
        raise ConfigurationError(f"{where} has no 'answer', which the scorer {name!r} needs.")
    try:
        scorer = scorers.get(name)
        if name == "aime":
            scorer.score("0", str(problem.answer))
    except ConfigurationError as error:
        raise ConfigurationError(f"{where}: {error}") from error
    return name
