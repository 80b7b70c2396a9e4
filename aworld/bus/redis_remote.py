"""The bus over Redis Streams, as a node in another process has it."""

from __future__ import annotations

import asyncio
import contextlib
import uuid
from collections.abc import Callable, Collection, Sequence
from typing import Any

from aworld.bus import redis_wire as wire
from aworld.bus.memory import History
from aworld.bus.mirror import Mirror
from aworld.bus.subscription import BufferedSubscription
from aworld.errors import BusError
from aworld.events.union import Event

OPEN_PUBLISHES = 1024
"""How many publishes of one client wait for their number at a time; further ones wait before."""
ASK_AGAIN_S = 1.0
"""How often the acks are looked up for publishes that got no answer through the stream."""


class RemoteBus:
    """Publishes to a run's holder and follows its events; see `RedisBus.join`.

    A slow listener here never holds up the run: it falls behind and reads on from the stream or
    the store. `publish` waits with the holder, and through a change of holders.
    """

    def __init__(self, run_id: str, client: Any, history: History | None) -> None:
        """Use `RedisBus.join`."""
        self._run_id = run_id
        self._client = client
        self._keys = wire.keys(run_id)
        self._history = history
        self._epoch, self._first_of_epoch = -1, 0
        self._cursor = "0-0"
        self._mirror = Mirror(run_id, self._fetch, next_seq=0)
        self._producer, self._counter = uuid.uuid4().hex, 0
        self._pending: dict[str, tuple[Event, asyncio.Future[Event]]] = {}
        self._outbox: list[str] = []
        self._wake = asyncio.Event()
        self._places = asyncio.Semaphore(OPEN_PUBLISHES)
        self._failure: BusError | None = None
        self._left = False
        self._tasks: list[asyncio.Task[None]] = []

    @classmethod
    async def open(
        cls, run_id: str, url: str, *, history: History | None, timeout_s: float
    ) -> RemoteBus:
        """Find the run's stream and follow it from where it is now."""
        bus = cls(run_id, wire.connect(url), history)
        try:
            async with asyncio.timeout(timeout_s):
                await bus._find_holder()
        except TimeoutError as error:
            await wire.disconnect(bus._client)
            raise BusError(
                f"nobody holds run {run_id!r} on this Redis, or it did not answer in {timeout_s} s:"
                " start a worker, and check AWORLD_REDIS_URL"
            ) from error
        for work in (bus._follow, bus._send, bus._ask_again):
            bus._tasks.append(asyncio.create_task(bus._persist(work)))
        return bus

    @property
    def run_id(self) -> str:
        """The run whose events these are."""
        return self._run_id

    @property
    def last_seq(self) -> int:
        """The newest seq seen here."""
        return self._mirror.last_seq

    async def publish(self, draft: Event, *, producer: str = "", counter: int = 0) -> Event:
        """See `Bus.publish`. Without a producer this client counts by itself.

        Raises:
            BusError: the bus is closed, or the draft is another run's.
        """
        if draft.run_id != self._run_id:
            raise BusError(
                f"an event of run {draft.run_id!r} was published on the bus of {self._run_id!r}"
            )
        if not producer:
            producer, counter = self._producer, self._counter
            self._counter += 1
        field = f"{producer}:{counter}"
        async with self._places:
            self._refuse_if_closed()
            if field not in self._pending:
                future: asyncio.Future[Event] = asyncio.get_running_loop().create_future()
                self._pending[field] = (draft, future)
                self._outbox.append(field)
                self._wake.set()
            # Shielded: a caller that gives up does not take the answer from the others.
            return await asyncio.shield(self._pending[field][1])

    def subscribe(
        self,
        name: str,
        *,
        topics: Collection[str] = (),
        everything: bool = False,
        after: int | None = None,
        buffer: int = 1024,
    ) -> BufferedSubscription:
        """See `Bus.subscribe`."""
        self._refuse_if_closed()
        return self._mirror.subscribe(
            name, topics=topics, everything=everything, after=after, buffer=buffer
        )

    async def close(self) -> None:
        """Leave the run. Drafts that have no number yet may still get one."""
        self._left = True
        await wire.end(self._tasks)
        await self._end(BusError(f"the bus of run {self._run_id!r} is closed"))
        await wire.disconnect(self._client)

    def _refuse_if_closed(self) -> None:
        if self._failure is not None:
            raise self._failure

    async def _end(self, why: BusError) -> None:
        self._failure = self._failure or why
        await self._mirror.close()
        for _, future in self._pending.values():
            if not future.done():
                future.set_exception(why)
                future.exception()  # whoever waits gets it; a caller that gave up need not
        self._pending.clear()

    async def _persist(self, work: Callable[[], Any]) -> None:
        """Do `work` over again after each loss of the connection; a fault ends the bus."""
        pause = wire.RETRY_FIRST_S
        away = wire.unreachable()
        while self._failure is None:
            try:
                await work()
                return
            except away:
                await asyncio.sleep(pause)
                pause = min(2 * pause, wire.RETRY_MOST_S)
                self._send_all_again()
            except BusError as error:
                await self._end(error)
            except Exception as error:
                await self._end(BusError(f"the bus of run {self._run_id!r} failed: {error!r}"))
                raise

    # following

    async def _find_holder(self) -> None:
        away = wire.unreachable()
        while True:
            with contextlib.suppress(*away):
                found = await wire.read_position(self._client, self._keys.events)
                first = await self._client.hget(self._keys.acks, wire.FIRST_OF_EPOCH)
                if found != wire.NOWHERE and first is not None:
                    break
            await asyncio.sleep(wire.RETRY_FIRST_S)
        self._cursor = wire.batch_id(*found)
        self._epoch, self._first_of_epoch = found.epoch, int(first.partition(b":")[2])
        self._mirror = Mirror(self._run_id, self._fetch, next_seq=found.last_seq + 1)

    async def _follow(self) -> None:
        while True:
            reply = await self._client.xread(
                {self._keys.events: self._cursor}, count=20, block=wire.BLOCK_MS
            )
            for entry, fields in wire.entries(reply):
                batch = wire.unpack_batch(entry, fields)
                self._accept(batch)
                self._cursor = batch.entry_id
                if batch.closes:
                    await self._end(BusError(f"the bus of run {self._run_id!r} is closed"))
                    return

    def _accept(self, batch: wire.Batch) -> None:
        if batch.epoch > self._epoch:
            self._change_holder(batch)
        self._mirror.accept(batch.events)
        by_seq = {event.seq: event for event in batch.events} if batch.answered else {}
        for answered in batch.answered:
            event = by_seq.get(answered.seq)
            if event is not None:
                self._resolve(answered.field, event)

    def _change_holder(self, batch: wire.Batch) -> None:
        """Another holder took the run up: events it does not know have never been."""
        if self._mirror.last_seq >= batch.first_of_epoch:
            raise BusError(
                f"run {self._run_id!r} was taken up again from event {batch.first_of_epoch}, but "
                f"events up to {self._mirror.last_seq} were seen here: join again with "
                f"after={batch.first_of_epoch - 1}"
            )
        self._epoch, self._first_of_epoch = batch.epoch, batch.first_of_epoch
        self._mirror.jump(batch.first_of_epoch)
        self._send_all_again()

    async def _fetch(self, after: int) -> Sequence[Event]:
        """Events after a seq, from the stream or else the store."""
        pause = wire.RETRY_FIRST_S
        while True:
            if self._left:  # The client is closed; it would connect anew.
                self._refuse_if_closed()
            try:
                found = await self._client.xrange(
                    self._keys.events, min=wire.batch_id(self._epoch, after + 1), count=4
                )
                break
            except wire.unreachable() as error:
                if self._failure is not None:
                    raise BusError(
                        f"run {self._run_id!r}: Redis is away and the bus closed"
                    ) from error
                await asyncio.sleep(pause)
                pause = min(2 * pause, wire.RETRY_MOST_S)
        if after + 1 >= self._first_of_epoch:
            batches = [wire.unpack_batch(entry, fields) for entry, fields in found]
            events = [event for one in batches for event in one.events if event.seq > after]
            if events and events[0].seq == after + 1:
                return events
        stored = await asyncio.to_thread(self._history, after) if self._history else ()
        if not stored or stored[0].seq != after + 1:
            raise BusError(
                f"run {self._run_id!r}: event {after + 1} is no longer in the stream"
                + ("" if self._history else "; give join() a history (the store)")
            )
        return stored

    # publishing

    async def _send(self) -> None:
        while True:
            if not self._outbox:
                self._wake.clear()
                await self._wake.wait()
            fields = [one for one in self._outbox[: wire.BATCH_EVENTS] if one in self._pending]
            if fields:
                drafts = [(field, self._pending[field][0]) for field in fields]
                await self._client.xadd(self._keys.incoming, wire.pack_drafts(drafts))
            # Only what was looked at: more may have come, or all been put back, meanwhile.
            sent = set(fields)
            self._outbox = [one for one in self._outbox if one in self._pending and one not in sent]

    def _send_all_again(self) -> None:
        """The holder may not have got them, or lost them; it numbers each only once."""
        self._outbox = list(self._pending)
        self._wake.set()

    async def _ask_again(self) -> None:
        while True:
            await asyncio.sleep(ASK_AGAIN_S)
            fields = list(self._pending)
            if not fields:
                continue
            for field, value in zip(
                fields, await self._client.hmget(self._keys.acks, fields), strict=True
            ):
                seq = wire.valid_ack(value, self._epoch, self._first_of_epoch) if value else None
                if seq is not None and field in self._pending:
                    kept = self._mirror.kept(seq, 1)
                    known = bool(kept) and kept[0].seq == seq
                    self._resolve(field, kept[0] if known else (await self._fetch(seq - 1))[0])

    def _resolve(self, field: str, event: Event) -> None:
        _, future = self._pending.pop(field, (None, None))
        if future is not None and not future.done():
            future.set_result(event)
