"""Processes that do one thing and end: preparing the database, starting the demo's run."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
from collections.abc import Callable, Mapping

from aworld.errors import ConfigurationError
from aworld_web.processes.console import LineSplitter
from aworld_web.processes.process_group import end_group, own_folder, tie_to_parent

__all__ = ["run_module"]

_KILL = getattr(signal, "SIGKILL", signal.SIGTERM)
_DISK_FULL = ("No space left on device", "database or disk is full", "Disk quota exceeded")


async def run_module(
    *arguments: str,
    what: str,
    say: Callable[[str, str], None],
    environment: Mapping[str, str],
) -> None:
    """Run `python -m arguments…` to its end, telling its lines; ended with us when cancelled.

    Raises:
        ConfigurationError: it did not succeed; `what` and its last line are in the message.
    """
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", *arguments),
        env=dict(environment),
        cwd=own_folder(environment),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        start_new_session=True,
        preexec_fn=tie_to_parent(_KILL),
    )
    assert process.stdout is not None
    splitter, lines = LineSplitter(), list[str]()
    try:
        while data := await process.stdout.read(65536):
            lines += splitter.feed(data)
        lines.append(splitter.finish())
        status = await process.wait()
    finally:
        end_group(process.pid, _KILL)
        with contextlib.suppress(ProcessLookupError):
            await process.wait()
    told = [line for line in lines if line.strip()]
    for line in told:
        say("setup", line)
    if status != 0:
        raise ConfigurationError(f"{what} did not succeed: {_reason(told)}")


def _reason(lines: list[str]) -> str:
    if any(sign in line for line in lines for sign in _DISK_FULL):
        return "the disk is full. Make room in the data folder (AWORLD_HOME) and start again."
    return lines[-1] if lines else "it said nothing."
