"""A remote node's copy of a run's newest events, fed from the stream."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence

from aworld.bus.feed import Feed
from aworld.events.union import Event

_KEPT_EVENTS = 2048


class Mirror(Feed):
    """Hands on what others numbered. A slow listener holds nobody up: it falls behind, and reads
    what it missed from memory, the stream or the store."""

    def __init__(
        self, run_id: str, fetch: Callable[[int], Awaitable[Sequence[Event]]], *, next_seq: int
    ) -> None:
        super().__init__(run_id, next_seq=next_seq)
        self._fetch = fetch

    def accept(self, events: Iterable[Event]) -> None:
        """Hand on the events that are new; a gap before them is read back by each listener."""
        for event in events:
            if event.seq < self._next:
                continue
            if event.seq > self._next:
                self._jump(event.seq)
            self._hand_on(event)
        self._forget_up_to(self.last_seq, keep=_KEPT_EVENTS)

    def jump(self, next_seq: int) -> None:
        """Events before `next_seq` exist but did not come through the stream."""
        if next_seq > self._next:
            self._jump(next_seq)

    async def read_back(self, after: int) -> Sequence[Event]:
        """A page of the events after a seq, from the stream or the store."""
        return await self._fetch(after)

    def _jump(self, next_seq: int) -> None:
        for listener in self._listeners:
            if listener.live:
                listener.fall_behind(self._next)
        self._full.clear()
        self._forget_routes()
        self._kept.clear()
        self._kept_from = self._next = next_seq
        for listener in self._listeners:
            listener.wake()

    def _hand_on(self, event: Event) -> None:
        if self._ahead:
            self._admit_ahead()
        self._next = event.seq + 1
        self._kept.append(event)
        routes = self._topic_routes.get(event.topic) if event.topic else self._routes
        route = routes.get(event.recipients) if routes is not None else None
        for listener in self._route(event) if route is None else route:
            if len(listener.buffer) >= listener.limit:
                listener.fall_behind(event.seq)
                self._forget_routes()
            else:
                listener.buffer.append(event)
            listener.wake_one()
