"""Generated questions: which families count, and that answers cannot do anything but be wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from aworld.environments.base import Place, Task
from aworld.environments.math import KIND, reasoning
from aworld.environments.math.reasoning import (
    Family,
    Question,
    extract_answer,
    families,
    kept_families,
    make_task,
    score_question,
    shipped_tasks,
)
from aworld.environments.math.reasoning_survey import survey_all
from aworld.errors import ConfigurationError, EnvironmentFault

ROOT = Path(__file__).resolve().parents[3]
needs_gym = pytest.mark.skipif(
    not reasoning.is_installed(), reason=f"reasoning-gym is not installed: {reasoning.CURE}"
)
_PAYLOAD = "__import__('pathlib').Path({mark!r}).touch()"
HOSTILE = (
    _PAYLOAD,
    "[" + _PAYLOAD + "]",
    "str(" + _PAYLOAD + ")",
    "1 + " + _PAYLOAD,
    "x + " + _PAYLOAD + " + C",
    "[[1, 2], [" + _PAYLOAD + "]]",
    '["Q", ' + _PAYLOAD + "]",
)


def gold(task: Task) -> Question:
    return Question(task.data["family"], task.seed, task.question, task.data["answer"])


def test_every_family_was_looked_at_and_each_that_is_left_out_says_why() -> None:
    assert len(families()) == 105
    assert all(bool(family.why) != family.kept for family in families())
    by_name = {family.name: family for family in families()}
    assert by_name["game_of_life_halting"] == Family(
        "game_of_life_halting", False, "'zzz' as the answer scores 1.00"
    )
    assert len(kept_families()) > 80


@needs_gym
def test_each_kept_family_ships_one_question() -> None:
    assert [task.data["family"] for task in shipped_tasks()] == kept_families()
    assert all(task.data["answer"] not in ("", None) for task in shipped_tasks())


def test_the_cure_names_what_the_requirements_pin() -> None:
    lines = (ROOT / "requirements-reasoning.txt").read_text(encoding="utf-8").splitlines()
    pinned = [line for line in lines if line and not line.startswith("#")]
    assert pinned == list(reasoning.PACKAGES)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("so <answer> 4\n2 </answer>", "4\n2"),
        ("<answer>1</answer> no <ANSWER>2</ANSWER>", "2"),
        ("FINAL ANSWER: 7", "7"),
        (" 7 ", "7"),
        ("<answer>left open", "<answer>left open"),
    ],
)
def test_the_answer_stands_between_tags_or_after_final_answer(text: str, answer: str) -> None:
    assert extract_answer(text) == answer


@needs_gym
async def test_known_answers_count_and_half_right_ones_do_not(tmp_path: Path) -> None:
    for family in ("basic_arithmetic", "countdown"):
        task = make_task(family, 11)
        assert make_task(family, 11) == task != make_task(family, 12)
        environment = KIND.make(task, Place(tmp_path, tmp_path))
        first = await environment.reset()
        assert first.text == "Finish with the answer alone between <answer> and </answer>."
        oracle = KIND.oracle(task)
        assert oracle is not None
        assert (await environment.verify(await oracle.solve(environment, first))).score == 1.0
        for wrong in ("", "zzz", "<answer></answer>", task.question, "1" * 200_000, "\ud800"):
            assert (await environment.verify(wrong)).score == 0.0


@needs_gym
@pytest.mark.parametrize("family", ["countdown", "n_queens", "string_insertion"])
def test_no_code_in_an_answer_is_run(tmp_path: Path, family: str) -> None:
    mark = tmp_path / "mark"
    (task,) = [task for task in shipped_tasks() if task.data["family"] == family]
    for hostile in HOSTILE:
        answer = hostile.format(mark=str(mark))
        assert score_question(gold(task), answer) < reasoning.RIGHT
    assert not mark.exists()


@needs_gym
async def test_a_question_that_the_generator_does_not_make_is_a_fault(tmp_path: Path) -> None:
    (task,) = [task for task in shipped_tasks() if task.data["family"] == "basic_arithmetic"]
    other = Task(**{name: getattr(task, name) for name in task.__struct_fields__} | {"seed": 99})
    with pytest.raises(EnvironmentFault, match="makes another question now"):
        await KIND.make(other, Place(tmp_path, tmp_path)).verify("1")


@needs_gym
def test_a_family_that_is_left_out_makes_no_task() -> None:
    with pytest.raises(ConfigurationError, match="'zzz' as the answer scores"):
        make_task("game_of_life_halting", 1)
    with pytest.raises(ConfigurationError, match="'astrology' is not among those"):
        make_task("astrology", 1)


@needs_gym
@pytest.mark.long
@pytest.mark.timeout(1800)
def test_the_list_of_families_is_what_a_survey_finds_today() -> None:
    found = [family for family, _ in survey_all([family.name for family in families()])]
    assert found == list(families())


@needs_gym
@pytest.mark.long
@pytest.mark.timeout(1800)
def test_no_answer_to_any_family_is_run(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    for task in shipped_tasks():
        for hostile in HOSTILE:
            score_question(gold(task), hostile.format(mark=str(mark)))
        assert not mark.exists(), task.data["family"]
