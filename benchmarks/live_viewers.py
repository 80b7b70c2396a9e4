"""Server CPU for each event that reaches a browser: 50 viewers of one run, on Daphne.

Ours: the whole web application over a SQLite store and Valkey, written by another process, each
viewer a raw socket that follows the run. The peer: Channels' `group_send` for each event on the
same Daphne, over its in-memory layer (no Redis in between, so a lower bound for it). Both carry
events of 1 KB in a flood; both figures come from one run. A paced phase measures how late an
event is. Nothing may be lost or out of order, or the benchmark fails. Prints JSON lines.
"""

from __future__ import annotations

import argparse
import asyncio
import functools
import json
import os
import re
import secrets
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from yarl import URL

from aworld.bus.doorbell import Doorbell
from aworld.events.conversation import MessageSent
from aworld.events.union import Event
from aworld.runtime.launch import create_run
from aworld.storage.base import Store
from tests.servers import Server, free_port, valkey
from tests.web.live_server import WebServer

VIEWERS = 50
FLOOD = 4_000
PEER_FLOOD = 400
BLOCK = 50
PACED, PACED_HZ = 160, 40
GOAL_US = 15.0
GOAL_P99_MS = 50.0
PADDING = "x" * 850
_SEQ = re.compile(rb'"seq":(\d+)')
_SENT = re.compile(rb'"content":"(\d+) ')


class Viewer(asyncio.Protocol):
    """A browser reduced to its socket: unpacks frames and notes which events came."""

    def __init__(self, request: bytes) -> None:
        self._request = request
        self._buffer = bytearray()
        self.open = asyncio.Event()
        self.seqs: list[int] = []
        self.late_ms: list[float] = []
        self.timed = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the upgrade."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(self._request)

    def send(self, text: bytes) -> None:
        """One masked text frame of less than 126 bytes."""
        key = secrets.token_bytes(4)
        masked = bytes(byte ^ key[i % 4] for i, byte in enumerate(text))
        self._transport.write(bytes((0x81, 0x80 | len(text))) + key + masked)

    def data_received(self, data: bytes) -> None:
        """Take whole frames out of what has come."""
        self._buffer += data
        if not self.open.is_set():
            head, end, rest = bytes(self._buffer).partition(b"\r\n\r\n")
            if not end:
                return
            assert b" 101 " in head.partition(b"\r\n")[0], head[:300]
            self._buffer = bytearray(rest)
            self.open.set()
        at = 0
        while (frame := _frame(self._buffer, at)) is not None:
            start, at = frame
            self._take(bytes(self._buffer[start:at]))
        del self._buffer[:at]

    def _take(self, payload: bytes) -> None:
        self.seqs += map(int, _SEQ.findall(payload))
        if self.timed:
            now = time.perf_counter_ns()
            self.late_ms += [(now - int(sent)) / 1e6 for sent in _SENT.findall(payload)]


def _frame(buffer: bytearray, at: int) -> tuple[int, int] | None:
    """Start and end of the payload of the frame at `at`, or None where it is not whole."""
    if len(buffer) - at < 2:
        return None
    length, start = buffer[at + 1] & 127, at + 2
    if length >= 126:
        width = 2 if length == 126 else 8
        if len(buffer) < start + width:
            return None
        length, start = int.from_bytes(buffer[start : start + width], "big"), start + width
    return (start, start + length) if len(buffer) >= start + length else None


async def connect(port: int, path: str, cookie: str) -> list[Viewer]:
    """All viewers, their sockets open."""
    request = (
        f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        f"Sec-WebSocket-Version: 13\r\nOrigin: http://127.0.0.1:{port}\r\nCookie: {cookie}\r\n\r\n"
    ).encode()
    loop = asyncio.get_running_loop()
    viewers = []
    for _ in range(VIEWERS):
        _, viewer = await loop.create_connection(lambda: Viewer(request), "127.0.0.1", port)
        viewers.append(viewer)
    await asyncio.gather(*(viewer.open.wait() for viewer in viewers))
    return viewers


async def measured(
    pid: int, viewers: list[Viewer], last: int, work: Callable[[], Awaitable[None]]
) -> float:
    """Server CPU in microseconds a delivery, from the first event to the last one at everyone."""
    before = cpu_seconds(pid)
    seen = sum(len(viewer.seqs) for viewer in viewers)
    await work()
    async with asyncio.timeout(120):
        while not all(viewer.seqs and viewer.seqs[-1] >= last for viewer in viewers):
            await asyncio.sleep(0.02)
    cpu = cpu_seconds(pid) - before
    return cpu / (sum(len(viewer.seqs) for viewer in viewers) - seen) * 1e6


def cpu_seconds(pid: int) -> float:
    """User and system time of another process, all its threads."""
    stat = Path(f"/proc/{pid}/stat")
    if stat.exists():
        fields = stat.read_text(encoding="utf-8").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    shown = subprocess.run(
        ["ps", "-o", "time=", "-p", str(pid)], capture_output=True, text=True, check=True
    ).stdout
    seconds = 0.0
    for part in shown.strip().replace("-", ":").split(":"):
        seconds = seconds * 60 + float(part)
    return seconds


