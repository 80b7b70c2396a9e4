"""Which sandbox is used, and what is said where there is none."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from aworld.errors import SandboxError
from aworld.sandbox import choice
from aworld.sandbox.base import SandboxLimits
from aworld.sandbox.process import ALLOW, ProcessSandbox


@pytest.fixture
def without_bubblewrap(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.delenv(ALLOW, raising=False)
    choice.probe_bubblewrap.cache_clear()
    choice._unsandboxed.cache_clear()
    yield
    choice.probe_bubblewrap.cache_clear()
    choice._unsandboxed.cache_clear()


@pytest.mark.usefixtures("without_bubblewrap")
def test_without_bubblewrap_code_is_refused_with_the_cure() -> None:
    with pytest.raises(SandboxError, match="not installed. Install it: 'apt install bubblewrap'"):
        choice.open_sandbox()


@pytest.mark.usefixtures("without_bubblewrap")
def test_who_insists_gets_a_plain_process_and_a_loud_warning(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv(ALLOW, "1")
    with caplog.at_level(logging.WARNING):
        sandbox = choice.open_sandbox()
        choice.open_sandbox()
    assert not sandbox.isolated
    assert [record.message for record in caplog.records] == [
        f"{ALLOW}=1: code of models runs WITHOUT a sandbox, with your rights over files and "
        "network."
    ]


def test_a_plain_process_is_refused_unless_it_is_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(ALLOW, raising=False)
    with pytest.raises(SandboxError, match=f"set {ALLOW}=1 if you trust the code"):
        ProcessSandbox()


async def test_a_plain_process_has_limits_and_no_keys(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(ALLOW, "1")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")
    sandbox = ProcessSandbox()
    shown = await sandbox.run(["/bin/sh", "-c", "env; pwd"], workspace=tmp_path)
    assert "sk-very-secret" not in shown.stdout
    assert str(tmp_path) in shown.stdout
    slow = await sandbox.run(
        ["/bin/sh", "-c", "sleep 60"], workspace=tmp_path, limits=SandboxLimits(seconds=0.2)
    )
    assert slow.timed_out
