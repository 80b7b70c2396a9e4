"""Contest problems: their answers, their time, their judgement, and files of one's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from aworld.environments.base import Place, Task
from aworld.environments.math import KIND
from aworld.errors import ConfigurationError, EnvironmentFault
from tests.environments.math.brute_force import ANSWERS


def place(folder: Path) -> Place:
    return Place(folder / "workspace", folder / "private")


def read(folder: Path, *lines: str) -> list[Task]:
    file = folder / "own.jsonl"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return list(KIND.read(file))


@pytest.mark.parametrize("task", KIND.tasks("aime-style"), ids=lambda task: task.id)
def test_brute_force_finds_the_answer(task: Task) -> None:
    assert str(ANSWERS[task.id]()) == task.data["answer"]


def test_there_are_enough_problems_and_contest_time_is_their_limit() -> None:
    aime, imo = list(KIND.tasks("aime-style")), list(KIND.tasks("imo-style"))
    assert len(aime) == len(ANSWERS) == 24
    assert {(task.seconds, task.graded) for task in aime} == {(720.0, True)}
    assert len(imo) == 6
    assert {(task.seconds, task.graded) for task in imo} == {(5400.0, False)}


async def test_the_form_of_the_answer_and_the_time_are_told(tmp_path: Path) -> None:
    task = next(iter(KIND.tasks("aime-style")))
    seen = await KIND.make(task, place(tmp_path)).reset()
    assert seen.text == (
        r"Put your final answer within \boxed{}. The answer is an integer between 0 and 999 "
        "inclusive. You have 12 minutes."
    )


async def test_known_answers_score_1_and_nothing_0(tmp_path: Path) -> None:
    for task in KIND.tasks("aime-style"):
        environment = KIND.make(task, place(tmp_path))
        first = await environment.reset()
        oracle = KIND.oracle(task)
        assert oracle is not None
        answer = await oracle.solve(environment, first)
        assert (await environment.verify(answer)).score == 1.0
        assert (await environment.verify("")).score == 0.0
        wrong = (int(task.data["answer"]) + 1) % 1000
        assert (await environment.verify(rf"\boxed{{{wrong}}}")).score == 0.0


async def test_a_proof_is_recorded_and_gets_no_score(tmp_path: Path) -> None:
    for task in KIND.tasks("imo-style"):
        assert KIND.oracle(task) is None
        verdict = await KIND.make(task, place(tmp_path)).verify("By symmetry. QED")
        assert (verdict.score, verdict.why) == (None, "A proof is not graded.")


async def test_ones_own_file_is_read_with_matharenas_names(tmp_path: Path) -> None:
    first, second, third = read(
        tmp_path,
        r'{"problem_idx": 4, "problem": "Simplify $\\sqrt{8}$.", "answer": "2\\sqrt{2}"}',
        '{"id": "c", "question": "A colour?", "answer": "red", "scorer": "text", "seconds": 60}',
        '{"problem": "Prove it."}',
    )
    assert [(task.id, task.suite, task.graded) for task in (first, second, third)] == [
        ("4", "own", True),
        ("c", "own", True),
        ("3", "own", False),
    ]
    assert second.seconds == 60
    verdict = await KIND.make(first, place(tmp_path)).verify(r"So \boxed{\sqrt8}.")
    assert verdict.score == 1.0
    assert (await KIND.make(second, place(tmp_path)).verify("Red.")).score == 1.0


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('{"answer": "1"}', "line 2 has no 'problem'"),
        ('{"problem": "x", "answer": "1000", "scorer": "aime"}', "line 2: The truth '1000' is no"),
        (
            '{"problem": "x", "answer": "1", "scorer": "judge"}',
            "line 2: There is no scorer 'judge'",
        ),
        ('{"problem": "x", "scorer": "aime"}', "line 2 has no 'answer'"),
        ('{"problem": "x", "answer": " "}', "line 2 has no 'answer'"),
        ('{"problem": "x", "answer": "1", "seconds": 0}', "line 2 has 0 seconds"),
        ('{"problem": "x", "id": "1"}', "line 2 repeats the id '1'"),
        ('{"problem": 7}', "line 2 is no problem"),
        ("[1]", "line 2 is no problem"),
        ("{", "line 2 is no problem"),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, line: str, problem: str) -> None:
    with pytest.raises(ConfigurationError, match=problem):
        read(tmp_path, '{"id": 1, "problem": "ok"}', line)


def test_what_is_no_file_of_problems_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="is not there"):
        KIND.read(tmp_path / "none.jsonl")
    with pytest.raises(ConfigurationError, match=r"has no \.jsonl file"):
        KIND.read(tmp_path)
    with pytest.raises(ConfigurationError, match="Mathematics has no suite 'putnam'"):
        KIND.tasks("putnam")


async def test_a_truth_that_cannot_be_read_is_a_fault_and_not_a_wrong_answer(
    tmp_path: Path,
) -> None:
    (task,) = read(tmp_path, '{"problem": "x", "answer": "it is what it is, said the wise one"}')
    with pytest.raises(EnvironmentFault, match="is no expression"):
        await KIND.make(task, place(tmp_path)).verify("3")
