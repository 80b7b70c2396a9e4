"""What the measuring of whole teams counts, and what it does not."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from aworld.environments.math.word_problems import Problem
from aworld.llm.base import Model
from aworld.llm.scripted import Reply, ScriptedModel
from tests.teams import call, sqlite

ADAPTER = Path(__file__).parents[2] / "examples" / "tool_adapter"
PROBLEM = Problem("Please find 23 times 47.", "1081", "product", "23*47")
CALCULATES = call("calculator", {"expression": "23*47"})


@pytest.fixture
def measuring(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ADAPTER))
    return importlib.import_module("measure_team")


async def outcome(
    measuring: ModuleType, folder: Path, solver: Sequence[Reply], verifier: Sequence[Reply] = ()
) -> Any:
    """What is counted of a team on a scripted model."""
    model = ScriptedModel({"You solve": solver, "You check": verifier})

    def find_model(_name: str) -> Model:
        return model

    job = measuring.Job("arithmetic" if verifier else "solver", "held_out", 1, PROBLEM)
    with closing(sqlite(folder)) as store:
        return await measuring.run_job(job, find_model, store)


async def test_a_right_answer_that_the_calculator_gave_counts(
    measuring: ModuleType, tmp_path: Path
) -> None:
    found = await outcome(measuring, tmp_path, [CALCULATES, "23*47 = 1081. Answer: 1081"])
    assert found.right
    assert found.log == (
        'calculator {"expression":"23*47"}',
        "  → 1081",
        "answer: 23*47 = 1081. Answer: 1081",
    )


async def test_a_right_answer_out_of_the_models_head_does_not_count(
    measuring: ModuleType, tmp_path: Path
) -> None:
    found = await outcome(measuring, tmp_path, ["23*47 = 1081. Answer: 1081"])
    assert (found.answer, found.calculated, found.right) == ("1081", False, False)


async def test_a_call_that_gave_another_number_does_not_count(
    measuring: ModuleType, tmp_path: Path
) -> None:
    other = call("calculator", {"expression": "23+47"})
    found = await outcome(measuring, tmp_path, [other, "Answer: 1081"])
    assert (found.answer, found.calculated, found.right) == ("1081", False, False)


async def test_a_right_number_that_is_worded_otherwise_does_not_count(
    measuring: ModuleType, tmp_path: Path
) -> None:
    found = await outcome(measuring, tmp_path, [CALCULATES, "Answer: 1081 pieces"])
    assert (found.answer, found.right) == ("1081 pieces", False)


async def test_a_run_that_fails_is_a_miss_with_its_reason(
    measuring: ModuleType, tmp_path: Path
) -> None:
    found = await outcome(measuring, tmp_path, [CALCULATES])
    assert (found.answer, found.right) == ("", False)
    assert "The script of model 'scripted' is at its end" in found.log[-1]


async def test_the_last_answer_of_a_team_counts_with_the_verdict_on_it(
    measuring: ModuleType, tmp_path: Path
) -> None:
    claims = [call("logic_check", {"claim": f"23*47 == {number}"}) for number in (1080, 1081)]
    found = await outcome(
        measuring,
        tmp_path,
        ["Answer: 1080", CALCULATES, "Answer: 1081"],
        [claims[0], "REJECTED: 23*47 is 1081.", claims[1], "VERIFIED: 23*47 is 1081."],
    )
    assert (found.right, found.verified, found.sent_back) == (True, True, 1)
    (figure,) = measuring.figures_of([found])
    assert figure == measuring.Figure("arithmetic", "held_out", 1, 1, 1, 0, 0, 0)
    assert measuring.report([found]) == (
        "arithmetic, held_out 1: 1/1 right (0 at first, 0 rejected all the same), "
        "0 wrong ones verified"
    )


async def test_a_miss_is_told_with_what_the_team_did(measuring: ModuleType, tmp_path: Path) -> None:
    other = call("calculator", {"expression": "23+47"})
    found = await outcome(measuring, tmp_path, [other, "Answer: 70"])
    assert measuring.report([found]).splitlines() == [
        "MISS solver, held_out 1: Please find 23 times 47.",
        "  23*47 = 1081, answered '70'",
        '    calculator {"expression":"23+47"}',
        "      → 70",
        "    answer: Answer: 70",
        "solver, held_out 1: 0/1 right (0 at first, 0 rejected all the same), "
        "0 wrong ones verified",
    ]
