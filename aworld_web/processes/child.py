"""One watched process: started, asked whether it is well, started again when it dies."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Awaitable, Callable, Mapping
from typing import NamedTuple

from aworld_web.processes.console import LineSplitter
from aworld_web.processes.process_group import end_group, own_folder, tie_to_parent
from aworld_web.processes.report import Process, ProcessState, now_us

__all__ = ["Child", "ChildSpec", "Pace"]


class ChildSpec(NamedTuple):
    """How a process is started and how it shows that it is well."""

    name: str
    command: tuple[str, ...]
    environment: Mapping[str, str]
    healthy: Callable[[], Awaitable[bool]] | None = None
    """Asked until it says yes, then now and then. None: `ready_line` tells, or being alive."""
    ready_line: str = ""
    """Part of the line that the process prints when it can work."""
    death_signal: int = signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL
    """What the kernel sends it when the parent is killed."""
    grace_s: float = 8.0
    """Seconds from asking it to end to ending it."""


class Pace(NamedTuple):
    """How fast a child is asked and started again; tests use a quicker one. Seconds."""

    first_delay_s: float = 0.2
    longest_delay_s: float = 30.0
    settled_s: float = 30.0
    """Alive for this long, it starts again with the first delay."""
    ask_s: float = 0.1
    ask_ready_s: float = 5.0
    patience: int = 12
    """Asked so often in vain after it was well, it is ended and started again."""


class Child:
    """Keeps one process alive until `stop`."""

    def __init__(
        self,
        spec: ChildSpec,
        *,
        say: Callable[[str, str], None],
        changed: Callable[[], None],
        pace: Pace = Pace(),
    ) -> None:
        self.spec = spec
        self.state = Process(name=spec.name)
        self.ready = asyncio.Event()
        """Set while the process is well."""
        self._say = say
        self._changed = changed
        self._pace = pace
        self._stopping = asyncio.Event()
        self._process: asyncio.subprocess.Process | None = None

    async def keep_alive(self) -> None:
        """Run the process, again and again, until `stop` is called."""
        loop = asyncio.get_running_loop()
        failures = 0
        while not self._stopping.is_set():
            begun = loop.time()
            status = await self._run_once()
            if self._stopping.is_set():
                break
            failures = 0 if loop.time() - begun > self._pace.settled_s else failures + 1
            delay = min(
                self._pace.first_delay_s * 2 ** max(failures - 1, 0), self._pace.longest_delay_s
            )
            self.state.restarts += 1
            self._enter("restarting")
            self._say("aworld", f"{self.spec.name} ended ({status}); starts again in {delay:.1f} s")
            await _wait(self._stopping, delay)
        self.state.pid = None
        self._enter("stopped")

    async def stop(self) -> None:
        """Ask the process to end, wait its grace, end it and all that it started."""
        self._stopping.set()
        process = self._process
        if process is None or process.returncode is not None:
            return
        self._enter("stopping")
        end_group(process.pid, signal.SIGTERM)
        try:
            await asyncio.wait_for(process.wait(), self.spec.grace_s)
        except TimeoutError:
            self._say("aworld", f"{self.spec.name} did not end within {self.spec.grace_s:.0f} s")
        self.kill()
        await process.wait()

    def kill(self) -> None:
        """End the process and its group at once."""
        if self._process is not None:
            end_group(self._process.pid, getattr(signal, "SIGKILL", signal.SIGTERM))

    async def _run_once(self) -> str:
        """One life of the process; how it ended, in words."""
        self._enter("starting")
        try:
            process = await asyncio.create_subprocess_exec(
                *self.spec.command,
                env=dict(self.spec.environment),
                cwd=own_folder(self.spec.environment),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=tie_to_parent(self.spec.death_signal),
            )
        except OSError as fault:
            self.state.last_line = str(fault)
            return f"could not be started: {fault}"
        self._process, self.state.pid = process, process.pid
        self._changed()
        watching = asyncio.create_task(self._watch(process))
        reading = asyncio.create_task(self._read(process))
        # Not the end of its output: a grandchild may hold the pipe open.
        status = await process.wait()
        watching.cancel()
        self.ready.clear()
        self.kill()
        await asyncio.wait({reading}, timeout=1)
        reading.cancel()
        return _in_words(status)

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        splitter = LineSplitter()
        while data := await process.stdout.read(65536):
            for line in splitter.feed(data):
                self._hear(line)
        if rest := splitter.finish():
            self._hear(rest)

    def _hear(self, line: str) -> None:
        self._say(self.spec.name, line)
        if line.strip():
            self.state.last_line = line.strip()[:500]
            self._changed()
        if self.spec.ready_line and self.spec.ready_line in line:
            self._well()

    async def _watch(self, process: asyncio.subprocess.Process) -> None:
        """Ask whether the process is well; end it where it does not answer for long."""
        if self.spec.healthy is None:
            if not self.spec.ready_line:
                self._well()
            return
        silent = 0
        while True:
            if await self.spec.healthy():
                silent = 0
                self._well()
                await asyncio.sleep(self._pace.ask_ready_s)
                continue
            if not self.ready.is_set() and silent == 0:
                await asyncio.sleep(self._pace.ask_s)
                continue
            silent += 1
            self.ready.clear()
            self._enter("unresponsive")
            if silent >= self._pace.patience:
                self._say("aworld", f"{self.spec.name} does not answer and is ended")
                end_group(process.pid, getattr(signal, "SIGKILL", signal.SIGTERM))
                return
            await asyncio.sleep(self._pace.ask_ready_s)

    def _well(self) -> None:
        if not self.ready.is_set():
            self.ready.set()
            self._enter("running")

    def _enter(self, state: ProcessState) -> None:
        if self.state.state != state:
            self.state.state = state
            self.state.since = now_us()
            self._changed()


async def _wait(event: asyncio.Event, seconds: float) -> None:
    try:
        await asyncio.wait_for(event.wait(), seconds)
    except TimeoutError:
        return


def _in_words(status: int) -> str:
    if status < 0:
        try:
            return f"by signal {signal.Signals(-status).name}"
        except ValueError:
            return f"by signal {-status}"
    return f"with status {status}"
