"""Small hints between processes: something is in the store, a model says something, wake up.

A lost ring costs latency only: whoever listens also looks at the store by itself. So nothing here
raises when Redis is away, and nothing waits for it long.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Literal

import msgspec

if TYPE_CHECKING:
    from redis.asyncio import Redis

logger = logging.getLogger(__name__)

Channel = Literal["doorbell", "chunk", "wake"]
PREFIX = "aworld:"
WAITING = 10_000
"""Rings a listener may be behind before the oldest are dropped."""
RECONNECT_S = 0.5


class Ring(msgspec.Struct, frozen=True, omit_defaults=True):
    """One hint."""

    channel: Channel
    run: str = ""
    seq: int = -1
    """On `doorbell`: the last seq in the store."""
    span: int = -1
    """On `chunk`: the seq of the open model call."""
    offset: int = 0
    """On `chunk`: characters before this piece."""
    text: str = ""


_listeners: set[asyncio.Queue[Ring]] = set()
"""Of this process, where there is no Redis."""


class Doorbell:
    """Rings and listens; over Redis, or without a URL within this process."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._redis: Redis | None = None
        self._chunks: list[Ring] = []
        self._flusher: asyncio.Task[None] | None = None

    async def ring_run(self, run_id: str, seq: int) -> None:
        """More of a run's log is in the store."""
        await self._ring(Ring("doorbell", run_id, seq))

    async def ring_wake(self) -> None:
        """A run was queued or has a command."""
        await self._ring(Ring("wake"))

    async def chunk(self, run_id: str, span: int, offset: int, text: str) -> None:
        """A piece of text of an open model call."""
        await self._ring(Ring("chunk", run_id, -1, span, offset, text))

    def chunk_soon(self, run_id: str, span: int, offset: int, text: str) -> None:
        """As `chunk`, from code that cannot wait; pieces of 30 ms go together."""
        self._chunks.append(Ring("chunk", run_id, -1, span, offset, text))
        if self._flusher is None:
            self._flusher = asyncio.get_running_loop().create_task(self._flush())

    async def listen(self) -> AsyncIterator[Ring]:
        """Every ring from now on; reconnects by itself, ends only when cancelled."""
        if not self._url:
            async for ring in _listen_here():
                yield ring
            return
        while True:
            try:
                async for ring in self._listen_redis():
                    yield ring
            except OSError as error:
                logger.debug("The doorbell is away (%s); trying again.", error)
            await asyncio.sleep(RECONNECT_S)

    async def aclose(self) -> None:
        """Give back the connection."""
        if self._flusher is not None:
            await self._flusher
        if self._redis is not None:
            await self._redis.aclose()
            self._redis = None

    async def _flush(self) -> None:
        await asyncio.sleep(0.03)
        chunks, self._chunks, self._flusher = self._chunks, [], None
        for ring in _joined(chunks):
            await self._ring(ring)

    async def _ring(self, ring: Ring) -> None:
        if not self._url:
            for queue in _listeners:
                if queue.full():
                    queue.get_nowait()
                queue.put_nowait(ring)
            return
        from redis.exceptions import RedisError

        try:
            await self._connection().publish(PREFIX + ring.channel, msgspec.json.encode(ring))
        except (RedisError, OSError) as error:
            logger.debug("Nobody could be rung: %s", error)

    async def _listen_redis(self) -> AsyncIterator[Ring]:
        from redis.exceptions import RedisError

        try:
            async with self._connection().pubsub(ignore_subscribe_messages=True) as pubsub:
                await pubsub.psubscribe(f"{PREFIX}doorbell", f"{PREFIX}chunk", f"{PREFIX}wake")
                async for message in pubsub.listen():
                    with contextlib.suppress(msgspec.DecodeError):
                        yield msgspec.json.decode(message["data"], type=Ring)
        except RedisError as error:
            raise OSError(str(error)) from error

    def _connection(self) -> Redis:
        if self._redis is None:
            from redis.asyncio import Redis as AsyncRedis

            self._redis = AsyncRedis.from_url(self._url, socket_connect_timeout=2)
        return self._redis


async def _listen_here() -> AsyncIterator[Ring]:
    queue: asyncio.Queue[Ring] = asyncio.Queue(WAITING)
    _listeners.add(queue)
    try:
        while True:
            yield await queue.get()
    finally:
        _listeners.discard(queue)


def _joined(chunks: list[Ring]) -> list[Ring]:
    """Pieces that follow each other in one span, as one."""
    joined: list[Ring] = []
    for ring in chunks:
        last = joined[-1] if joined else None
        if last is not None and (last.run, last.span) == (ring.run, ring.span):
            joined[-1] = msgspec.structs.replace(last, text=last.text + ring.text)
        else:
            joined.append(ring)
    return joined
