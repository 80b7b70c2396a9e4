"""What a doorbell promises: whoever listens hears it, and ringing never hurts."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing
from pathlib import Path

import pytest

from aworld.bus.doorbell import ChunkRang, Doorbell, Ring, RunRang, WakeRang
from aworld.errors import BusError
from tests.contracts.buses import PATIENCE_S
from tests.servers import free_port, valkey


@pytest.fixture(params=["in-process", "redis"])
def bells(request: pytest.FixtureRequest, valkey_url: str) -> Iterator[tuple[Doorbell, Doorbell]]:
    """Two doorbells that should reach each other."""
    url = valkey_url if request.param == "redis" else ""
    pair = Doorbell(url), Doorbell(url)
    yield pair
    for bell in pair:
        bell.close()


async def heard(rings: AsyncIterator[Ring], bell: Doorbell) -> Ring:
    """The next ring that is not a wake; rings until the listener is there."""
    async with asyncio.timeout(PATIENCE_S):
        waiting = asyncio.ensure_future(anext(rings))
        while not (await asyncio.wait([waiting], timeout=0.05))[0]:
            bell.wake()
        return waiting.result()


async def test_rings_reach_listeners_in_order_with_what_they_say(
    bells: tuple[Doorbell, Doorbell],
) -> None:
    ringing, listening = bells
    async with aclosing(listening.listen()) as rings:  # type: ignore[type-var]
        assert await heard(rings, ringing) == WakeRang()
        ringing.ring_run("r", 7)
        ringing.chunk("r", 3, 10, "二次 \n")
        got: list[Ring] = []
        while len(got) < 2:
            ring = await heard(rings, ringing)
            got += [] if ring == WakeRang() else [ring]
    assert got == [RunRang("r", 7), ChunkRang("r", 3, 10, "二次 \n")]


async def test_ringing_from_a_thread_reaches_the_loop(bells: tuple[Doorbell, Doorbell]) -> None:
    ringing, listening = bells
    async with aclosing(listening.listen()) as rings:  # type: ignore[type-var]
        await heard(rings, ringing)
        await asyncio.to_thread(ringing.ring_run, "from a thread", 1)
        while (ring := await heard(rings, ringing)) == WakeRang():
            pass
    assert ring == RunRang("from a thread", 1)


async def test_listening_survives_a_killed_server(tmp_path: Path) -> None:
    server = valkey(tmp_path)
    server.start()
    bell = Doorbell(f"redis://127.0.0.1:{server.port}/0")
    async with aclosing(bell.listen()) as rings:  # type: ignore[type-var]
        await heard(rings, bell)
        server.kill()
        bell.ring_run("nobody hears it", 1)
        await asyncio.to_thread(server.start)
        assert await heard(rings, bell) == WakeRang()
    bell.close()
    server.stop()


def test_ringing_a_server_that_is_not_there_does_nothing() -> None:
    bell = Doorbell(f"redis://127.0.0.1:{free_port()}/0")
    for seq in range(5000):
        bell.ring_run("r", seq)
    bell.close()


def test_a_wrong_url_is_refused_by_name() -> None:
    with pytest.raises(BusError, match="'nonsense' is not a Redis URL"):
        Doorbell("nonsense")


async def test_a_listener_hears_only_the_kinds_it_asks_for(
    bells: tuple[Doorbell, Doorbell],
) -> None:
    ringing, listening = bells
    async with aclosing(listening.listen((WakeRang, ChunkRang))) as rings:  # type: ignore[type-var]
        await heard(rings, ringing)
        ringing.ring_run("r", 7)
        ringing.chunk("r", 3, 0, "a")
        while (ring := await heard(rings, ringing)) == WakeRang():
            pass
    assert ring == ChunkRang("r", 3, 0, "a")


async def test_after_a_flood_of_rings_the_newest_of_each_run_is_heard(
    bells: tuple[Doorbell, Doorbell],
) -> None:
    ringing, listening = bells
    async with aclosing(listening.listen((RunRang,))) as rings:  # type: ignore[type-var]
        waiting = asyncio.ensure_future(anext(rings))
        async with asyncio.timeout(PATIENCE_S):
            while not (await asyncio.wait([waiting], timeout=0.05))[0]:
                ringing.ring_run("begin", 0)
            for seq in range(1500):
                ringing.ring_run(f"run {seq % 2}", seq)
            newest: dict[str, int] = {}
            async for ring in rings:
                assert isinstance(ring, RunRang)
                newest[ring.run] = ring.seq
                if newest.get("run 1") == 1499:
                    break
    assert newest["run 0"] == 1498
