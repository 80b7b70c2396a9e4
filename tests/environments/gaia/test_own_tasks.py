"""The suite of our own: its format, its answers, its attachments."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

from aworld.environments.base import Place
from aworld.environments.gaia import KIND
from aworld.environments.gaia.kind import OWN
from aworld.scorers.gaia import is_right
from examples.gaia_tasks import make

FOLDER = Path(make.FOLDER)


def test_there_are_ten_tasks_a_level_and_files_of_every_usual_kind() -> None:
    tasks = list(KIND.tasks(OWN))
    assert Counter(task.level for task in tasks) == {"1": 10, "2": 10, "3": 10}
    kinds = Counter(tag for task in tasks for tag in task.tags)
    assert sum(kinds.values()) == 25
    assert set(kinds) == {
        *("xlsx", "pdf", "png", "docx", "mp3", "csv", "zip", "pptx", "jsonl", "py", "pdb")
    }
    assert sum(Path(task.folder, name).stat().st_size for task in tasks for name in task.files) < (
        1_000_000
    )


def test_the_maker_gives_the_same_questions_and_answers_again() -> None:
    lines = (FOLDER / "metadata.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line) for line in lines] == [
        make.row_of(level, task) for level, task in make.tasks()
    ]


def test_plain_attachments_are_what_the_maker_writes_and_no_file_is_left_over() -> None:
    made = {f"{task.name}.{task.ending}": task for _, task in make.tasks() if task.ending}
    assert {file.name for file in FOLDER.iterdir() if file.is_file()} == {
        *made,
        "metadata.jsonl",
    }
    for name, task in made.items():
        # Office files and PDF differ with the versions of the libraries that write them.
        if task.ending in ("csv", "jsonl", "py", "pdb", "mp3"):
            assert (FOLDER / name).read_bytes() == task.content, name


def test_no_answer_stands_in_its_own_question() -> None:
    for task in KIND.tasks(OWN):
        assert str(task.data["answer"]).lower() not in task.question.lower(), task.id


async def test_every_known_answer_scores_1_and_no_answer_0(tmp_path: Path) -> None:
    for task in KIND.tasks(OWN):
        environment = KIND.make(task, Place(tmp_path / task.id, tmp_path / "private"))
        first = await environment.reset()
        oracle = KIND.oracle(task)
        assert oracle is not None
        assert (await environment.verify(await oracle.solve(environment, first))).score == 1.0
        for nothing in ("", "I do not know.", "FINAL ANSWER:", "FINAL ANSWER: unknown", "0"):
            assert (await environment.verify(nothing)).score == 0.0, task.id
        assert not any(is_right(str(n), task.data["answer"]) for n in (1, 2, 3, "yes", "no"))


def test_listing_tasks_loads_nothing_heavy() -> None:
    code = (
        "import sys\n"
        "from aworld.environments.gaia import KIND as gaia\n"
        "from aworld.environments.math import KIND as math\n"
        "assert all(list(kind.tasks(s)) for kind in (gaia, math) for s in kind.suites())\n"
        "heavy = {'pyarrow', 'numpy', 'sympy', 'math_verify', 'reasoning_gym', 'openpyxl'}\n"
        "sys.exit(bool(heavy & set(sys.modules)))\n"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
