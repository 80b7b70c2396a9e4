"""One watched process: prefixed lines, restart, health, and an end that leaves nothing."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Callable

import pytest

from aworld_web.processes.child import Child, ChildSpec, Pace
from aworld_web.processes.process_group import runs

QUICK = Pace(first_delay_s=0.01, longest_delay_s=0.05, ask_s=0.01, ask_ready_s=0.01, patience=3)

Start = Callable[..., Child]


@pytest.fixture
async def start() -> AsyncIterator[Start]:
    """Starts a Python program as a child; every one is ended with the test."""
    begun: list[tuple[Child, asyncio.Task[None]]] = []

    def launch(program: str, heard: list[str], **spec: object) -> Child:
        child = Child(
            ChildSpec("it", (sys.executable, "-uc", program), os.environ, **spec),  # type: ignore[arg-type]
            say=lambda name, line: heard.append(f"{name}: {line}"),
            changed=lambda: None,
            pace=QUICK,
        )
        begun.append((child, asyncio.create_task(child.keep_alive())))
        return child

    yield launch
    for child, task in begun:
        await child.stop()
        await task


async def until(holds: Callable[[], bool]) -> None:
    """Wait for a condition, at most ten seconds."""
    async with asyncio.timeout(10):
        while not holds():
            await asyncio.sleep(0.005)


async def test_a_child_is_ready_when_it_prints_its_ready_line(start: Start) -> None:
    heard: list[str] = []
    child = start(
        "print('loading'); print('all ready.'); input_ = __import__('time').sleep(60)",
        heard,
        ready_line="ready.",
    )
    await asyncio.wait_for(child.ready.wait(), 10)
    assert heard == ["it: loading", "it: all ready."]
    assert (child.state.state, child.state.last_line) == ("running", "all ready.")


async def test_a_child_that_dies_is_started_again_and_counted(start: Start) -> None:
    heard: list[str] = []
    child = start("print('alive'); import sys; sys.exit(3)", heard)
    await until(lambda: child.state.restarts >= 2)
    assert heard.count("it: alive") >= 2
    assert any("it ended (with status 3)" in line for line in heard)


async def test_a_killed_child_comes_back_with_another_process(start: Start) -> None:
    heard: list[str] = []
    child = start("print('up', flush=True); __import__('time').sleep(60)", heard, ready_line="up")
    await asyncio.wait_for(child.ready.wait(), 10)
    first = child.state.pid
    assert first is not None
    os.kill(first, 9)
    await until(lambda: child.ready.is_set() and child.state.pid != first)
    assert any("by signal SIGKILL" in line for line in heard)


async def test_a_child_that_no_longer_answers_is_ended_and_started_again(start: Start) -> None:
    answers = iter([False, True, False, False, False])

    async def healthy() -> bool:
        return next(answers, True)

    heard: list[str] = []
    child = start("__import__('time').sleep(60)", heard, healthy=healthy)
    await until(lambda: child.state.restarts == 1 and child.ready.is_set())
    assert "aworld: it does not answer and is ended" in heard


async def test_a_program_that_is_not_there_is_reported_and_tried_again() -> None:
    child = Child(
        ChildSpec("ghost", ("/no/such/program",), os.environ),
        say=lambda name, line: None,
        changed=lambda: None,
        pace=QUICK,
    )
    task = asyncio.create_task(child.keep_alive())
    await until(lambda: child.state.restarts >= 2)
    await child.stop()
    await task
    assert "No such file" in child.state.last_line
    assert child.state.state == "stopped"


STUBBORN = """
import signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
below = subprocess.Popen([sys.executable, "-c",
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)"])
print("below", below.pid, flush=True)
time.sleep(60)
"""


async def test_stopping_ends_a_child_that_ignores_it_and_what_that_has_started(
    start: Start,
) -> None:
    heard: list[str] = []
    child = start(STUBBORN, heard, ready_line="below", grace_s=0.1)
    await asyncio.wait_for(child.ready.wait(), 10)
    pid, below = child.state.pid, int(heard[0].split()[-1])
    assert pid is not None
    await child.stop()
    await until(lambda: not runs(pid) and not runs(below))


async def test_a_line_without_end_is_cut_and_what_is_missing_counted(start: Start) -> None:
    heard: list[str] = []
    child = start(
        "print('x' * 9000); print('end'); __import__('time').sleep(60)", heard, ready_line="end"
    )
    await asyncio.wait_for(child.ready.wait(), 10)
    assert heard[0].endswith("x … (808 characters more)")
