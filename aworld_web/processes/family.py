"""All children of one parent: started in turn, watched, reported, ended in the reverse order."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path

from aworld_web.processes import report
from aworld_web.processes.child import Child, ChildSpec, Pace
from aworld_web.processes.console import Console
from aworld_web.processes.report import Parent, Report, Step, StepState

__all__ = ["Family"]

_WRITE_EVERY_S = 0.25
_LOOK_EVERY_S = 0.5
_TRIES_UNTOLD = 2
"""Ended so often before it was well, a child's own words are shown on the page."""


class Family:
    """The children and the set-up's steps, and the file that tells the page of both."""

    def __init__(
        self, home: Path, parent: Parent, *, console: Console, pace: Pace = Pace()
    ) -> None:
        self.report = Report(parent=parent)
        self.console = console
        self._home = home
        self._pace = pace
        self._children: list[Child] = []
        self._keepers: list[asyncio.Task[None]] = []
        self._dirty = asyncio.Event()
        self._writer: asyncio.Task[None] | None = None
        self._unwritable = ""

    def begin(self) -> None:
        """Write the report now, and from now on whenever something changes."""
        self.write()
        self._writer = asyncio.create_task(self._keep_written())

    def step(self, name: str) -> Step:
        """Announce a step of the set-up: the page shows it as waiting."""
        step = Step(name=name)
        self.report.setup.steps.append(step)
        self._dirty.set()
        return step

    def tell(
        self, step: Step, state: StepState, detail: str = "", progress: float | None = None
    ) -> None:
        """Move a step on; its beginning and end are told on the terminal too."""
        if state != step.state or (state == "failed" and detail != step.detail):
            said = f": {detail}" if detail else ""
            self.console.line("aworld", f"{step.name} {_SAID[state]}{said}")
        step.state, step.detail, step.progress = state, detail, progress
        self._dirty.set()

    def is_ready(self) -> None:
        """Runs can be worked on from now."""
        self.report.setup.ready = True
        self._dirty.set()

    def start(self, spec: ChildSpec) -> Child:
        """Start a child and keep it alive; does not wait until it is well."""
        child = Child(spec, say=self.console.line, changed=self._dirty.set, pace=self._pace)
        self._children.append(child)
        self.report.processes.append(child.state)
        self._keepers.append(asyncio.create_task(child.keep_alive()))
        return child

    async def until_well(self, child: Child, step: Step) -> None:
        """Wait until a child can work. What keeps it from that is told on the step meanwhile."""
        doing = step.detail
        while True:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(child.ready.wait(), _LOOK_EVERY_S)
                return
            if child.state.restarts >= _TRIES_UNTOLD:
                self.tell(step, "running", child.state.last_line or doing)

    async def end(self) -> None:
        """End every child, the last started first, so that each still has what it relies on."""
        for child in reversed(self._children):
            await child.stop()
        await asyncio.gather(*self._keepers, return_exceptions=True)
        if self._writer is not None:
            self._writer.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._writer
        self.report.setup.ready = False
        self.write()

    def kill(self) -> None:
        """End every child at once."""
        for child in self._children:
            child.kill()

    def write(self) -> None:
        """Write the report; a full disk is told once, in a sentence."""
        try:
            report.write(self._home, self.report)
            self._unwritable = ""
        except OSError as fault:
            if self._unwritable != str(fault):
                self._unwritable = str(fault)
                self.console.line(
                    "aworld",
                    f"The data folder {str(self._home)!r} cannot be written: {fault.strerror}. "
                    "Make room there; what was acknowledged is kept.",
                )

    async def _keep_written(self) -> None:
        while True:
            await self._dirty.wait()
            self._dirty.clear()
            self.write()
            await asyncio.sleep(_WRITE_EVERY_S)


_SAID: dict[StepState, str] = {
    "waiting": "waits",
    "running": "…",
    "done": "is ready",
    "failed": "failed",
}
