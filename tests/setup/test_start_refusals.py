"""What keeps `aworld up` from starting is said in one sentence with its cure."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from aworld.command_line.main import main
from aworld.errors import ConfigurationError
from aworld_web.processes import report
from aworld_web.processes.home_lock import HomeLock, Services, read_services, write_services
from aworld_web.processes.one_shot import run_module
from aworld_web.processes.ports import free_port, require_free
from aworld_web.processes.report import Parent, Report


def test_a_busy_port_is_named_with_who_has_it_and_another_that_is_free(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("AWORLD_HOME", str(tmp_path))
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert main(["up", "--port", str(port)]) == 1
    said = capsys.readouterr().err
    assert said.startswith(f"aworld: Port {port} is taken by '")
    assert "aworld up --port " in said


@pytest.mark.parametrize("port", [0, -1, 65536])
def test_a_port_that_does_not_exist_is_refused(port: int) -> None:
    with pytest.raises(ConfigurationError, match="does not exist"):
        require_free(port)


def test_a_second_parent_for_the_same_folder_is_told_where_the_first_is(tmp_path: Path) -> None:
    report.write(tmp_path, Report(parent=Parent(pid=4242, url="http://it:1", started_at=0)))
    with (
        HomeLock(tmp_path),
        pytest.raises(ConfigurationError, match=r"running already .*http://it:1 \(process 4242\)"),
        HomeLock(tmp_path),
    ):
        pass


def test_the_folder_is_free_again_when_the_parent_has_ended(tmp_path: Path) -> None:
    with HomeLock(tmp_path):
        write_services(tmp_path, Services("redis://x", ""))
        assert read_services(tmp_path) == Services("redis://x", "")
    with HomeLock(tmp_path):
        assert read_services(tmp_path) is None


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with (
        pytest.raises(ConfigurationError, match="AWORLD_HOME"),
        HomeLock(tmp_path / "file" / "home"),
    ):
        pass


def test_services_are_for_their_owner_only(tmp_path: Path) -> None:
    write_services(tmp_path, Services("redis://:password@x", ""))
    assert (tmp_path / "services.json").stat().st_mode & 0o077 == 0


async def test_a_full_disk_is_told_as_such(tmp_path: Path) -> None:
    import os

    (tmp_path / "full.py").write_text(
        "raise OSError(28, 'No space left on device')", encoding="utf-8"
    )
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    with pytest.raises(ConfigurationError, match="Making it did not succeed: the disk is full"):
        await run_module(
            "full", what="Making it", say=lambda name, line: None, environment=environment
        )


def test_a_worker_without_a_redis_is_told_how_to_name_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("AWORLD_HOME", str(tmp_path))
    monkeypatch.delenv("AWORLD_REDIS_URL", raising=False)
    assert main(["worker"]) == 1
    assert "--join redis://" in capsys.readouterr().err


def test_a_free_port_is_free() -> None:
    require_free(free_port())
