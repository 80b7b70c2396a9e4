"""A run that a test drives, holds, kills and takes up again, at full speed in this process."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from aworld.agents.build import Built
from aworld.agents.runner import parts_of
from aworld.bus.doorbell import Doorbell
from aworld.events.union import Event
from aworld.runtime import control
from aworld.runtime.launch import create_run, created_lease
from aworld.runtime.recovery import read_log
from aworld.runtime.supervisor import PARK_AFTER_S, Supervisor
from aworld.storage.base import ENDED, Lease, RunRecord, Store

PATIENCE_S = 60
MakeBuilt = Callable[[RunRecord], Built]
"""The team of a run with models that go on from its log."""


class Driven:
    """One run. Made on the loop that drives it."""

    put_aside = False
    """Whether it is parked while it waits for people."""

    def __init__(
        self,
        store: Store,
        record: RunRecord,
        make_built: MakeBuilt,
        *,
        park_after_s: float = PARK_AFTER_S,
    ) -> None:
        """`record` is leased to `w`, or waits."""
        self._park_after_s = park_after_s
        self.store = store
        self.run_id = record.run_id
        self._make_built = make_built
        self.begin(created_lease(record) if record.status == "running" else self.claim())

    @classmethod
    def new(
        cls,
        store: Store,
        team: dict[str, Any],
        make_built: MakeBuilt,
        breakpoints: Sequence[dict[str, Any]] = (),
        *,
        park_after_s: float = PARK_AFTER_S,
    ) -> Driven:
        """A new run of a team."""
        record = create_run(
            store,
            team={**team, "breakpoints": list(breakpoints)},
            input="How much is 2+2?",
            source="script",
            worker="w",
            lease_ttl_s=3600,
        )
        return cls(store, record, make_built, park_after_s=park_after_s)

    def begin(self, lease: Lease) -> None:
        """A worker drives it under this lease."""
        self.changed = asyncio.Event()
        loop = asyncio.get_running_loop()
        parts = parts_of(self._make_built(self.record), self.store, self.record, Doorbell(""))
        self.supervisor = Supervisor(
            self.store,
            lease,
            parts.nodes,
            parts.make_gate,
            on_durable=lambda seq: (loop.call_soon_threadsafe(self.changed.set), None)[1],
            park_after_s=self._park_after_s,
            put_aside=self.put_aside,
        )
        self.task = asyncio.create_task(self.supervisor.run())
        self.task.add_done_callback(lambda _: self.changed.set())

    @property
    def record(self) -> RunRecord:
        """Its row."""
        return self.store.get_run(self.run_id)

    @property
    def ended(self) -> bool:
        """Whether it is over."""
        return self.record.status in ENDED

    def log(self) -> list[Event]:
        """All its events."""
        return read_log(self.store, self.run_id)

    def bring(self) -> None:
        """Its commands reach its worker, as the heartbeat would bring them."""
        for command in self.store.commands(self.run_id, after=self.supervisor.next_command - 1):
            self.supervisor.command(command)

    async def until(self, reached: Callable[[RunRecord], bool]) -> RunRecord:
        """Its row once it is so, or the run has ended.

        Raises:
            TimeoutError: the run is stuck.
        """
        async with asyncio.timeout(PATIENCE_S):
            while True:
                self.changed.clear()
                record = self.record
                if reached(record) or record.status in ENDED:
                    return self.record  # What was reached may be newer than the row above.
                self.bring()
                await self.changed.wait()

    async def held(self, behind: int = -1) -> RunRecord:
        """Its row once it is held behind a seq, or has ended."""
        return await self.until(lambda run: run.status == "paused" and run.last_seq > behind)

    async def go_on(self) -> RunRecord:
        """Resume it where it is held, until it is held again or ends."""
        last = self.record.last_seq
        control.resume(self.store, self.run_id, by="ann")
        self.bring()
        return await self.held(last)

    async def done(self) -> RunRecord:
        """Resume it whenever it is held; its row at the end."""
        record = await self.held()
        while record.status not in ENDED:
            record = await self.go_on()
        await self.task
        return record

    async def crash(self) -> None:
        """Its worker vanishes without a word, and another one takes it up."""
        await self.die()
        if not self.ended:
            self.begin(self.claim())

    async def die(self) -> None:
        """Its worker vanishes without a word."""
        self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)

    def claim(self, worker: str = "w") -> Lease:
        """A worker's lease of it."""
        self.store.set_run(self.run_id, status="queued", only_if=("parked",))
        lease = self.store.claim(worker, ttl_s=3600, run_id=self.run_id)
        assert lease is not None, self.record.status
        return lease
