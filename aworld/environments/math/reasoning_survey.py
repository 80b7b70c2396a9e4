"""Looks at every family of reasoning-gym and says which of them count, and why others do not.

Run `python -m aworld.environments.math.reasoning_survey`: it writes the list of families and the
shipped questions. It takes minutes.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from aworld.environments.math.reasoning import (
    _FOLDER,
    RIGHT,
    Family,
    Question,
    make_question,
    pool,
    score_question,
)
from aworld.errors import ConfigurationError
from aworld.scorers.processes.pool import ComparisonFailed, ComparisonTimeout

SEEDS = (1, 2, 3, 4, 5)
SHIPPED_SEED = 1
HASH_SEEDS = (1, 2, 3, 4)
NONSENSE = (
    "zzz",
    "qwerty 123456789",
    "?!",
    "[]",
    "{}",
    "None",
    "nan",
    "-",
    "\\boxed{}",
    "the answer",
)
"""Answers that no question has; a question's own text is one more."""
MOST_QUESTION = 12_000
"""Characters of a question that ships."""


def survey(family: str, seeds: Sequence[int] = SEEDS) -> tuple[Family, list[Question]]:
    """One family, and its questions where it counts."""
    questions: list[Question] = []
    try:
        for seed in seeds:
            question = make_question(family, seed)
            questions.append(question)
            fault = _fault(question)
            if fault:
                return Family(family, False, fault), []
    except ConfigurationError as error:
        return Family(family, False, str(error).partition(": ")[2].rstrip(".")), []
    except (ComparisonTimeout, ComparisonFailed) as error:
        return Family(family, False, f"scoring failed: {error}"), []
    return Family(family, True), questions


def _fault(question: Question) -> str:
    """Why the scorer of this question cannot be relied on; "" where it can."""
    if len(question.question) > MOST_QUESTION:
        return f"its question has {len(question.question)} characters"
    gold = score_question(question, question.answer)
    if gold < RIGHT:
        return f"its own answer scores {gold:.2f}"
    for nonsense in (*NONSENSE, question.question):
        if nonsense.strip().lower() == question.answer.strip().lower():
            continue
        score = score_question(question, nonsense)
        if score >= RIGHT:
            what = "its own question" if nonsense == question.question else repr(nonsense)
            return f"{what} as the answer scores {score:.2f}"
    return ""


def all_families() -> list[str]:
    """The names of all families; loads reasoning-gym."""
    from aworld.environments.math.reasoning_door import load

    load()
    from reasoning_gym.factory import DATASETS

    return sorted(name for name in DATASETS if name != "composite")


def is_steady(question: Question, hash_seed: int) -> bool:
    """Whether the generator makes the question again where sets have another order, as they have
    in another release of Python."""
    try:
        again = make_question(question.family, question.seed, pool(hash_seed))
    except ConfigurationError:
        return False
    return again == question


def survey_all(names: Sequence[str]) -> list[tuple[Family, list[Question]]]:
    """These families, each with its questions where it counts."""
    surveyed = [survey(name) for name in names]
    for hash_seed in HASH_SEEDS:
        surveyed = [
            (family, questions)
            if all(is_steady(question, hash_seed) for question in questions)
            else (Family(family.name, False, "the same seed makes different questions"), [])
            for family, questions in surveyed
        ]
        pool(hash_seed).close()
    return surveyed


def main() -> None:
    """Write both files."""
    surveyed = survey_all(all_families())
    encode = msgspec.json.encode
    lines = b",\n".join(encode(family) for family, _ in surveyed)
    (_FOLDER / "reasoning_families.json").write_bytes(b"[\n" + lines + b"\n]\n")
    (_FOLDER / "reasoning_questions.jsonl").write_bytes(
        b"".join(
            encode(question) + b"\n"
            for _, questions in surveyed
            for question in questions
            if question.seed == SHIPPED_SEED
        )
    )


if __name__ == "__main__":
    main()
