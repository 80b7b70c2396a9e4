"""The set-up from a clean clone: steps done once for their inputs, and sentences for what fails."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from scripts import steps, system_packages
from scripts.steps import SetupError, Step

ROOT = Path(__file__).resolve().parent.parent.parent


def test_an_old_python_is_told_in_a_sentence_with_its_cure(tmp_path: Path) -> None:
    program = (
        "import runpy, sys; sys.version_info = (3, 8, 1, 'final', 0); "
        f"sys.argv = ['bootstrap.py', 'demo']; sys.path.insert(0, {str(ROOT / 'scripts')!r}); "
        f"runpy.run_path({str(ROOT / 'scripts' / 'bootstrap.py')!r}, run_name='__main__')"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("AWorld needs Python 3.11 or newer; ")
    assert "make PYTHON=python3.12 demo" in done.stderr


def test_the_first_file_is_read_by_old_pythons() -> None:
    """No syntax newer than Python 3.6's in the file that tells of an old Python."""
    import ast

    text = (ROOT / "scripts" / "bootstrap.py").read_text(encoding="utf-8")
    ast.parse(text, feature_version=(3, 6))
    assert "import annotations" not in text


def test_a_step_is_done_once_for_its_inputs_and_again_when_they_change(tmp_path: Path) -> None:
    done: list[str] = []

    def step(key: str) -> Step:
        return Step("It", key, tmp_path / "stamp", lambda: done.append(key))

    for key in ("one", "one", "two", "two", "one"):
        steps.do(step(key))
    assert done == ["one", "two", "one"]


def test_a_step_that_failed_is_tried_again(tmp_path: Path) -> None:
    tries: list[int] = []

    def work() -> None:
        tries.append(1)
        if len(tries) == 1:
            raise SetupError("not yet")

    step = Step("It", "key", tmp_path / "stamp", work)
    with pytest.raises(SetupError):
        steps.do(step)
    steps.do(step)
    assert len(tries) == 2


def test_groups_of_steps_run_at_the_same_time(tmp_path: Path) -> None:
    meeting = threading.Barrier(2, timeout=10)

    def meet() -> None:
        meeting.wait()

    def group(name: str) -> list[Step]:
        return [Step(name, "", tmp_path / name, meet)]

    steps.side_by_side([group("left"), group("right")])


@pytest.mark.parametrize(
    ("output", "cure"),
    [
        ("OSError: [Errno 28] No space left on device", "the disk is full"),
        ("npm ERR! code ENOSPC", "the disk is full"),
        ("ensurepip is not available", "apt-get install python3-venv"),
        ("error: command 'gcc' failed: No such file or directory", "build-essential"),
        ("Temporary failure in name resolution", "registry cannot be reached"),
        ("npm ERR! code EACCES", "cannot be written"),
        ("something else", "The whole output is in"),
    ],
)
def test_what_failed_is_told_with_its_cure(output: str, cure: str) -> None:
    sentence = steps.sentence_for(output, "Making it")
    assert sentence.startswith("Making it did not succeed")
    assert cure in sentence


def test_a_command_that_fails_shows_its_last_lines(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(steps, "LOG", tmp_path / "setup.log")
    command = ["sh", "-c", "echo why it failed; exit 3"]
    with pytest.raises(SetupError, match="Doing it did not succeed"):
        steps.call(command, what="Doing it")
    assert "why it failed" in capsys.readouterr().err
    assert "why it failed" in (tmp_path / "setup.log").read_text(encoding="utf-8")


def test_a_missing_system_package_is_named_where_it_cannot_be_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SetupError, match="sudo apt-get install chromium bubblewrap"):
        system_packages.provide_for_tests()


def test_a_long_step_says_that_it_is_still_under_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = threading.Event()

    def hear(text: str) -> None:
        if text.startswith("It: still going"):
            told.set()

    monkeypatch.setattr(steps, "STILL_EVERY_S", 0.01)
    monkeypatch.setattr(steps, "say", hear)
    steps.do(Step("It", "key", tmp_path / "stamp", lambda: _wait_for(told)))
    assert told.is_set()


def _wait_for(event: threading.Event) -> None:
    event.wait(10)
