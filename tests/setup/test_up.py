"""`aworld up` for real: the page, the links between the processes, killing each, and the end."""

from __future__ import annotations

import os
import signal
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from http.cookiejar import CookieJar
from pathlib import Path

import pytest

from aworld_web.processes.process_group import runs
from tests.setup.running_up import RunningUp

# As the installed command: the folder it is typed in is not on the path.
AWORLD = [sys.executable, "-P", "-m", "aworld.command_line.main"]
# A model that is named is not served: these tests need none.
ENVIRONMENT = {**os.environ, "AWORLD_LOCAL_MODEL_URL": "http://127.0.0.1:9/v1"}
ENVIRONMENT.pop("AWORLD_REDIS_URL", None)
ENVIRONMENT.pop("AWORLD_MONGODB_URI", None)


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningUp]:
    """Everything but the model server, brought up once for this file."""
    folder = tmp_path_factory.mktemp("up")
    for name in ("h2", "redis", "apps"):
        # Somebody's own files where they type the command: none of them is a module of ours.
        (folder / f"{name}.py").write_text("raise SystemExit('not ours')", encoding="utf-8")
    with RunningUp(AWORLD, folder, environment=ENVIRONMENT) as running:
        running.until(lambda: running.report().get("setup", {}).get("ready"), "readiness")
        yield running


def _well(up: RunningUp, name: str, not_pid: int) -> bool:
    process = up.process_named(name)
    return process.get("state") == "running" and process.get("pid") != not_pid


def test_the_page_is_served_and_the_link_logs_in_once(up: RunningUp) -> None:
    visitor = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
    link = up.link()
    with visitor.open(link, timeout=30) as answer:
        assert answer.status == 200
    with visitor.open(f"{up.url}/api/processes", timeout=30) as answer:
        assert answer.status == 200
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(link, timeout=30)
    assert refused.value.code == 403
    refused.value.close()


def test_each_line_names_the_process_that_said_it(up: RunningUp) -> None:
    assert any(line.startswith("worker-1  │ ") and "ready." in line for line in up.lines)
    assert all(" │ " in line for line in up.lines if line)


def test_the_report_shows_every_process_and_every_step(up: RunningUp) -> None:
    assert {one["name"]: one["state"] for one in up.report()["processes"]} == {
        "valkey": "running",
        "web": "running",
        "worker-1": "running",
    }
    steps = {one["name"]: one["state"] for one in up.report()["setup"]["steps"]}
    training = steps.pop("Training packages")
    assert steps == {"Database": "done", "Page": "done", "Worker": "done", "Local model": "done"}
    assert training in {"waiting", "done"}


@pytest.mark.parametrize("name", ["web", "worker-1", "valkey"])
def test_a_process_that_is_killed_comes_back(up: RunningUp, name: str) -> None:
    pid = up.process_named(name)["pid"]
    os.kill(pid, signal.SIGKILL)
    up.until(lambda: _well(up, name, pid), f"another {name}")
    up.until(lambda: _page_answers(up), "page")


def _page_answers(up: RunningUp) -> bool:
    try:
        return up.get("/api/session")[0] == 200
    except OSError:
        return False


def test_a_second_start_on_the_same_folder_is_refused(up: RunningUp) -> None:
    with RunningUp(AWORLD, up.home.parent, environment=ENVIRONMENT) as second:
        assert second.process.wait(30) == 1
    assert f"running already for the data folder {str(up.home)!r} at {up.url}" in second.lines[-1]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_however_it_ends_nothing_is_left_running(tmp_path: Path, number: int) -> None:
    with RunningUp(AWORLD, tmp_path, environment=ENVIRONMENT) as up:
        up.until(lambda: up.report().get("setup", {}).get("ready"), "readiness")
        pids = [one["pid"] for one in up.report()["processes"]]
        assert len(pids) == 3
        status = up.end(number)
        assert status == (-signal.SIGKILL if number == signal.SIGKILL else 0)
        # Valkey writes what it holds before it goes, so it may outlive a killed parent a moment.
        _until_gone(pids)


def _until_gone(pids: list[int]) -> None:
    from time import monotonic, sleep

    end = monotonic() + 15
    while left := [pid for pid in pids if runs(pid)]:
        assert monotonic() < end, f"still running: {left}"
        sleep(0.02)


def test_one_process_does_without_broker_and_worker(tmp_path: Path) -> None:
    with RunningUp(AWORLD, tmp_path, "--single-process", environment=ENVIRONMENT) as up:
        up.until(lambda: up.report().get("setup", {}).get("ready"), "readiness")
        assert [one["name"] for one in up.report()["processes"]] == ["web"]
        assert '"mode":"single-process"' in up.get("/api/session")[1].replace(" ", "")
        assert up.end() == 0