class Writer:
    """Appends to one run from outside the web process, and rings."""

    def __init__(self, store: Store, redis_url: str) -> None:
        record = create_run(store, team={"name": "flood"}, input="flood", source="script")
        lease = store.claim("benchmark", ttl_s=600, run_id=record.run_id)
        assert lease is not None
        self.run_id, self._epoch, self._store = record.run_id, lease.epoch, store
        self._next, self._at = 1, record.created_at
        self._doorbell = Doorbell(redis_url)

    async def append(self, count: int) -> None:
        """One durable block."""
        events = []
        for seq in range(self._next, self._next + count):
            text = f"{time.perf_counter_ns()} {PADDING}"
            events.append(Event(self.run_id, seq, self._at + seq, "solver", MessageSent(text)))
        self._next += count
        await asyncio.to_thread(self._store.append, self.run_id, self._epoch, events)
        self._doorbell.ring_run(self.run_id, self._next - 1)

    async def flood(self) -> None:
        """As fast as the store takes it."""
        for _ in range(FLOOD // BLOCK):
            await self.append(BLOCK)

    async def paced(self) -> None:
        """One event at a time, evenly."""
        started = time.perf_counter()
        for number in range(PACED):
            await asyncio.sleep(max(0.0, started + number / PACED_HZ - time.perf_counter()))
            await self.append(1)

    def close(self) -> None:
        """Give back the connection."""
        self._doorbell.close()


async def ours(folder: Path) -> tuple[float, float]:
    """Microseconds a delivery in the flood; milliseconds that 99 of 100 paced events are late."""
    broker = valkey(folder, fsync="no")
    broker.start()
    redis_url = f"redis://127.0.0.1:{broker.port}/0"
    server = WebServer(folder, AWORLD_REDIS_URL=redis_url)
    server.manage("migrate", "-v0")
    server.start()
    store = server.store()
    try:
        async with server.browser() as session:
            jar = session.cookie_jar.filter_cookies(URL(server.origin))
            cookie = "; ".join(f"{name}={morsel.value}" for name, morsel in jar.items())
        writer = Writer(store, redis_url)
        viewers = await connect(server.port, "/ws/live", cookie)
        follow = {"type": "follow", "run": writer.run_id, "after": 0}
        for viewer in viewers:
            viewer.send(json.dumps(follow, separators=(",", ":")).encode())
            viewer.timed = True
        await asyncio.sleep(0.5)
        await measured(server.pid, viewers, PACED, writer.paced)
        late = sorted(ms for viewer in viewers for ms in viewer.late_ms)
        for viewer in viewers:
            viewer.timed = False
        flood_us = await measured(server.pid, viewers, PACED + FLOOD, writer.flood)
        writer.close()
        check(viewers, list(range(1, PACED + FLOOD + 1)))
    finally:
        store.close()
        server.stop()
        broker.stop()
    return flood_us, late[int(len(late) * 0.99)]


def check(viewers: list[Viewer], expected: list[int]) -> None:
    """Every viewer has everything, once, in order."""
    wrong = [number for number, viewer in enumerate(viewers) if viewer.seqs != expected]
    if wrong:
        raise SystemExit(f"Viewers {wrong} lost events, or got them twice or out of order.")


class Peer(Server):
    """The peer's process."""

    @property
    def pid(self) -> int:
        """Its process."""
        assert self._process is not None
        return self._process.pid


async def group_send(folder: Path) -> float:
    """The peer's microseconds a delivery."""
    port = free_port()
    command = [
        sys.executable,
        "-m",
        "daphne",
        "-b",
        "127.0.0.1",
        "-p",
        str(port),
        "--verbosity",
        "0",
        "benchmarks.live_viewers:group_send_application",
    ]
    peer = Peer(command, port, folder)
    peer.start()
    try:
        viewers = await connect(port, "/", "")
        await asyncio.sleep(0.5)

        async def flood() -> None:
            viewers[0].send(b"flood")

        microseconds = await measured(peer.pid, viewers, PEER_FLOOD, flood)
        check(viewers, list(range(1, PEER_FLOOD + 1)))
    finally:
        peer.stop()
    return microseconds


@functools.cache
def _channels() -> Any:
    """The usual way: a group, and one message to it for each event."""
    from django.conf import settings

    layer = {"BACKEND": "channels.layers.InMemoryChannelLayer", "CONFIG": {"capacity": 1_000_000}}
    settings.configure(INSTALLED_APPS=["channels"], CHANNEL_LAYERS={"default": layer})
    import django
    from channels.generic.websocket import AsyncWebsocketConsumer

    django.setup()

    class Consumer(AsyncWebsocketConsumer):  # type: ignore[misc]
        async def connect(self) -> None:
            await self.channel_layer.group_add("viewers", self.channel_name)
            await self.accept()

        async def receive(self, text_data: str = "", bytes_data: bytes = b"") -> None:
            for seq in range(1, PEER_FLOOD + 1):
                text = '{"seq":%d,"content":"%s"}' % (seq, PADDING)  # noqa: UP031
                await self.channel_layer.group_send("viewers", {"type": "event", "text": text})
                await asyncio.sleep(0)

        async def event(self, message: dict[str, str]) -> None:
            await self.send(text_data=message["text"])

    return Consumer.as_asgi()


async def group_send_application(scope: Any, receive: Any, send: Any) -> None:
    """The peer as Daphne serves it."""
    await _channels()(scope, receive, send)


def main() -> None:
    """Measure both and print."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    with tempfile.TemporaryDirectory() as folder:
        value, late_ms = asyncio.run(ours(Path(folder)))
        peer_value = asyncio.run(group_send(Path(folder)))
    figure = {
        "name": "live_50_viewers_cpu_us",
        "value": round(value, 2),
        "unit": "us",
        "goal": GOAL_US,
        "peer": "Channels group_send, in memory",
        "peer_value": round(peer_value, 2),
        "ratio": round(value / peer_value, 4),
    }
    late = {
        "name": "live_50_viewers_p99_ms",
        "value": round(late_ms, 1),
        "unit": "ms",
        "goal": GOAL_P99_MS,
    }
    for line in (figure, late):
        print(json.dumps(line))


if __name__ == "__main__":
    main()
