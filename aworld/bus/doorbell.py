"""Doorbells: "look at the store now". One may be lost or merged; that costs latency only.

Over Redis they are messages on three channels (`aworld:doorbell`, `aworld:chunk`, `aworld:wake`);
without a URL the doorbells of one process reach each other directly. Ringing never waits and never
raises: while Redis is away rings are dropped, since every listener polls the store as well.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections import deque
from collections.abc import AsyncIterator, Iterable
from typing import Any, Final

import msgspec

from aworld.bus import redis_wire as wire

RUN_CHANNEL: Final = "aworld:doorbell"
CHUNK_CHANNEL: Final = "aworld:chunk"
WAKE_CHANNEL: Final = "aworld:wake"
_WAITING_RINGS = 2000
"""Rings kept for a Redis or a listener that is slow; then the oldest go."""
_GATHER_S: Final = 0.01
"""How long rings are gathered into one trip to Redis."""


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
Kinds = tuple[type[Ring], ...]
ALL_KINDS: Final[Kinds] = (RunRang, ChunkRang, WakeRang)
_CHANNELS: dict[type[Ring], str] = {
    RunRang: RUN_CHANNEL,
    ChunkRang: CHUNK_CHANNEL,
    WakeRang: WAKE_CHANNEL,
}
_TYPES = {channel: kind for kind, channel in _CHANNELS.items()}

_listeners: set[_Listener] = set()
_listeners_lock = threading.Lock()


class _Listener:
    """One `listen` in this process; rung from any thread."""

    def __init__(self, kinds: Kinds) -> None:
        self.kinds = kinds
        self._loop = asyncio.get_running_loop()
        self._rings: deque[Ring] = deque(maxlen=_WAITING_RINGS)
        self._there = asyncio.Event()
        self._woken = False

    def ring(self, ring: Ring) -> None:
        """Call under the lock of the listeners."""
        self._rings.append(ring)
        # Waking a loop is a system call: once for all that has come until it looks.
        if not self._woken:
            self._woken = True
            with contextlib.suppress(RuntimeError):  # its loop has ended
                self._loop.call_soon_threadsafe(self._wake)

    async def get(self) -> Ring:
        while not self._rings:
            self._there.clear()
            await self._there.wait()
        return self._rings.popleft()

    def _wake(self) -> None:
        self._woken = False
        self._there.set()


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
        self._ring(RunRang(run, seq))

    def chunk(self, run: str, span: int, offset: int, text: str) -> None:
        """A piece of the answer of the model call that event `span` opened."""
        self._ring(ChunkRang(run, span, offset, text))

    def wake(self) -> None:
        """A run was queued or has a command."""
        self._ring(WakeRang())

    def listen(self, kinds: Kinds = ALL_KINDS) -> AsyncIterator[Ring]:
        """What rings of these kinds from here on, also through losses of the connection."""
        return _listen_redis(self._url, kinds) if self._url else _listen_here(kinds)

    def close(self) -> None:
        """Send what is left, for at most a second, and let the connection go."""
        if self._ringing is not None:
            self._ringing.close()

    def _ring(self, ring: Ring) -> None:
        if self._ringing is not None:
            self._ringing.put(ring)
            return
        with _listeners_lock:
            for listener in _listeners:
                if isinstance(ring, listener.kinds):
                    listener.ring(ring)


async def _listen_here(kinds: Kinds) -> AsyncIterator[Ring]:
    listener = _Listener(kinds)
    with _listeners_lock:
        _listeners.add(listener)
    try:
        while True:
            yield await listener.get()
    finally:
        with _listeners_lock:
            _listeners.discard(listener)


async def _listen_redis(url: str, kinds: Kinds) -> AsyncIterator[Ring]:
    client = wire.connect(url)
    away = wire.unreachable()
    pause = wire.RETRY_FIRST_S
    try:
        while True:
            pubsub: Any = client.pubsub(ignore_subscribe_messages=True)
            try:
                await pubsub.subscribe(*(_CHANNELS[kind] for kind in kinds))
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
        self._rings: deque[Ring] = deque(maxlen=_WAITING_RINGS)
        self._lock = threading.Lock()
        self._there = threading.Event()
        self._closed = False
        self._thread: threading.Thread | None = None

    def put(self, ring: Ring) -> None:
        with self._lock:
            self._rings.append(ring)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="doorbell", daemon=True)
                self._thread.start()
        if not self._there.is_set():
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
            if not self._closed:
                time.sleep(_GATHER_S)
            self._there.clear()
            with self._lock:
                rings = _merged(self._rings)
                self._rings.clear()
            if rings:
                with contextlib.suppress(*wire.unreachable()):
                    pipeline = client.pipeline(transaction=False)
                    for ring in rings:
                        pipeline.publish(_CHANNELS[type(ring)], msgspec.json.encode(ring))
                    pipeline.execute()
            elif self._closed:
                client.close()
                return
            if self._closed:
                self._there.set()


def _merged(rings: Iterable[Ring]) -> list[Ring]:
    """Of the rings for one run's log only the last, and one wake-up: they say no less."""
    last: dict[object, Ring] = {}
    for ring in rings:
        key: object = ring
        if isinstance(ring, RunRang):
            key = ring.run
            last.pop(key, None)
        last[key] = ring
    return list(last.values())
