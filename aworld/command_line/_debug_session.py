"""A run under a debugger's hand in this very process."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from aworld.agents.build import Built
from aworld.agents.nodes import recorded_nodes
from aworld.agents.runner import parts_of, worker_name
from aworld.bus.doorbell import Doorbell
from aworld.errors import AWorldError
from aworld.events.control import EditApplied
from aworld.events.run import RunPaused, RunResumed
from aworld.events.traits import CLOSERS, TERMINAL
from aworld.events.union import Event
from aworld.runtime import control
from aworld.runtime.breakpoints import Breakpoint
from aworld.runtime.control import LEASE_S
from aworld.runtime.fork import fork_run
from aworld.runtime.heartbeat import Heartbeat
from aworld.runtime.held import next_wanted
from aworld.runtime.launch import created_lease
from aworld.runtime.near_folds import FoldCache
from aworld.runtime.recovery import read_log
from aworld.runtime.run_state import RunState, read_state
from aworld.runtime.supervisor import Supervisor
from aworld.storage.base import ENDED, Lease, RunRecord, Store

BY = "terminal"
PATIENCE_S = 10.0
"""How long a command may take that needs neither model nor tool."""
NEVER_S = 30 * 24 * 3600.0
"""Somebody sits at the terminal, so the run is not parked."""


class DebugSession:
    """Drives one run and carries out what is wanted of it. Use on one event loop."""

    def __init__(self, store: Store, record: RunRecord, built: Built, heartbeat: Heartbeat) -> None:
        """`record` is leased to this worker, or waits parked."""
        self.store = store
        self.run_id = record.run_id
        self._built = built
        self._heartbeat = heartbeat
        self._changed = asyncio.Event()
        self._folds = FoldCache()
        parts = parts_of(built, store, record, Doorbell(""))
        lease = _lease(store, record)
        self._loop = asyncio.get_running_loop()
        self._supervisor = Supervisor(
            store,
            lease,
            parts.nodes,
            parts.make_gate,
            on_durable=self._on_durable,
            park_after_s=NEVER_S,
        )
        heartbeat.watch(self._supervisor, lease)
        self._task = asyncio.create_task(self._drive())

    def _on_durable(self, seq: int) -> None:
        self._loop.call_soon_threadsafe(self._changed.set)

    async def _drive(self) -> None:
        try:
            await self._supervisor.run()
        finally:
            self._heartbeat.unwatch(self.run_id)
            self._changed.set()

    # -- looking ---------------------------------------------------------------------------------

    @property
    def record(self) -> RunRecord:
        """The run's row."""
        return self.store.get_run(self.run_id)

    @property
    def ended(self) -> bool:
        """Whether nothing happens any more."""
        return self._task.done() or self.record.status in ENDED

    def state(self, seq: int = -1) -> RunState:
        """What every node knew after a step."""
        record = self.record
        return read_state(self.store, record, recorded_nodes(self.store, record), seq, self._folds)

    def events(self, count: int) -> list[Event]:
        """The last events."""
        return self.store.read(self.run_id, after=self.record.last_seq - count, limit=count)

    async def stopped(self, after: int = -1) -> None:
        """Wait until the run is held again behind a seq, or has ended."""
        await self._until(lambda events: _held_again(events, after < 0), after)

    # -- commanding ------------------------------------------------------------------------------

    async def step(self) -> None:
        """Do one thing."""
        await self._go(lambda: control.step(self.store, self.run_id, by=BY))

    async def run_on(self) -> None:
        """Go on to the next breakpoint, or to the end."""
        await self._go(lambda: control.resume(self.store, self.run_id, by=BY))

    async def run_to(self, seq: int) -> None:
        """Go on to a step."""
        await self._go(lambda: control.run_to(self.store, self.run_id, seq, by=BY))

    async def edit(self, target: int, after: dict[str, Any]) -> None:
        """Change what the nodes see of an event."""
        last = self.record.last_seq
        nodes = recorded_nodes(self.store, self.record)
        control.edit(self.store, self.run_id, target, after, nodes=nodes, by=BY)
        await self._soon(
            lambda events: any(isinstance(e.payload, EditApplied) for e in events), last
        )

    async def arm(self, breakpoints: Sequence[Breakpoint]) -> None:
        """Put these in the place of the run's breakpoints."""
        control.arm(self.store, self.run_id, msgspec.to_builtins(list(breakpoints)), by=BY)
        self._bring_commands()

    async def answer(self, given: str | dict[str, Any]) -> None:
        """Answer instead of what is open, else of what would begin next.

        Raises:
            AWorldError: nothing is open and nothing would begin.
        """
        last = self.record.last_seq
        opened = self._open()
        span = opened.seq if opened is not None else -1
        wanted = opened if opened is not None else self._held()
        if wanted is None:
            raise AWorldError(f"Nothing in run {self.run_id!r} waits for an answer.")
        if wanted.kind == "person.asked" and span >= 0 and isinstance(given, str):
            control.answer(self.store, self.run_id, span, given, by=BY)
        else:
            field = "answer" if wanted.kind == "person.asked" else "text"
            fields = {field: given} if isinstance(given, str) else given
            control.substitute(self.store, self.run_id, span, fields, opened=wanted, by=BY)
        await self._soon(_answered, last)
        if span < 0 and self._supervisor.held() is None:
            # Then the run goes on behind the answer, and is held again.
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(PATIENCE_S):
                    await self._until(lambda _: self.record.status != "running", last)

    def fork(self, at: int, edits: dict[int, dict[str, Any]]) -> DebugSession:
        """A fork behind a step, driven in this process too."""
        nodes = recorded_nodes(self.store, self.record)
        fork = fork_run(self.store, self.run_id, at, nodes=nodes, edits=edits, by=BY, queued=False)
        return DebugSession(self.store, fork, self._built, self._heartbeat)

    async def close(self) -> RunRecord:
        """End the run if it has not ended."""
        if not self.ended:
            control.cancel(self.store, self.run_id, by=BY, reason="The debugger was left.")
            self._bring_commands()
        await asyncio.gather(self._task, return_exceptions=True)
        return self.record

    # -- waiting ---------------------------------------------------------------------------------

    async def _go(self, command: Callable[[], object]) -> None:
        last = self.record.last_seq
        command()
        self._bring_commands()
        await self.stopped(last)

    def _bring_commands(self) -> None:
        for command in self.store.commands(self.run_id, after=self._supervisor.next_command - 1):
            self._supervisor.command(command)

    async def _soon(self, reached: Callable[[Sequence[Event]], bool], after: int) -> None:
        self._bring_commands()
        try:
            async with asyncio.timeout(PATIENCE_S):
                await self._until(reached, after)
        except TimeoutError:
            raise AWorldError(
                f"Run {self.run_id!r} did not carry this out; look at its state and try again."
            ) from None

    async def _until(self, reached: Callable[[Sequence[Event]], bool], after: int) -> None:
        while not self._task.done():
            self._changed.clear()
            events = self.store.read(self.run_id, after=after, limit=10_000)
            if reached(events) or any(event.kind in TERMINAL for event in events):
                return
            await self._changed.wait()

    def _open(self) -> Event | None:
        calls = [call for node in self.state().nodes for call in node.open_calls]
        found = self.store.read_seqs(self.run_id, [call.span for call in calls])
        return found[0] if found else None

    def _held(self) -> Event | None:
        return next_wanted(
            read_log(self.store, self.run_id), recorded_nodes(self.store, self.record)
        )


def _lease(store: Store, record: RunRecord) -> Lease:
    if record.status == "running":
        return created_lease(record)
    store.set_run(record.run_id, status="queued", only_if=("parked",))
    lease = store.claim(worker_name(), ttl_s=LEASE_S, run_id=record.run_id)
    if lease is None:
        raise AWorldError(f"Run {record.run_id!r} was taken by another worker.")
    return lease


def _held_again(events: Sequence[Event], was_running: bool) -> bool:
    """Whether the run went on, if it was held, and is held now."""
    running = was_running
    held = False
    for event in events:
        if isinstance(event.payload, RunResumed):
            running, held = True, False
        elif isinstance(event.payload, RunPaused) and running:
            held = True
    return held


def _answered(events: Sequence[Event]) -> bool:
    return any(event.kind in CLOSERS for event in events)
