"""What hands a run's numbered events to its listeners: the part that every bus shares.

What reaches a listener is looked up, not searched: routes (which listeners get which topic and
recipients) are worked out once and forgotten when somebody joins or leaves.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from aworld.bus.subscription import BufferedSubscription
from aworld.errors import BusError
from aworld.events.union import Event

_ROUTES = 4096

Routes = dict[tuple[str, ...], tuple[BufferedSubscription, ...]]
"""Recipients to the listeners an event goes to."""


class Feed:
    """The newest events of a run and who listens. Not thread-safe: one event loop."""

    def __init__(self, run_id: str, *, next_seq: int) -> None:
        """`next_seq` is the number of the next event."""
        self._run_id = run_id
        self._next = next_seq
        self._kept: list[Event] = []
        self._kept_from = next_seq
        self._listeners: list[BufferedSubscription] = []
        self._full: set[BufferedSubscription] = set()
        self._ahead: list[BufferedSubscription] = []
        self._routes: Routes = {}
        self._topic_routes: dict[str, Routes] = {}
        self._route_count = 0
        self._closed = False

    @property
    def run_id(self) -> str:
        """The run whose events these are."""
        return self._run_id

    @property
    def last_seq(self) -> int:
        """The newest seq; `next_seq - 1` before the first."""
        return self._next - 1

    @property
    def kept_from(self) -> int:
        """The oldest seq still in memory; older events are read back."""
        return self._kept_from

    @property
    def closed(self) -> bool:
        """Whether no more events will come."""
        return self._closed

    def subscribe(
        self,
        name: str,
        *,
        topics: Collection[str] = (),
        everything: bool = False,
        after: int | None = None,
        buffer: int = 1024,
    ) -> BufferedSubscription:
        """Listen as node `name`; see `Bus.subscribe`.

        While a late joiner still reads the journal it holds nobody up; once it has caught up, its
        buffer counts.

        Raises:
            BusError: the bus is closed, or the events after `after` cannot be had any more.
        """
        self._refuse_if_closed()
        start = self._next if after is None else after + 1
        if start < self._kept_from:
            self._refuse_lost(start)
        listener = BufferedSubscription(
            self, name, frozenset(topics), everything=everything, next_seq=start, limit=buffer
        )
        self._listeners.append(listener)
        listener.catch_up()
        if start > self._next:
            self._ahead.append(listener)
        self._forget_routes()
        return listener

    async def close(self) -> None:
        """No more events; listeners drain what they have, who waits gets a BusError."""
        self._closed = True
        for listener in self._listeners:
            listener.wake()

    def kept(self, start: int, limit: int) -> list[Event]:
        """Events from `start` on that are in memory, at most `limit`."""
        skip = max(start - self._kept_from, 0)
        return self._kept[skip : skip + limit]

    async def read_back(self, after: int) -> Sequence[Event]:
        """A page of the events after a seq, which memory has forgotten.

        Raises:
            BusError: they cannot be had any more.
        """
        raise NotImplementedError

    # told by subscriptions

    def now_live(self) -> None:
        """A listener caught up: it belongs to the routes from here on."""
        self._forget_routes()

    def now_full(self, listener: BufferedSubscription) -> None:
        """A listener's buffer is full."""
        self._full.add(listener)

    def now_roomy(self, listener: BufferedSubscription) -> None:
        """It is full no longer."""
        self._full.discard(listener)

    def leave(self, listener: BufferedSubscription) -> None:
        """Forget a closed listener."""
        self._full.discard(listener)
        for group in (self._listeners, self._ahead):
            if listener in group:
                group.remove(listener)
        self._forget_routes()

    # for the kinds of bus

    def _forget_up_to(self, seq: int, *, keep: int) -> None:
        """Drop events up to `seq` from memory, but not the newest `keep`."""
        spare = min(seq + 1 - self._kept_from, len(self._kept) - keep)
        if spare >= keep:  # seldom and much: each time moves what stays
            del self._kept[:spare]
            self._kept_from += spare

    def _admit_ahead(self) -> None:
        """Let in those who asked for events from the next one on before it was there."""
        for listener in self._ahead:
            listener.catch_up()
        self._ahead = [one for one in self._ahead if not one.live]

    def _route(self, event: Event) -> tuple[BufferedSubscription, ...]:
        if self._route_count >= _ROUTES:
            self._forget_routes()
        self._route_count += 1
        route = tuple(one for one in self._listeners if one.live and one.wants(event))
        if event.topic:
            self._topic_routes.setdefault(event.topic, {})[event.recipients] = route
        else:
            self._routes[event.recipients] = route
        return route

    def _forget_routes(self) -> None:
        self._routes.clear()
        self._topic_routes.clear()
        self._route_count = 0

    def _refuse_if_closed(self) -> None:
        if self._closed:
            raise BusError(f"the bus of run {self._run_id!r} is closed")

    def _refuse_lost(self, start: int) -> None:
        """Raise where events from `start` on cannot be read back."""
