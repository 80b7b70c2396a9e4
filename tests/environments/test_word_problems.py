"""The demo's questions: right by arithmetic, repeatable, and never trained on."""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from types import ModuleType

import pytest

from aworld.environments.math.word_problems import (
    EXPRESSIONS,
    NAMES,
    PHRASINGS,
    Problem,
    draw,
    is_reserved,
)

ADAPTER = Path(__file__).parents[2] / "examples" / "tool_adapter"


def test_the_same_seed_draws_the_same_questions() -> None:
    assert draw(3, 20) == draw(3, 20)
    assert draw(3, 20) != draw(4, 20)


def test_as_many_different_questions_as_asked_for_over_all_families() -> None:
    problems = draw(1, 200)
    assert len({problem.question for problem in problems}) == 200
    assert {problem.family for problem in problems} == set(EXPRESSIONS) == set(PHRASINGS)


@pytest.mark.parametrize("problem", draw(7, 40), ids=lambda problem: str(problem.expression))
def test_every_answer_is_the_value_of_its_expression(problem: Problem) -> None:
    assert re.fullmatch(r"[0-9+*/()-]+", problem.expression)
    assert eval(problem.expression) == int(problem.answer) > 0
    numbers = set(re.findall(r"\d+", problem.expression))
    assert numbers <= set(re.findall(r"\d+", problem.question))


@pytest.fixture
def training(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ADAPTER))
    return importlib.import_module("generate")


@pytest.fixture
def phrasings(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ADAPTER))
    return importlib.import_module("phrasings")


def shape(question: str) -> str:
    """A question without what fills its slots."""
    return re.sub(r"\W+", " ", re.sub(r"\{\w+\}|\d+", "#", question.lower())).strip()


def test_no_phrasing_of_the_demo_is_a_phrasing_of_the_training(phrasings: ModuleType) -> None:
    asked = {shape(text) for texts in PHRASINGS.values() for text in texts}
    trained = {shape(text) for texts in phrasings.PHRASINGS.values() for text in texts}
    assert not asked & trained
    assert not set(NAMES) & set(phrasings.NAMES)


def test_no_numbers_of_the_demo_are_numbers_of_the_training(training: ModuleType) -> None:
    assert all(is_reserved(numbers_of(problem.expression)) for problem in draw(5, 100))
    expressions = set()
    for row in training.generate(seed=5, rows=400):
        for message in row["messages"]:
            expressions |= set(re.findall(r'"expression": "([0-9+*/()-]+)"', message["content"]))
    learned = [numbers_of(text) for text in expressions if not re.search(r"\+[01]$|^\d+$", text)]
    assert len(learned) > 100
    assert not any(is_reserved(numbers) for numbers in learned if len(numbers) > 1)


def numbers_of(expression: str) -> list[int]:
    return [int(digits) for digits in re.findall(r"\d+", expression)]
