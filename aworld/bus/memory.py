"""The bus inside one process: numbers, journals and delivers a run's events on one event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

import msgspec

from aworld.bus.base import Journal
from aworld.bus.feed import Feed
from aworld.bus.subscription import BufferedSubscription
from aworld.errors import BusError
from aworld.events.envelope import OWN_SPAN, UNSEQUENCED, Clock
from aworld.events.union import Event

History = Callable[[int], Sequence[Event]]
"""Durable events with a seq larger than the given one, in order, perhaps only the next page of
them. It may block: it is called in a thread."""

KEPT_EVENTS = 1024
"""Newest events that stay in memory although the store has them, for those who join late."""
REMEMBERED_COUNTERS = 4096
"""How many of a producer's publishes are remembered for idempotence."""

_set_field = msgspec.structs.force_setattr


class MemoryBus(Feed):
    """One run's bus. Not thread-safe: everything happens on the loop that made it."""

    def __init__(
        self,
        run_id: str,
        *,
        clock: Clock,
        journal: Journal | None = None,
        next_seq: int = 0,
        history: History | None = None,
    ) -> None:
        """`next_seq` is the number of the next event: one more than the store's last."""
        super().__init__(run_id, next_seq=next_seq)
        self._now = clock.now
        self._journal = journal
        self._history = history
        self._producers: dict[str, dict[int, Event | asyncio.Future[Event]]] = {}

    async def publish(self, draft: Event, *, producer: str = "", counter: int = 0) -> Event:
        """Number, stamp, journal and deliver; the draft itself becomes the numbered event.

        Waits while a listener the event is meant for is full. With a `producer`, the same
        `counter` twice returns the event of the first time.

        Raises:
            BusError: the bus is closed, or the draft is another run's.
        """
        if producer:
            return await self._publish_once(draft, producer, counter)
        if self._full:
            await self._room_for(draft)
        return self._number(draft)

    def publish_nowait(self, draft: Event) -> Event:
        """As `publish`, at once.

        Raises:
            BusError: also where a listener the event is meant for is full.
        """
        if self._full and (full := self._first_full(draft)) is not None:
            raise BusError(
                f"the buffer of listener {full.name!r} on run {self._run_id!r} is full "
                f"({full.limit} events): await publish() instead, or subscribe with a larger buffer"
            )
        return self._number(draft)

    def trim(self, up_to_seq: int) -> None:
        """The store holds everything up to here: memory may forget it, except the newest events.
        Without a history everything is kept."""
        if self._history is not None:
            self._forget_up_to(up_to_seq, keep=KEPT_EVENTS)

    async def read_back(self, after: int) -> Sequence[Event]:
        """A page of the history after a seq.

        Raises:
            BusError: the history does not have the event that memory has forgotten.
        """
        events = await asyncio.to_thread(self._history, after) if self._history else ()
        if not events or events[0].seq != after + 1:
            raise BusError(
                f"run {self._run_id!r}: event {after + 1} is neither in memory nor in the history"
            )
        return events

    # the hot path

    def _number(self, draft: Event) -> Event:
        if self._closed or draft.run_id != self._run_id:
            self._refuse(draft)
        if draft.seq != UNSEQUENCED:  # published before: that event must keep its number
            draft = _draft_of(draft)
        seq = self._next
        # Until here the draft was nobody's event, so it may be changed in place; building a second
        # struct would double the cost of an event.
        _set_field(draft, "seq", seq)
        _set_field(draft, "at", self._now())
        opens_span = draft.span == OWN_SPAN
        if opens_span:
            _set_field(draft, "span", seq)
        if self._journal is not None:
            try:
                self._journal(draft)
            except BaseException:
                _set_field(draft, "span", OWN_SPAN if opens_span else draft.span)
                _set_field(draft, "seq", UNSEQUENCED)
                raise
        if self._ahead:
            self._admit_ahead()
        self._next = seq + 1
        self._kept.append(draft)
        routes = self._topic_routes.get(draft.topic) if draft.topic else self._routes
        route = routes.get(draft.recipients) if routes is not None else None
        for listener in self._route(draft) if route is None else route:
            # BufferedSubscription.deliver, written out: a call would cost a tenth of the publish.
            buffer = listener.buffer
            buffer.append(draft)
            if len(buffer) >= listener.limit:
                self._full.add(listener)
            if listener.waiting:
                listener.wake_one()
        return draft

    # waiting

    def _first_full(self, draft: Event) -> BufferedSubscription | None:
        return next((one for one in self._full if one.wants(draft)), None)

    async def _room_for(self, draft: Event) -> None:
        while not self._closed and (full := self._first_full(draft)) is not None:
            await full.room()

    async def _publish_once(self, draft: Event, producer: str, counter: int) -> Event:
        known = self._producers.setdefault(producer, {})
        first = known.get(counter)
        if isinstance(first, Event):
            return first
        if first is not None:  # the first publish still waits for room
            return await asyncio.shield(first)
        if len(known) >= REMEMBERED_COUNTERS and counter < next(iter(known)):
            raise BusError(
                f"producer {producer!r} published number {counter} of run {self._run_id!r} too "
                f"long ago to say which event it was; counters must grow"
            )
        pending = known[counter] = asyncio.get_running_loop().create_future()
        try:
            if self._full:
                await self._room_for(draft)
            event = self._number(draft)
        except BaseException as error:
            del known[counter]
            pending.set_exception(
                error if isinstance(error, BusError) else BusError(f"publish failed: {error!r}")
            )
            pending.exception()  # nobody else need be waiting for it
            raise
        known[counter] = event
        pending.set_result(event)
        if len(known) > REMEMBERED_COUNTERS:
            del known[next(iter(known))]
        return event

    def _refuse(self, draft: Event) -> None:
        self._refuse_if_closed()
        raise BusError(
            f"an event of run {draft.run_id!r} was published on the bus of run {self._run_id!r}"
        )

    def _refuse_lost(self, start: int) -> None:
        if self._history is None:
            raise BusError(
                f"run {self._run_id!r}: events {start} to {self._kept_from - 1} are not in memory; "
                "give the bus a history (the store) to join that early"
            )


def _draft_of(event: Event) -> Event:
    """A draft that says what a numbered event said."""
    span = OWN_SPAN if event.span == event.seq else event.span
    return msgspec.structs.replace(event, seq=UNSEQUENCED, span=span)
