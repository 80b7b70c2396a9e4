"""The bus over Redis Streams, as the run's lease holder has it.

Events are numbered in memory, as by `MemoryBus`, and sent to the stream in packed batches: at once
when idle, many together under load. Drafts of remote nodes come in by a second stream. A Redis that
is away costs latency only: what was not sent is sent when it is back.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from aworld.bus import redis_wire as wire
from aworld.bus.base import Journal
from aworld.bus.memory import History, MemoryBus
from aworld.bus.redis_recovery import recover_answers
from aworld.bus.subscription import BufferedSubscription
from aworld.errors import BusError
from aworld.events.envelope import Clock
from aworld.events.union import Event

if TYPE_CHECKING:
    from aworld.bus.redis_remote import RemoteBus

_log = logging.getLogger(__name__)

UNSENT_EVENTS = 10_000
"""With so many events that neither Redis nor the store has, publishers wait."""
CLOSE_PATIENCE_S = 5.0
"""How long `close` tries to send what is left."""

# Redis runs a script as a whole and stops it at an error: no ack without its batch.
_SEND = """
redis.call('XADD', KEYS[1], ARGV[1], unpack(ARGV, 3, 2 + ARGV[2]))
if #ARGV > 2 + ARGV[2] then redis.call('HSET', KEYS[2], unpack(ARGV, 3 + ARGV[2])) end
"""


class RedisBus:
    """The holder's side; `join` gives the remote side. One event loop."""

    def __init__(
        self,
        run_id: str,
        url: str,
        *,
        clock: Clock,
        epoch: int = 0,
        journal: Journal | None = None,
        next_seq: int = 0,
        history: History | None = None,
    ) -> None:
        """`epoch` is the lease's, `next_seq` one more than the store's last; a bus of an older
        epoch is shut out by Redis itself. `history` reads the store. Does not wait for Redis."""
        self._memory = MemoryBus(
            run_id, clock=clock, journal=journal, next_seq=next_seq, history=history
        )
        self._keys = wire.keys(run_id)
        self._client: Any = wire.connect(url)
        self._epoch, self._start, self._history = epoch, next_seq, history
        self._sent = self._durable = self._trimmed = next_seq - 1
        self._answers: list[wire.Answered] = []
        self._acked: dict[str, int] = {}
        self._incoming: list[tuple[bytes, int]] = []
        self._attached = asyncio.Event()
        self._wake = asyncio.Event()
        self._progress = asyncio.Event()
        self._closing = False
        self._failure: BaseException | None = None
        self._tasks = [
            asyncio.create_task(self._persist(self._send)),
            asyncio.create_task(self._persist(self._receive)),
        ]

    @staticmethod
    async def join(
        run_id: str, url: str, *, history: History | None = None, timeout_s: float = 10.0
    ) -> RemoteBus:
        """Take part in a run that another process holds.

        Raises:
            BusError: no holder opened the run's bus, or Redis did not answer, in `timeout_s`.
        """
        from aworld.bus.redis_remote import RemoteBus

        return await RemoteBus.open(run_id, url, history=history, timeout_s=timeout_s)

    @property
    def run_id(self) -> str:
        """The run whose events these are."""
        return self._memory.run_id

    @property
    def last_seq(self) -> int:
        """The newest seq given."""
        return self._memory.last_seq

    @property
    def sent_seq(self) -> int:
        """The newest seq that Redis has."""
        return self._sent

    async def ready(self) -> None:
        """Wait until Redis knows this holder; from then on an older one is shut out.

        Raises:
            BusError: another worker holds the run.
        """
        attached = asyncio.create_task(self._attached.wait())
        await asyncio.wait((attached, self._tasks[0]), return_when=asyncio.FIRST_COMPLETED)
        attached.cancel()
        if self._failure is not None:
            raise BusError(str(self._failure)) from self._failure

    async def publish(self, draft: Event, *, producer: str = "", counter: int = 0) -> Event:
        """See `Bus.publish`. Waits too while `UNSENT_EVENTS` are in neither Redis nor the store."""
        while self._overfull() and not self._memory.closed:
            self._progress.clear()
            await self._progress.wait()
        event = await self._memory.publish(draft, producer=producer, counter=counter)
        self._wake.set()
        return event

    def publish_nowait(self, draft: Event) -> Event:
        """As `publish`, at once; BusError where it would have to wait."""
        if self._overfull() and not self._memory.closed:
            raise BusError(
                f"run {self.run_id!r}: {UNSENT_EVENTS} events wait for Redis and the store; "
                "await publish() instead"
            )
        event = self._memory.publish_nowait(draft)
        self._wake.set()
        return event

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
        return self._memory.subscribe(
            name, topics=topics, everything=everything, after=after, buffer=buffer
        )

    def trim(self, up_to_seq: int) -> None:
        """The store holds everything up to here: memory and streams may forget it. Remote nodes
        that come later read it from their own `history`."""
        self._durable = max(self._durable, up_to_seq)
        self._memory.trim(up_to_seq)
        self._progress.set()
        self._wake.set()

    async def close(self) -> None:
        """No more events; sends what is left for at most `CLOSE_PATIENCE_S`.

        Raises:
            BusError: the bus had failed before: another holder, or a journal that raised.
        """
        await self._memory.close()
        self._closing = True
        self._wake.set()
        self._progress.set()
        sender, receiver = self._tasks
        await wire.end([receiver])
        await asyncio.wait([sender], timeout=CLOSE_PATIENCE_S)
        await wire.end([sender])
        await wire.disconnect(self._client)
        if self._failure is not None:
            raise BusError(f"the bus of run {self.run_id!r} failed: {self._failure}")

    def _overfull(self) -> bool:
        return self.last_seq - max(self._sent, self._durable) >= UNSENT_EVENTS

    async def _persist(self, work: Callable[[], Any]) -> None:
        """Do `work` over again after each loss of the connection, until it is done."""
        pause = wire.RETRY_FIRST_S
        away = wire.unreachable()
        while True:
            try:
                await work()
                return
            except away:
                await asyncio.sleep(pause)
                pause = min(2 * pause, wire.RETRY_MOST_S)
            except Exception as error:
                self._failure = error
                _log.error("the bus of run %r stops: %s", self.run_id, error)
                await self._memory.close()
                self._progress.set()
                return

    # sending

    async def _send(self) -> None:
        await self._attach()
        while True:
            self._sent = max(self._sent, self._memory.kept_from - 1)
            events = self._memory.kept(self._sent + 1, wire.BATCH_EVENTS)
            if events:
                await self._send_batch(events)
            elif self._durable > self._trimmed:
                await self._trim_streams()
            elif self._closing:
                await self._say_closed()
                return
            else:
                self._wake.clear()
                await self._wake.wait()

    async def _send_batch(self, events: Sequence[Event]) -> None:
        last = events[-1].seq
        answers = [one for one in self._answers if one.seq <= last]
        fields = wire.pack_batch(self._start, list(events), answers)
        await self._add(wire.batch_id(self._epoch, last), fields, answers)
        self._sent = last
        self._answers = [one for one in self._answers if one.seq > last]
        self._progress.set()
        if self._durable - self._trimmed >= wire.BATCH_EVENTS:
            await self._trim_streams()

    async def _add(
        self, entry_id: str, fields: dict[str, bytes | int], answers: Sequence[wire.Answered] = ()
    ) -> None:
        """Add an entry and its acks.

        Raises:
            BusError: Redis has entries of a newer lease.
        """
        from redis.exceptions import ResponseError

        flat = [part for pair in fields.items() for part in pair]
        acks: list[str] = []
        for one in answers:
            acks += [one.field, wire.pack_ack(self._epoch, one.seq)]
        try:
            await self._client.eval(
                _SEND, 2, self._keys.events, self._keys.acks, entry_id, len(flat), *flat, *acks
            )
        except ResponseError as error:
            if "equal or smaller" not in str(error):
                raise
            found = await wire.read_position(self._client, self._keys.events)
            self._refuse_newer(found)  # else: sent before the connection broke

    async def _attach(self) -> None:
        """Find out how far the stream is; a new lease opens its part of it."""
        found = await wire.read_position(self._client, self._keys.events)
        self._refuse_newer(found)
        if self._attached.is_set() and found.epoch == self._epoch:
            # A Redis that was killed may have lost its newest entries, and their acks.
            self._sent = found.last_seq
        else:
            if not self._attached.is_set():
                await self._recover(found)
            fields = wire.pack_batch(self._start, [], self._answers)
            opening = wire.batch_id(self._epoch, self._start - 1)
            first = wire.Answered(wire.FIRST_OF_EPOCH, self._start)
            await self._add(opening, fields, [*self._answers, first])
            self._sent = self._start - 1
        self._answers = [
            wire.Answered(field, seq) for field, seq in self._acked.items() if seq > self._sent
        ]
        await self._client.persist(self._keys.events)
        self._attached.set()

    def _refuse_newer(self, found: wire.Position) -> None:
        newest = self._epoch if self._attached.is_set() else self._epoch - 1
        if found.epoch > newest:
            raise BusError(
                f"run {self.run_id!r} is held under epoch {found.epoch} by another worker; this "
                f"bus has epoch {self._epoch}: claim the run's lease again"
            )

    async def _recover(self, found: wire.Position) -> None:
        """Learn what became of the drafts that earlier holders took."""
        acks = await self._client.hgetall(self._keys.acks)
        for field, value in acks.items():
            seq = wire.valid_ack(value, self._epoch, self._start)
            if seq is not None and field.decode() != wire.FIRST_OF_EPOCH:
                self._acked[field.decode()] = seq
        drafts = [
            draft
            for _, fields in await self._client.xrange(self._keys.incoming)
            for draft in wire.unpack_drafts(fields)
            if draft[0] not in self._acked
        ]
        if drafts and self._history is not None:
            self._answers = await recover_answers(
                drafts, self._history, after=found.last_seq, before=self._start
            )
            self._acked.update((one.field, one.seq) for one in self._answers)

    async def _trim_streams(self) -> None:
        durable = self._durable
        done = [entry for entry, seq in self._incoming if seq <= durable]
        async with self._client.pipeline(transaction=False) as pipeline:
            # Approximately: whole nodes of the stream cost Redis nothing, and the newest stay.
            pipeline.xtrim(
                self._keys.events, minid=wire.batch_id(self._epoch, durable + 1), approximate=True
            )
            if done:
                pipeline.xdel(self._keys.incoming, *done)
            await pipeline.execute()
        self._incoming = [(entry, seq) for entry, seq in self._incoming if seq > durable]
        self._trimmed = durable

    async def _say_closed(self) -> None:
        fields = wire.pack_batch(self._start, [], [], closes=True)
        await self._add(wire.closing_id(self._epoch, self.last_seq), fields)
        for key in self._keys:
            await self._client.expire(key, wire.KEEP_CLOSED_S)

    # receiving

    async def _receive(self) -> None:
        await self._attached.wait()
        cursor: bytes | str = self._incoming[-1][0] if self._incoming else "0"
        while True:
            reply = await self._client.xread(
                {self._keys.incoming: cursor}, count=100, block=wire.BLOCK_MS
            )
            for entry, fields in wire.entries(reply):
                await self._take_in(entry, fields)
                cursor = entry

    async def _take_in(self, entry: bytes, fields: dict[bytes, bytes]) -> None:
        newest = -1
        try:
            for field, draft in wire.unpack_drafts(fields):
                newest = max(newest, await self._number_once(field, draft))
        except (msgspec.MsgspecError, KeyError, BusError) as error:
            if self._memory.closed:
                return
            _log.warning("run %r: a remote draft was refused: %s", self.run_id, error)
        self._incoming.append((entry, newest))

    async def _number_once(self, field: str, draft: Event) -> int:
        seq = self._acked.get(field)
        if seq is None:
            seq = (await self.publish(draft)).seq
            self._acked[field] = seq
            self._answers.append(wire.Answered(field, seq))
        return seq
