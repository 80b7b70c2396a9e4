"""How a run's bus lies in Redis: keys, the ids of stream entries, and what an entry holds.

`aworld:run:{id}:events` is written by the holder alone. Its entry ids are made from the lease's
epoch and the batch's last seq, so Redis itself refuses a batch that was sent twice and every batch
of a holder whose lease has gone to another. `aworld:run:{id}:in` holds drafts of remote nodes until
the store has them; `aworld:run:{id}:acks` says which event each became.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from aworld.errors import BusError
from aworld.events.union import Event, decode, decode_many, encode, encode_many

if TYPE_CHECKING:
    from redis.asyncio import Redis

BATCH_EVENTS = 500
BLOCK_MS = 2000
"""How long a read waits for the next entry."""
RETRY_FIRST_S, RETRY_MOST_S = 0.05, 1.0
"""Pauses between attempts to reach a Redis that does not answer, doubling."""
KEEP_CLOSED_S = 3600
"""How long a closed run's streams stay for remote nodes that have not read them out."""

_CANCEL_AGAIN_S = 0.05
FIRST_OF_EPOCH = ":first"
"""The acks field that says where the current lease's events begin."""


class Keys(NamedTuple):
    """The Redis keys of one run."""

    events: str
    incoming: str
    acks: str


def keys(run_id: str) -> Keys:
    """The keys of a run. The braces put all three on one node of a Redis cluster."""
    base = f"aworld:run:{{{run_id}}}"
    return Keys(f"{base}:events", f"{base}:in", f"{base}:acks")


class Position(NamedTuple):
    """How far a run's stream has come."""

    epoch: int
    last_seq: int


NOWHERE = Position(-1, -1)


def batch_id(epoch: int, last_seq: int) -> str:
    """The entry id of a batch that ends with `last_seq`; with the last seq before the first event
    of a lease, the id of the entry that opens it."""
    return f"{epoch + 1}-{2 * (last_seq + 1)}"


def closing_id(epoch: int, last_seq: int) -> str:
    """The id of the entry that closes the bus after `last_seq`."""
    return f"{epoch + 1}-{2 * (last_seq + 1) + 1}"


def position(entry_id: bytes | str) -> Position:
    """The position that an entry id stands for."""
    text = entry_id.decode() if isinstance(entry_id, bytes) else entry_id
    epoch, _, number = text.partition("-")
    return Position(int(epoch) - 1, int(number) // 2 - 1)


class Answered(msgspec.Struct, frozen=True, array_like=True):
    """Which event a remote draft became."""

    field: str
    """`producer:counter`, as in the acks hash."""
    seq: int


class Batch(NamedTuple):
    """One entry of the events stream."""

    entry_id: str
    epoch: int
    first_of_epoch: int
    """Seq of the first event of this lease: later events of older leases are void."""
    events: list[Event]
    answered: list[Answered]
    closes: bool


_answered_encoder = msgspec.msgpack.Encoder()
_answered_decoder = msgspec.msgpack.Decoder(list[Answered])
_drafts_decoder = msgspec.msgpack.Decoder(list[tuple[str, bytes]])


def pack_batch(
    first_of_epoch: int, events: list[Event], answered: list[Answered], *, closes: bool = False
) -> dict[str, bytes | int]:
    """The fields of an entry of the events stream."""
    fields: dict[str, bytes | int] = {"s": first_of_epoch, "e": encode_many(events)}
    if answered:
        fields["w"] = _answered_encoder.encode(answered)
    if closes:
        fields["x"] = 1
    return fields


def unpack_batch(entry_id: bytes | str, fields: dict[bytes, bytes]) -> Batch:
    """The entry, decoded."""
    text = entry_id.decode() if isinstance(entry_id, bytes) else entry_id
    return Batch(
        entry_id=text,
        epoch=position(text).epoch,
        first_of_epoch=int(fields[b"s"]),
        events=decode_many(fields[b"e"]),
        answered=_answered_decoder.decode(fields[b"w"]) if b"w" in fields else [],
        closes=b"x" in fields,
    )


def pack_drafts(drafts: list[tuple[str, Event]]) -> dict[str, bytes]:
    """The fields of an entry of the incoming stream: drafts by their `producer:counter`."""
    return {"d": msgspec.msgpack.encode([(field, encode(draft)) for field, draft in drafts])}


def unpack_drafts(fields: dict[bytes, bytes]) -> list[tuple[str, Event]]:
    """The drafts in an entry of the incoming stream."""
    return [(field, decode(data)) for field, data in _drafts_decoder.decode(fields[b"d"])]


def pack_ack(epoch: int, seq: int) -> str:
    """The value of an acks field."""
    return f"{epoch}:{seq}"


def valid_ack(value: bytes, epoch: int, first_of_epoch: int) -> int | None:
    """The seq in an acks field, or None where its event was lost with the lease it came from."""
    given, _, seq = value.decode().partition(":")
    return int(seq) if int(given) == epoch or int(seq) < first_of_epoch else None


def connect(url: str) -> Redis:
    """A client that reports a lost connection at once: the bus does its own retrying.

    Raises:
        BusError: the URL is none.
    """
    from redis.asyncio import Redis
    from redis.asyncio.retry import Retry
    from redis.backoff import NoBackoff

    try:
        client: Redis = Redis.from_url(
            url,
            retry=Retry(NoBackoff(), 0),
            socket_connect_timeout=5,
            socket_timeout=BLOCK_MS / 1000 + 8,
        )
    except ValueError as error:
        raise BusError(
            f"{url!r} is not a Redis URL ({error}); write redis://host:port/0"
        ) from error
    return client


async def end(tasks: Iterable[asyncio.Task[None]]) -> None:
    """Cancel tasks that talk to Redis, until they have ended.

    The client loses a cancellation that meets it at the end of a read, so once is not enough.
    """
    left = {task for task in tasks if not task.done()}
    while left:
        for task in left:
            task.cancel()
        _, left = await asyncio.wait(left, timeout=_CANCEL_AGAIN_S)


async def disconnect(client: Redis) -> None:
    """Close a client's connections, whatever state they are in."""
    with contextlib.suppress(*unreachable()):
        await client.aclose()
    # A broken connection was closed without waiting: its socket goes in the loop's next turns.
    for _ in range(3):
        await asyncio.sleep(0)


def unreachable() -> tuple[type[Exception], ...]:
    """What a client raises when Redis cannot be reached, or is still loading its data."""
    from redis.exceptions import BusyLoadingError, ConnectionError, TimeoutError

    return (ConnectionError, TimeoutError, BusyLoadingError, OSError)


def entries(reply: Any) -> list[tuple[bytes, dict[bytes, bytes]]]:
    """The entries of an XREAD of one stream, whichever protocol version answered."""
    if not reply:
        return []
    if isinstance(reply, dict):
        (found,) = reply.values()
        return list(found[0]) if found and isinstance(found[0], list) else list(found)
    return list(reply[0][1])


async def read_position(client: Redis, events_key: str) -> Position:
    """How far the stream has come, also where everything in it was trimmed away."""
    from redis.exceptions import ResponseError

    try:
        info = await client.xinfo_stream(events_key)
    except ResponseError as error:
        if "no such key" in str(error):
            return NOWHERE
        raise
    return position(info["last-generated-id"])
