"""What a bus is: one run's events, numbered, journalled and handed to whoever listens.

The run's lease holder owns the bus and gives the numbers. `MemoryBus` lives inside the holder's
process; `RedisBus` lets nodes in other processes publish to the holder and follow its events.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Collection
from typing import Protocol

from aworld.events.union import Event


class Subscription(Protocol):
    """One listener's view of the bus: every matching event once, in order of seq."""

    def __aiter__(self) -> AsyncIterator[Event]:
        """Iterate; ends when the bus or the subscription is closed."""
        ...

    async def get(self) -> Event:
        """The next event.

        Raises:
            BusError: the bus or the subscription is closed and nothing is left.
        """
        ...

    def close(self) -> None:
        """Stop listening; what waits for this listener stops waiting."""
        ...


class Bus(Protocol):
    """Publish and subscribe for one run."""

    @property
    def run_id(self) -> str:
        """The run whose events these are."""
        ...

    @property
    def last_seq(self) -> int:
        """The newest seq given; -1 before the first."""
        ...

    async def publish(self, draft: Event, *, producer: str = "", counter: int = 0) -> Event:
        """Number, stamp, journal and deliver an event; returns it as numbered.

        `producer` and `counter` make it idempotent: the same pair twice returns the event of the
        first time. Waits while a subscriber's buffer is full (bounded back-pressure).

        Raises:
            BusError: the bus is closed.
        """
        ...

    def subscribe(
        self,
        name: str,
        *,
        topics: Collection[str] = (),
        everything: bool = False,
        after: int | None = None,
        buffer: int = 1024,
    ) -> Subscription:
        """Listen as node `name`.

        Receives events whose recipients name it, whose topic is among `topics`, and broadcasts
        (no recipient, no topic); with `everything`, all. `after=seq` first replays the journal
        from there, then goes on live without gap or double. None means from now on.
        """
        ...

    async def close(self) -> None:
        """No more events; subscribers drain what they have."""
        ...


Journal = Callable[[Event], None]
"""Called with each numbered event, in order, before it is delivered. Must not block."""
