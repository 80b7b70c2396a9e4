"""The adapter's examination: right by arithmetic, repeatable, and asked in words of its own."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterable
from itertools import chain
from pathlib import Path
from types import ModuleType

import pytest

from aworld.environments.math import word_problems

ADAPTER = Path(__file__).parents[2] / "examples" / "tool_adapter"


@pytest.fixture
def held_out(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ADAPTER))
    return importlib.import_module("held_out")


@pytest.fixture
def training(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ADAPTER))
    return importlib.import_module("phrasings")


def words(phrasing: str) -> list[str]:
    return re.findall(r"[a-z#]+", re.sub(r"\{\w+\}", "#", phrasing.lower()))


def runs(phrasings: Iterable[str], length: int) -> set[tuple[str, ...]]:
    """Every row of `length` words that stand next to each other."""
    return {
        tuple(one[start : start + length])
        for one in map(words, phrasings)
        for start in range(len(one) - length + 1)
    }


def shapes(phrasings: Iterable[str]) -> set[str]:
    return {" ".join(words(phrasing)) for phrasing in phrasings}


def test_a_seed_draws_the_same_different_questions_each_time(held_out: ModuleType) -> None:
    problems = held_out.draw(1, 200)
    assert problems == held_out.draw(1, 200) != held_out.draw(2, 200)
    assert len({problem.question for problem in problems}) == 200
    assert {problem.family for problem in problems} == set(word_problems.EXPRESSIONS)


def test_every_answer_is_the_value_of_an_expression_of_the_questions_numbers(
    held_out: ModuleType,
) -> None:
    for problem in held_out.draw(3, 100):
        assert re.fullmatch(r"[0-9+*/-]+", problem.expression)
        assert eval(problem.expression) == int(problem.answer) > 0
        numbers = re.findall(r"\d+", problem.expression)
        assert sorted(numbers) == sorted(re.findall(r"\d+", problem.question))
        assert word_problems.is_reserved([int(number) for number in numbers])


def test_the_three_phrasings_that_the_demo_lost_are_asked(held_out: ModuleType) -> None:
    asked = " ".join(problem.question for problem in held_out.draw(4, 300))
    assert "cakes every day" in asked
    assert "eggs into boxes" in asked
    assert "oranges were rotten" in asked


def test_no_wording_and_no_name_is_known_from_elsewhere(
    held_out: ModuleType, training: ModuleType
) -> None:
    own = [*chain(*held_out.PHRASINGS.values()), *held_out.DROPPED.values()]
    known = [*chain(*training.PHRASINGS.values()), *chain(*word_problems.PHRASINGS.values())]
    assert not shapes(own) & shapes(known)
    assert not set(held_out.NAMES) & {*training.NAMES, *word_problems.NAMES}


def test_no_setting_is_told_with_five_words_of_another_one(
    held_out: ModuleType, training: ModuleType
) -> None:
    own = chain(*held_out.PHRASINGS.values())
    known = chain(chain(*training.PHRASINGS.values()), chain(*word_problems.PHRASINGS.values()))
    shared = runs(own, 5) & runs(known, 5)
    told = {run for run in shared if any(word not in PLAIN for word in run)}
    assert not told


PLAIN = frozenset(
    words(
        "a an and are at by do does did each every from get had has have how i if in is it left "
        "many more much not now of on or still than the then there they to total up was were what "
        "which with you add divide divided equally minus multiply plus subtract take times #"
    )
)
"""Words that belong to no setting."""
