"""One costly client for each event loop, closed with the loop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Hashable
from typing import Generic, TypeVar

T = TypeVar("T")


class LoopShared(Generic[T]):
    """Things that belong to an event loop and are shared by all who use it with the same key.

    A thing is closed when its last user lets go, or when its loop shuts down: each is held by an
    asynchronous generator, and those a loop closes at its end. So `asyncio.run` leaves no open
    connection behind, even where nobody called `release`.
    """

    def __init__(self, close: Callable[[T], Awaitable[None]]) -> None:
        self._close = close
        self._held: dict[tuple[asyncio.AbstractEventLoop, Hashable], _Held[T]] = {}

    async def get(self, key: Hashable, user: object, make: Callable[[], T]) -> T:
        """The running loop's thing for this key; `make` makes the first."""
        loop = asyncio.get_running_loop()
        held = self._held.get((loop, key))
        if held is None:
            for place in [place for place in self._held if place[0].is_closed()]:
                del self._held[place]
            # Stored before the first await, so that two callers do not make two.
            held = self._held[loop, key] = _Held(make())
            held.keeper = self._keep((loop, key), held.thing)
            await anext(held.keeper)
        held.users.add(id(user))
        return held.thing

    async def release(self, key: Hashable, user: object) -> None:
        """This user needs it no longer, in the running loop."""
        held = self._held.get((asyncio.get_running_loop(), key))
        if held is None:
            return
        held.users.discard(id(user))
        if not held.users and held.keeper is not None:
            await held.keeper.aclose()

    async def _keep(
        self, place: tuple[asyncio.AbstractEventLoop, Hashable], thing: T
    ) -> AsyncGenerator[None]:
        try:
            yield
        finally:
            self._held.pop(place, None)
            await self._close(thing)


class _Held(Generic[T]):
    def __init__(self, thing: T) -> None:
        self.thing = thing
        self.users: set[int] = set()
        self.keeper: AsyncGenerator[None] | None = None
