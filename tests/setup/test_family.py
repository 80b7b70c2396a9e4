"""A parent and its children as real processes: ended by a signal, or killed outright."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from aworld_web.processes import report
from aworld_web.processes.child import ChildSpec, Pace
from aworld_web.processes.console import Console
from aworld_web.processes.family import Family
from aworld_web.processes.leftovers import end_leftovers
from aworld_web.processes.process_group import runs
from aworld_web.processes.report import Parent, Process, Report

PROGRAM = Path(__file__).with_name("family_program.py")


class Running(NamedTuple):
    """The parent, and its children's numbers."""

    parent: subprocess.Popen[str]
    children: list[int]


@pytest.fixture
def family(tmp_path: Path) -> Iterator[Running]:
    """A parent with two children that are well; ended with the test."""
    with subprocess.Popen(
        [sys.executable, str(PROGRAM), str(tmp_path)], stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        line = parent.stdout.readline().split()
        assert line[:1] == ["ready"]
        yield Running(parent, [int(pid) for pid in line[1:]])
        parent.kill()


def until_gone(pids: list[int]) -> None:
    """Wait at most ten seconds until none of these runs."""
    until = time.monotonic() + 10
    while [pid for pid in pids if runs(pid)]:
        assert time.monotonic() < until, f"still running: {pids}"
        time.sleep(0.01)


def test_a_terminated_parent_leaves_no_child_and_says_so_in_its_report(
    family: Running, tmp_path: Path
) -> None:
    family.parent.send_signal(signal.SIGTERM)
    assert family.parent.wait(20) == 0
    until_gone(family.children)
    written = report.read(tmp_path)
    assert written is not None
    assert [(one.name, one.state, one.pid) for one in written.processes] == [
        ("first", "stopped", None),
        ("second", "stopped", None),
    ]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends children with their parent")
def test_a_parent_killed_outright_leaves_no_child(family: Running) -> None:
    family.parent.kill()
    until_gone(family.children)


def test_the_report_names_each_process_while_itruns(family: Running, tmp_path: Path) -> None:
    until = time.monotonic() + 10
    while True:
        written = report.read(tmp_path)
        assert written is not None
        if [one.state for one in written.processes] == ["running", "running"]:
            break
        assert time.monotonic() < until
        time.sleep(0.01)
    assert [one.pid for one in written.processes] == family.children
    assert [one.last_line for one in written.processes] == ["here", "here"]
    assert written.parent.pid == family.parent.pid


def test_the_next_start_ends_what_a_killed_parent_left(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "import time; time.sleep(120)", "celery"]
    left = subprocess.Popen(command, start_new_session=True)
    stranger = subprocess.Popen(["sleep", "120"], start_new_session=True)
    try:
        processes = [
            Process(name="worker-1", pid=left.pid),
            Process(name="somebody", pid=stranger.pid),
            Process(name="gone"),
        ]
        parent = Parent(pid=os.getpid(), url="", started_at=0)
        report.write(tmp_path, Report(parent=parent, processes=processes))
        assert end_leftovers(tmp_path) == ["worker-1"]
        assert left.wait(10) == -signal.SIGTERM
        assert stranger.poll() is None
    finally:
        for process in (left, stranger):
            process.kill()
            process.wait()


async def test_what_keeps_a_child_from_starting_is_told_on_its_step(tmp_path: Path) -> None:
    program = "print('the adapter is missing'); raise SystemExit(1)"
    parent = Parent(pid=os.getpid(), url="", started_at=0)
    pace = Pace(first_delay_s=0.01, longest_delay_s=0.01)
    with (tmp_path / "console").open("w", encoding="utf-8") as console:
        family = Family(tmp_path, parent, console=Console(console), pace=pace)
        step = family.step("Local model")
        child = family.start(
            ChildSpec("model", (sys.executable, "-c", program), os.environ, ready_line="ready")
        )
        waiting = asyncio.create_task(family.until_well(child, step))
        async with asyncio.timeout(20):
            while step.detail != "the adapter is missing":
                await asyncio.sleep(0.01)
        waiting.cancel()
        await family.end()
    assert step.state == "running"
