"""The training packages: installed behind, with a state that the page can show."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from aworld.errors import ConfigurationError
from aworld_web.processes import training_requirements as training
from aworld_web.processes.report import Step

FAKE_PIP = """#!/bin/sh
echo 'Collecting torch==2.13.0'
echo '  Downloading torch (180 MB)'
{end}
"""


@pytest.fixture(autouse=True)
def _none_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "_NEEDED", ("no_such_package_at_all",))


def _python_that(end: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a program in Python's place that speaks like pip and then ends so."""
    fake = folder / "python"
    fake.write_text(FAKE_PIP.format(end=end), encoding="utf-8")
    fake.chmod(fake.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setattr("sys.executable", str(fake))


def test_before_their_first_use_the_page_says_when_they_come(tmp_path: Path) -> None:
    assert training.read_step(tmp_path) == Step(
        name="Training packages", state="waiting", detail=training.NOT_YET
    )


def test_while_they_come_the_page_shows_what_is_fetched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Step] = []
    _python_that("exit 0", tmp_path, monkeypatch)
    training.install(tmp_path, lambda line: seen.append(training.read_step(tmp_path)))
    assert [step.state for step in seen] == ["running", "running"]
    assert seen[1].detail == "Downloading torch (180 MB)"
    assert 0 < (seen[0].progress or 0) < 1


def test_a_failure_is_told_with_pips_last_words_and_the_cure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _python_that("echo 'ERROR: No space left on device'; exit 1", tmp_path, monkeypatch)
    with pytest.raises(ConfigurationError, match="No space left on device"):
        training.install(tmp_path, lambda line: None)
    step = training.read_step(tmp_path)
    assert step.state == "failed"
    assert "aworld setup-training" in step.detail


def test_what_pip_is_asked_for_is_exact() -> None:
    wanted = training.requirements()
    assert "torch==2.13.0" in wanted
    assert all("==" in line for line in wanted)
