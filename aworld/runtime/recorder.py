"""The run's pen: numbers each event, hands it to the log's writer and to the supervisor's inbox."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

from aworld.bus.memory import MemoryBus
from aworld.events.action import EnvironmentSubmitted
from aworld.events.envelope import Clock
from aworld.events.traits import closes_span, opens_span
from aworld.events.union import AnyPayload, Event, draft
from aworld.runtime.machine import SUPERVISOR
from aworld.storage.base import Lease, Store
from aworld.storage.sink import LogWriter

BACKLOG = 5_000
"""Events that may wait for the store before the run waits for it."""


class Recorder:
    """Everything a run writes passes here, in order."""

    def __init__(
        self, store: Store, lease: Lease, on_durable: Callable[[int], None] | None
    ) -> None:
        self._store = store
        self.run_id = lease.run_id
        self.writer = LogWriter(store, lease, on_durable=on_durable)
        self.inbox: deque[Event] = deque()
        """Recorded, but not folded yet."""
        self.wake = asyncio.Event()
        self.last_seq = -1
        """The newest seq given; -1 until the run was taken up."""
        self._bus: MemoryBus | None = None
        self._clock = Clock()

    def open(self, *, after: int, last_at: int) -> None:
        """Begin to write behind seq `after`, not before the time `last_at` (UTC microseconds)."""
        self._clock = Clock(not_before=last_at)
        self.last_seq = after
        self._bus = MemoryBus(
            self.run_id,
            clock=self._clock,
            journal=self._journal,
            next_seq=after + 1,
            history=lambda seq: self._store.read(self.run_id, after=seq),
        )

    def now(self) -> int:
        """UTC microseconds, on the clock of the events."""
        return self._clock.now()

    def write(self, wanted: Event) -> Event:
        """Number and record a draft."""
        assert self._bus is not None, "the recorder is not open yet"
        return self._bus.publish_nowait(wanted)

    def say(self, payload: AnyPayload, caused_by: tuple[int, ...] = ()) -> None:
        """Record something of the supervisor's own."""
        self.write(draft(self.run_id, SUPERVISOR, payload, caused_by=caused_by))

    def close_span(self, opened: Event, payload: AnyPayload) -> None:
        """Record what belongs to an open span, mostly its end. Who was told of its beginning is
        told of it too; an answer handed in is judged by the environment."""
        actor, recipients = opened.actor, opened.recipients
        if isinstance(opened.payload, EnvironmentSubmitted):
            actor, recipients = opened.recipients[0], (opened.actor,)
        self.write(
            draft(
                self.run_id,
                actor,
                payload,
                role=opened.role,
                span=opened.seq,
                caused_by=(opened.seq,),
                task_id=opened.task_id,
                attempt=opened.attempt,
                recipients=recipients,
            )
        )

    def open_in_inbox(self, folded: dict[int, Event]) -> list[Event]:
        """Spans that are open once the inbox is folded, given those open now."""
        still_open = dict(folded)
        for event in self.inbox:
            if opens_span(event):
                still_open[event.seq] = event
            elif closes_span(event) and event.span is not None:
                still_open.pop(event.span, None)
        return list(still_open.values())

    async def keep_up(self) -> None:
        """Wait where the store is far behind.

        Raises:
            StoreError: the log cannot be written any more.
        """
        if self.writer.backlog > BACKLOG:
            await self.writer.durable(self.last_seq - BACKLOG // 2)
        if self.writer.failed is not None:
            raise self.writer.failed

    async def aclose(self) -> None:
        """Wait until all of it is in the store.

        Raises:
            StoreError: the log cannot be written any more.
        """
        try:
            await self.writer.aclose()
        finally:
            if self._bus is not None:
                await self._bus.close()

    def _journal(self, event: Event) -> None:
        self.last_seq = event.seq
        self.writer.write(event)
        self.inbox.append(event)
        self.wake.set()
