"""`aworld doctor`: what it looks at, what it says is missing, and that it shows no secret."""

from __future__ import annotations

import json
import os
import socket
import stat
from pathlib import Path

import pytest

from aworld.command_line.main import main
from aworld_web.processes.checks import machine, programs, services
from aworld_web.processes.checks.finding import Finding
from aworld_web.processes.ports import free_port


@pytest.fixture(autouse=True)
def _own_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("AWORLD_HOME", str(tmp_path / "home"))
    for name in ("AWORLD_REDIS_URL", "AWORLD_MONGODB_URI"):
        monkeypatch.delenv(name, raising=False)


def findings(capsys: pytest.CaptureFixture[str]) -> dict[str, Finding]:
    """The findings that were printed as JSON, by name."""
    told = json.loads(capsys.readouterr().out)["findings"]
    return {one["name"]: Finding(**one) for one in told}


def test_doctor_looks_at_everything_that_the_product_relies_on(
    capsys: pytest.CaptureFixture[str],
) -> None:
    port = free_port()
    assert main(["doctor", "--json", "--port", str(port)]) == 0
    assert list(findings(capsys)) == [
        *("Python", "Disk", "Memory", "GPU", f"Port {port}", "Browser", "bubblewrap", "Desktop"),
        *("Node", "Valkey", "Redis", "MongoDB", "Local model", "Training", "Keys"),
    ]


def test_a_taken_port_is_missing_and_its_holder_named(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert main(["doctor", "--json", "--port", str(port)]) == 1
    found = findings(capsys)[f"Port {port}"]
    assert found.state == "missing"
    assert f"(process {os.getpid()})" in found.detail
    assert f"--port {port + 1}" in found.cure


def test_an_unreachable_redis_is_missing_and_its_password_not_shown(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("AWORLD_REDIS_URL", "redis://:hush@127.0.0.1:1/0")
    assert main(["doctor", "--json", "--port", str(free_port())]) == 1
    told = capsys.readouterr().out
    assert "redis://127.0.0.1:1/0: " in told
    assert "hush" not in told


def test_a_browser_is_looked_for_on_the_path(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("sys.platform", "linux")
    assert programs.browser().state == "note"
    firefox = tmp_path / "firefox"
    firefox.write_text("", encoding="utf-8")
    firefox.chmod(0o755)
    assert programs.browser() == Finding("Browser", "ok", str(firefox))


def test_a_bubblewrap_that_cannot_make_a_sandbox_is_told_with_its_words(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    fake = tmp_path / "bwrap"
    fake.write_text("#!/bin/sh\necho 'no permissions to create namespace' >&2\nexit 1\n")
    fake.chmod(fake.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setattr("sys.platform", "linux")
    found = programs.bubblewrap()
    assert "no permissions to create namespace" in found.detail
    assert "apparmor_restrict_unprivileged_userns" in found.cure


def test_a_broken_gpu_driver_is_told_with_its_words(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    fake = tmp_path / "nvidia-smi"
    fake.write_text("#!/bin/sh\necho 'driver mismatch'\nexit 9\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path) + ":/bin:/usr/bin")
    assert machine.gpu().detail == "nvidia-smi failed: driver mismatch"


def test_keys_are_named_and_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-not-to-be-seen")
    found = services.keys()
    assert found.state == "ok"
    assert "OPENAI_API_KEY" in found.detail
    assert "sk-not" not in repr(found)


def test_a_folder_that_is_a_file_cannot_hold_the_data(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("", encoding="utf-8")
    blocked.chmod(0o444)
    assert machine.disk(blocked / "home").state == "missing"
