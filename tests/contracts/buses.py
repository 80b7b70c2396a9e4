"""The buses that the contract is checked on, and what its tests say with."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager
from typing import Any, Protocol

from aworld.bus.base import Bus, Subscription
from aworld.bus.memory import History, MemoryBus
from aworld.bus.redis import RedisBus
from aworld.events.conversation import MessageSent
from aworld.events.envelope import Clock
from aworld.events.union import Event, draft

PATIENCE_S = 30.0
"""A test that waits longer has failed."""


class Holder(Bus, Protocol):
    """What a holder's bus offers beyond the protocol."""

    def publish_nowait(self, draft: Event) -> Event: ...
    def trim(self, up_to_seq: int) -> None: ...


class Place:
    """One run: the holder's bus, the bus that the test's nodes use, and the journal."""

    def __init__(self, run_id: str, holder: Holder, bus: Bus, journal: list[Event]) -> None:
        self.run_id = run_id
        self.holder = holder
        self.bus = bus
        self.journal = journal

    def say(self, text: str, *to: str, actor: str = "ann", **fields: Any) -> Event:
        """A draft of a message."""
        return draft(self.run_id, actor, MessageSent(text), recipients=to, **fields)


def journal_history(journal: list[Event]) -> History:
    """A store that has all that was journalled, in pages of 50."""
    return lambda after: journal[after + 1 : after + 51]


@asynccontextmanager
async def memory_place(url: str) -> AsyncIterator[Place]:
    """Everything in one process."""
    run_id, journal = uuid.uuid4().hex, list[Event]()
    bus = MemoryBus(run_id, clock=Clock(), journal=journal.append, history=journal_history(journal))
    try:
        yield Place(run_id, bus, bus, journal)
    finally:
        await bus.close()


@asynccontextmanager
async def redis_place(url: str) -> AsyncIterator[Place]:
    """The nodes live with the holder."""
    run_id, journal = uuid.uuid4().hex, list[Event]()
    bus = RedisBus(
        run_id, url, clock=Clock(), journal=journal.append, history=journal_history(journal)
    )
    try:
        yield Place(run_id, bus, bus, journal)
    finally:
        await bus.close()


@asynccontextmanager
async def remote_place(url: str) -> AsyncIterator[Place]:
    """The nodes have a connection of their own."""
    async with redis_place(url) as place:
        remote = await RedisBus.join(place.run_id, url, history=journal_history(place.journal))
        try:
            yield Place(place.run_id, place.holder, remote, place.journal)
        finally:
            await remote.close()


PLACES: dict[str, Callable[[str], Any]] = {
    "memory": memory_place,
    "redis": redis_place,
    "remote": remote_place,
}


async def take(listener: Subscription, count: int) -> list[Event]:
    """The next events of a listener."""
    async with asyncio.timeout(PATIENCE_S):
        return [await listener.get() for _ in range(count)]


async def drain(listener: Subscription) -> list[Event]:
    """All events until the listener ends."""
    async with asyncio.timeout(PATIENCE_S):
        return [event async for event in listener]


def texts(events: Collection[Event]) -> list[str]:
    """What the messages say."""
    return [event.payload.content for event in events if isinstance(event.payload, MessageSent)]
