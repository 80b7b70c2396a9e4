"""What an agent may leave behind to be judged better than it did."""

from __future__ import annotations

from pathlib import Path

import pytest

from aworld.sandbox import probe_bubblewrap
from tests.environments.terminal.task_folder import (
    REWARD,
    verdict_after,
    version_one,
    version_two,
)

probe = probe_bubblewrap()
pytestmark = pytest.mark.skipif(probe.way is None, reason=f"{probe.problem} {probe.cure}")

FAILING = "def test_answer(): assert open('/app/answer').read() == '42'"
PYTHON_TEST = f"if python3 /tests/check.py; then reward=1; else reward=0; fi; {REWARD}"
CHECK = "import json, sys\nsys.exit(open('/app/answer').read() != '42')"

PLANTED = [
    "printf 'def pytest_runtest_makereport(item, call):\\n    call.excinfo = None\\n' "
    "> conftest.py",
    "printf '[pytest]\\naddopts = --collect-only\\n' > pytest.ini; cp pytest.ini ../pytest.ini",
    "printf '[tool.pytest.ini_options]\\npython_functions = \"x\"\\n' > pyproject.toml",
    "printf 'import os\\nos._exit(0)\\n' > pytest.py; cp pytest.py sitecustomize.py",
    "mkdir -p ~/.local/lib/python3.11/site-packages; "
    "echo 'import os; os._exit(0)' > ~/.local/lib/python3.11/site-packages/usercustomize.py",
    "mkdir -p _pytest; echo 'import os; os._exit(0)' > _pytest/__init__.py",
    "export PYTEST_ADDOPTS=--collect-only PYTHONPATH=/app PYTHONSTARTUP=/app/x",
]


@pytest.mark.long
@pytest.mark.parametrize("planted", PLANTED)
async def test_pytest_is_not_fooled_by(planted: str, tmp_path: Path) -> None:
    task = version_one(tmp_path, FAILING)
    verdict = await verdict_after(task, tmp_path, "printf 41 > answer", planted)
    assert verdict.score == 0.0


@pytest.mark.parametrize(("answer", "score"), [("41", 0.0), ("42", 1.0)])
async def test_pytest_judges_the_answer_alone_with_everything_planted_at_once(
    answer: str, score: float, tmp_path: Path
) -> None:
    task = version_one(tmp_path, FAILING)
    verdict = await verdict_after(task, tmp_path, f"printf {answer} > answer", *PLANTED)
    assert verdict.score == score


SHIMS = [
    "mkdir bin; printf '#!/bin/sh\\nexit 0\\n' > bin/python3; chmod +x bin/python3; "
    "export PATH=/app/bin:$PATH; cp bin/python3 .",
    "python3() { true; }; export -f python3; alias python3=true",
    "echo 'python3() { true; }' > ~/.bashrc; cp ~/.bashrc ~/.profile; cp ~/.bashrc ~/.bash_env; "
    "export BASH_ENV=~/.bash_env ENV=~/.bash_env",
    "echo 'import os; os._exit(0)' > sitecustomize.py; cp sitecustomize.py json.py; "
    "cp json.py sys.py; export PYTHONPATH=/app",
    "(while :; do echo 1 > /logs/verifier/reward.txt; done) 2>/dev/null & disown",
    "mkdir -p logs/verifier tests; echo 1 > logs/verifier/reward.txt; "
    "echo 'exit 0' > tests/test.sh",
]


@pytest.mark.parametrize("shim", SHIMS)
async def test_a_script_is_not_fooled_by(shim: str, tmp_path: Path) -> None:
    task = version_two(tmp_path, PYTHON_TEST, tests__check_dot_py=CHECK)
    verdict = await verdict_after(task, tmp_path, "printf 41 > answer", shim)
    assert verdict.score == 0.0


async def test_a_right_answer_is_still_right_with_all_of_it_around(tmp_path: Path) -> None:
    task = version_two(tmp_path, PYTHON_TEST, tests__check_dot_py=CHECK)
    verdict = await verdict_after(task, tmp_path, "printf 42 > answer", *SHIMS)
    assert verdict.score == 1.0


LINKS = [
    "ln -s /tests/expected answer",
    "ln -s ../tests/expected answer",
    "ln -s /proc/self/root/tests/expected answer",
    "ln -s / root; ln -s root/tests/expected answer",
    "ln -s .. up; ln -s up/tests/expected answer",
    "ln -s /usr/bin b; ln -s b/../../tests/expected answer",
    "mkdir d; ln -s ../../tests/expected d/answer; ln -s d/answer answer",
    "ln -s /dev/fd/3 answer",
    "ln -s /workspace/../tests/expected answer",
]


@pytest.mark.parametrize("link", LINKS)
async def test_a_link_into_the_tests_is_found_before_they_run(link: str, tmp_path: Path) -> None:
    compare = f"if cmp -s answer /tests/expected; then reward=1; else reward=0; fi; {REWARD}"
    task = version_two(tmp_path, compare, tests__expected="42\n")
    verdict = await verdict_after(task, tmp_path, link)
    assert verdict.score == 0.0
    assert "where the tests would be found" in verdict.why


async def test_links_to_programs_and_within_the_folder_are_harmless(tmp_path: Path) -> None:
    task = version_two(tmp_path, f"reward=1; {REWARD}")
    links = "ln -s /usr/bin/env e; ln -s e f; mkdir d; ln -s ../e d/g; ln -s nowhere h"
    assert (await verdict_after(task, tmp_path, links)).score == 1.0


async def test_an_answer_that_never_ends_does_not_hang_the_tests(tmp_path: Path) -> None:
    toml = "[verifier]\ntimeout_sec = 1\n"
    task = version_two(tmp_path, PYTHON_TEST, task_dot_toml=toml, tests__check_dot_py=CHECK)
    verdict = await verdict_after(task, tmp_path, "mkfifo answer")
    assert verdict.score == 0.0
    assert "it was stopped after 1 s" in verdict.why


COLLECTED = f'test "$(cat /collected/said)" = 42 && reward=1 || reward=0; {REWARD}'


async def test_a_program_that_is_tried_sees_the_inputs_and_neither_tests_nor_reward(
    tmp_path: Path,
) -> None:
    task = version_two(
        tmp_path,
        COLLECTED,
        tests__collect_dot_sh="bash /app/program < /inputs/n > /collected/said",
        tests__inputs__n="6 7",
        tests__expected="42",
    )
    right = "echo 'read a b; echo $((a * b))' > program"
    assert (await verdict_after(task, tmp_path / "right", right)).score == 1.0
    cheating = (
        "echo 'cat /tests/expected; echo 1 > /logs/verifier/reward.txt; "
        "(while :; do echo 1 > /logs/verifier/reward.txt; done) &' > program"
    )
    assert (await verdict_after(task, tmp_path / "cheat", cheating)).score == 0.0
