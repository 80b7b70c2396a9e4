"""One listener: reads the journal until it has caught up, then gets events as they happen."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Sequence
from typing import Protocol

from aworld.errors import BusError
from aworld.events.union import Event

_PAGE = 256


class Source(Protocol):
    """What a subscription needs of its bus."""

    @property
    def run_id(self) -> str: ...
    @property
    def last_seq(self) -> int: ...
    @property
    def kept_from(self) -> int: ...
    @property
    def closed(self) -> bool: ...
    def kept(self, start: int, limit: int) -> list[Event]: ...
    async def read_back(self, after: int) -> Sequence[Event]: ...
    def now_live(self) -> None: ...
    def now_full(self, listener: BufferedSubscription) -> None: ...
    def now_roomy(self, listener: BufferedSubscription) -> None: ...
    def leave(self, listener: BufferedSubscription) -> None: ...


class BufferedSubscription:
    """A listener with a bounded buffer. Several tasks may `get`; each event goes to one of them."""

    __slots__ = (
        "name",
        "limit",
        "live",
        "_bus",
        "_topics",
        "_everything",
        "_next",
        "buffer",
        "waiting",
        "_loop",
        "_publishers",
        "_closed",
        "_reading",
    )

    def __init__(
        self,
        bus: Source,
        name: str,
        topics: frozenset[str],
        *,
        everything: bool,
        next_seq: int,
        limit: int,
    ) -> None:
        if limit < 1:
            raise BusError(f"listener {name!r}: a buffer holds at least 1 event, not {limit}")
        self.name = name
        self.limit = limit
        self.live = False
        """Caught up: events come straight from publish."""
        self.buffer: deque[Event] = deque()
        self.waiting: deque[asyncio.Future[None]] = deque()
        self._loop = asyncio.get_running_loop()
        self._bus = bus
        self._topics = topics
        self._everything = everything
        self._next = next_seq
        self._publishers: deque[asyncio.Future[None]] = deque()
        self._closed = False
        self._reading: asyncio.Future[None] | None = None

    def __aiter__(self) -> AsyncIterator[Event]:
        return self

    async def __anext__(self) -> Event:
        if not self.buffer and not await self._filled():
            raise StopAsyncIteration
        return self._take()

    async def get(self) -> Event:
        """The next event.

        Raises:
            BusError: the bus or the subscription is closed and nothing is left.
        """
        buffer = self.buffer
        if not buffer and self.live and not self._closed and not self._bus.closed:
            # `_filled`, written out for the usual wait: one coroutine less to make.
            future = self._loop.create_future()
            self.waiting.append(future)
            try:
                await future
            except asyncio.CancelledError:
                self._pass_on(future)
                raise
        if not buffer and not await self._filled():
            raise BusError(
                f"listener {self.name!r} on run {self._bus.run_id!r} is closed and has nothing left"
            )
        return self._take() if len(buffer) == self.limit else buffer.popleft()

    def close(self) -> None:
        """Stop listening, drop what is left, let waiting publishers go."""
        self._closed = True
        self.buffer.clear()
        self._bus.leave(self)
        self.wake()

    def wants(self, event: Event) -> bool:
        """Whether this listener is meant: named, by topic, or everyone is."""
        if self._everything or (not event.recipients and not event.topic):
            return True
        return self.name in event.recipients or event.topic in self._topics

    # called by the bus

    def room(self) -> asyncio.Future[None]:
        """Done when there is room, or the listener or the bus is closed: look again then."""
        future = self._loop.create_future()
        self._publishers.append(future)
        return future

    def fall_behind(self, seq: int) -> None:
        """Too slow to be handed event `seq`: read it and what follows from the journal."""
        self._next = seq
        self.live = False

    def wake(self) -> None:
        """Let everyone who waits, in `get` or to publish, look again."""
        while self.waiting:
            self.wake_one()
        self._release()

    def catch_up(self) -> None:
        """Go live at once where everything missed is in memory and fits the buffer."""
        if self.live or self._next < self._bus.kept_from:
            return
        while self._next <= self._bus.last_seq and len(self.buffer) < self.limit:
            self._keep_wanted(self._bus.kept(self._next, self.limit - len(self.buffer)))
        if self._next == self._bus.last_seq + 1:
            self.live = True
            self._bus.now_live()
            if len(self.buffer) >= self.limit:
                self._bus.now_full(self)

    # taking

    def _take(self) -> Event:
        buffer = self.buffer
        if len(buffer) != self.limit:  # below it, or still above it after a page of history
            return buffer.popleft()
        self._bus.now_roomy(self)
        self._release()
        return buffer.popleft()

    async def _filled(self) -> bool:
        """Wait for an event; False where none will come."""
        while not self.buffer:
            if self._closed:
                return False
            if not self.live and self._next <= self._bus.last_seq:
                await self._read_journal()
            elif self._bus.closed:
                return False
            else:
                future = self._loop.create_future()
                self.waiting.append(future)
                try:
                    await future
                except asyncio.CancelledError:
                    self._pass_on(future)
                    raise
        return True

    def _pass_on(self, future: asyncio.Future[None]) -> None:
        """Give the wake-up that a cancelled task got to the next."""
        if future.done() and not future.cancelled() and self.waiting:
            self.wake_one()

    async def _read_journal(self) -> None:
        """Fill the buffer with the next missed events, from memory or the history."""
        if self._reading is not None:
            await asyncio.shield(self._reading)
            return
        self._reading = self._loop.create_future()
        try:
            if self._next < self._bus.kept_from:
                self._keep_wanted(await self._bus.read_back(self._next - 1))
            else:
                self._keep_wanted(self._bus.kept(self._next, _PAGE))
            if not self._closed:
                self.catch_up()
        finally:
            self._reading.set_result(None)
            self._reading = None

    def _keep_wanted(self, events: Sequence[Event]) -> None:
        for event in events:
            self._next = event.seq + 1
            if self.wants(event):
                self.buffer.append(event)

    def _release(self) -> None:
        """Wake all waiting publishers, oldest first: who finds no room waits again, in order."""
        while self._publishers:
            future = self._publishers.popleft()
            if not future.done():
                future.set_result(None)

    def wake_one(self) -> None:
        """Let the task that has waited longest look again."""
        while self.waiting:
            future = self.waiting.popleft()
            if not future.done():
                future.set_result(None)
                return
