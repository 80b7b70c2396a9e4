"""Doorbells: "look at the store now". One may be lost or merged; that costs latency only.

Over Redis they are messages on three channels (`aworld:doorbell`, `aworld:chunk`, `aworld:wake`);
without a URL the doorbells of one process reach each other directly. Ringing never waits and never
raises: while Redis is away rings are dropped, since every listener polls the store as well.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator
from typing import Any, Final

import msgspec

from aworld.bus import redis_wire as wire

RUN_CHANNEL: Final = "aworld:doorbell"
CHUNK_CHANNEL: Final = "aworld:chunk"
WAKE_CHANNEL: Final = "aworld:wake"
_CHANNELS = (RUN_CHANNEL, CHUNK_CHANNEL, WAKE_CHANNEL)
_WAITING_RINGS = 2000
"""Rings kept for a Redis or a listener that is slow; then the oldest go."""


class RunRang(msgspec.Struct, frozen=True):
    """The store holds the run's events up to `seq`."""

    run: str
    seq: int


class ChunkRang(msgspec.Struct, frozen=True):
    """Streamed text of an open model call: `text` begins at character `offset` of the answer."""

    run: str
    span: int
    offset: int
    text: str


class WakeRang(msgspec.Struct, frozen=True):
    """A run was queued, or has a command."""


Ring = RunRang | ChunkRang | WakeRang
_TYPES: dict[str, type[Ring]] = {
    RUN_CHANNEL: RunRang,
    CHUNK_CHANNEL: ChunkRang,
    WAKE_CHANNEL: WakeRang,
}

_listeners: set[_Listener] = set()
_listeners_lock = threading.Lock()


class _Listener:
    """One `listen` in this process; rung from any thread."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self.rings: asyncio.Queue[Ring] = asyncio.Queue()

    def ring(self, ring: Ring) -> None:
        with contextlib.suppress(RuntimeError):  # its loop has ended
            self._loop.call_soon_threadsafe(self._put, ring)

    def _put(self, ring: Ring) -> None:
        if self.rings.qsize() >= _WAITING_RINGS:
            self.rings.get_nowait()
        self.rings.put_nowait(ring)


class Doorbell:
    """Rings and listens. The methods that ring may be called from any thread."""

    def __init__(self, url: str | None = None) -> None:
        """`url` of Redis; None or "" rings within this process only.

        Raises:
            BusError: the URL is none.
        """
        self._url = url or ""
        self._ringing = _RedisRinger(self._url) if self._url else None

    def ring_run(self, run: str, seq: int) -> None:
        """A block of the run's events is durable."""
        self._ring(RUN_CHANNEL, RunRang(run, seq))

    def chunk(self, run: str, span: int, offset: int, text: str) -> None:
        """A piece of the answer of the model call that event `span` opened."""
        self._ring(CHUNK_CHANNEL, ChunkRang(run, span, offset, text))

    def wake(self) -> None:
        """A run was queued or has a command."""
        self._ring(WAKE_CHANNEL, WakeRang())

    def listen(self) -> AsyncIterator[Ring]:
        """What rings from here on, also through losses of the connection."""
        return _listen_redis(self._url) if self._url else _listen_here()

    def close(self) -> None:
        """Send what is left, for at most a second, and let the connection go."""
        if self._ringing is not None:
            self._ringing.close()

    def _ring(self, channel: str, ring: Ring) -> None:
        if self._ringing is not None:
            self._ringing.put(channel, msgspec.json.encode(ring))
            return
        with _listeners_lock:
            for listener in _listeners:
                listener.ring(ring)


async def _listen_here() -> AsyncIterator[Ring]:
    listener = _Listener()
    with _listeners_lock:
        _listeners.add(listener)
    try:
        while True:
            yield await listener.rings.get()
    finally:
        with _listeners_lock:
            _listeners.discard(listener)


async def _listen_redis(url: str) -> AsyncIterator[Ring]:
    client = wire.connect(url)
    away = wire.unreachable()
    pause = wire.RETRY_FIRST_S
    try:
        while True:
            pubsub: Any = client.pubsub(ignore_subscribe_messages=True)
            try:
                await pubsub.subscribe(*_CHANNELS)
                pause = wire.RETRY_FIRST_S
                while True:
                    message = await pubsub.get_message(timeout=5.0)
                    ring = _decoded(message) if message else None
                    if ring is not None:
                        yield ring
            except away:
                await asyncio.sleep(pause)
                pause = min(2 * pause, wire.RETRY_MOST_S)
            finally:
                with contextlib.suppress(*away):
                    await pubsub.aclose()
    finally:
        await wire.disconnect(client)


def _decoded(message: dict[str, Any]) -> Ring | None:
    """The ring in a message; None where it is of another version."""
    try:
        return msgspec.json.decode(message["data"], type=_TYPES[message["channel"].decode()])
    except (msgspec.MsgspecError, KeyError):
        return None


class _RedisRinger:
    """A thread that publishes: ringing costs the caller an append, and never a wait."""

    def __init__(self, url: str) -> None:
        wire.connect(url)  # a wrong URL is said here, not in the thread
        self._url = url
        self._rings: list[tuple[str, bytes]] = []
        self._lock = threading.Lock()
        self._there = threading.Event()
        self._closed = False
        self._thread: threading.Thread | None = None

    def put(self, channel: str, data: bytes) -> None:
        with self._lock:
            if len(self._rings) >= _WAITING_RINGS:
                del self._rings[0]
            self._rings.append((channel, data))
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="doorbell", daemon=True)
                self._thread.start()
        self._there.set()

    def close(self) -> None:
        self._closed = True
        self._there.set()
        if self._thread is not None:
            self._thread.join(1.0)

    def _run(self) -> None:
        from redis import Redis
        from redis.backoff import NoBackoff
        from redis.retry import Retry

        client = Redis.from_url(
            self._url, retry=Retry(NoBackoff(), 0), socket_connect_timeout=1, socket_timeout=1
        )
        while True:
            self._there.wait()
            self._there.clear()
            with self._lock:
                rings, self._rings = self._rings, []
            if rings:
                with contextlib.suppress(*wire.unreachable()):
                    pipeline = client.pipeline(transaction=False)
                    for channel, data in rings:
                        pipeline.publish(channel, data)
                    pipeline.execute()
            elif self._closed:
                client.close()
                return
            if self._closed:
                self._there.set()
