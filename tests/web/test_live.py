"""The live connection, over a real server: what is in the log comes in order, once, to everyone."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from aworld.events.conversation import MessageSent
from aworld.events.union import Event, encode_json
from aworld.storage.base import Lease, Store
from tests.web import recorded
from tests.web.live_server import Socket, WebServer, live


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebServer]:
    # A worker elsewhere: this process only shows, so that the tests' runs stay as they are.
    home = tmp_path_factory.mktemp("live")
    started = WebServer(home, AWORLD_REDIS_URL="redis://127.0.0.1:1/0")
    started.manage("migrate", "-v0")
    started.start()
    yield started
    started.stop()


@pytest.fixture
def store(server: WebServer) -> Iterator[Store]:
    opened = server.store()
    yield opened
    opened.close()


def hold(store: Store, run_id: str) -> Lease:
    lease = store.claim("test", ttl_s=600, run_id=run_id)
    assert lease is not None
    return lease


def say(store: Store, lease: Lease, first: int, count: int, size: int = 10) -> None:
    """Append messages with seqs first, first + 1, …"""
    at = store.read(lease.run_id, after=first - 2, limit=1)[0].at
    events = [
        Event(lease.run_id, seq, at + seq, "solver", MessageSent(content="x" * size))
        for seq in range(first, first + count)
    ]
    store.append(lease.run_id, lease.epoch, events)


async def test_a_run_that_another_process_writes_appears_live(
    server: WebServer, store: Store
) -> None:
    run = recorded.queued_run(store)
    lease = hold(store, run.run_id)
    async with server.browser() as session, live(session, server) as page:
        await page.send(type="follow", run=run.run_id, after=-1)
        first = await page.events(run.run_id, 0)
        await asyncio.to_thread(say, store, lease, 1, 3)
        then = await page.events(run.run_id, 3)

    sent = [json.loads(encode_json(event)) for event in store.read(run.run_id)]
    assert first + then == sent


async def test_a_page_resumes_after_the_last_event_it_has(server: WebServer, store: Store) -> None:
    run = recorded.finished_run(store)
    async with server.browser() as session, live(session, server) as page:
        await page.send(type="follow", run=run.run_id, after=5)
        events = await page.events(run.run_id, 8)

    assert [event["seq"] for event in events] == [6, 7, 8]


async def test_a_page_that_comes_back_misses_nothing_and_gets_nothing_twice(
    server: WebServer, store: Store
) -> None:
    run = recorded.queued_run(store)
    lease = hold(store, run.run_id)
    await asyncio.to_thread(say, store, lease, 1, 40)
    async with server.browser() as session:
        async with live(session, server) as page:
            await page.send(type="follow", run=run.run_id, after=-1)
            before = await page.events(run.run_id, 40)
        await asyncio.to_thread(say, store, lease, 41, 60)
        async with live(session, server) as page:
            await page.send(type="follow", run=run.run_id, after=before[-1]["seq"])
            after = await page.events(run.run_id, 100)

    assert [event["seq"] for event in before + after] == list(range(101))


async def test_many_pages_each_get_every_event_in_order_from_their_own_place(
    server: WebServer, store: Store
) -> None:
    run = recorded.queued_run(store)
    lease = hold(store, run.run_id)
    await asyncio.to_thread(say, store, lease, 1, 50)

    async def watch(session: aiohttp.ClientSession, after: int) -> list[int]:
        async with live(session, server) as page:
            await page.send(type="follow", run=run.run_id, after=after)
            return [event["seq"] for event in await page.events(run.run_id, 1050)]

    async with server.browser() as session:
        watching = [asyncio.create_task(watch(session, after)) for after in range(-1, 19)]
        for block in range(20):
            await asyncio.to_thread(say, store, lease, 51 + 50 * block, 50, 1000)
        seen = await asyncio.gather(*watching)

    assert seen == [list(range(after + 1, 1051)) for after in range(-1, 19)]


async def test_a_page_that_reads_too_slowly_is_told_where_to_go_on(
    server: WebServer, store: Store
) -> None:
    run = recorded.queued_run(store)
    lease = hold(store, run.run_id)
    async with server.browser() as session, live(session, server) as slow:
        await slow.send(type="follow", run=run.run_id, after=-1)
        await slow.events(run.run_id, 0)
        async with live(session, server) as quick:
            await quick.send(type="follow", run=run.run_id, after=0)
            # The slow page reads nothing while 30 MB are written for it: more than the sockets'
            # own buffers hold (about 10 MB) and what it may be behind (5,000 events).
            for block in range(30):
                await asyncio.to_thread(say, store, lease, 1 + 1000 * block, 1000, 1000)
                await quick.events(run.run_id, 1000 * (block + 1))
        seqs, jumps = await drain(slow, until=30_000)

    assert len(jumps) == 1
    start, end = jumps[0]
    assert seqs == [*range(1, start), *range(end + 1, 30_001)]
    assert end - start > 1000


async def drain(page: Socket, until: int) -> tuple[list[int], list[tuple[int, int]]]:
    """All seqs that come up to one of them, and the ranges that were jumped."""
    seqs: list[int] = []
    jumps: list[tuple[int, int]] = []
    last = 0
    while last < until:
        message = await page.receive("events", "jump")
        if message["type"] == "jump":
            jumps.append((message["from"], message["to"]))
            last = message["to"]
        else:
            seqs += [event["seq"] for event in message["events"]]
            last = seqs[-1]
    return seqs, jumps


async def test_a_page_that_starts_far_behind_is_told_to_fetch_the_past(
    server: WebServer, store: Store
) -> None:
    run = recorded.queued_run(store)
    lease = hold(store, run.run_id)
    await asyncio.to_thread(say, store, lease, 1, 6000)
    async with server.browser() as session, live(session, server) as page:
        await page.send(type="follow", run=run.run_id, after=-1)
        jump = await page.receive("events", "jump")
        await asyncio.to_thread(say, store, lease, 6001, 1)
        events = await page.events(run.run_id, 6001)

    assert jump == {"type": "jump", "run": run.run_id, "from": 0, "to": 6000}
    assert [event["seq"] for event in events] == [6001]


async def test_a_page_hears_no_more_of_a_run_it_left(server: WebServer, store: Store) -> None:
    left, other = recorded.queued_run(store), recorded.queued_run(store)
    left_lease, other_lease = hold(store, left.run_id), hold(store, other.run_id)
    async with server.browser() as session, live(session, server) as page:
        for run in (left, other):
            await page.send(type="follow", run=run.run_id, after=0)
        await page.send(type="unfollow", run=left.run_id)
        await page.send(type="follow", run="no such run")
        await page.receive("error")
        await asyncio.to_thread(say, store, left_lease, 1, 1)
        await asyncio.to_thread(say, store, other_lease, 1, 1)
        events = await page.events(other.run_id, 1)

    assert [event["run_id"] for event in events] == [other.run_id]


async def test_the_run_list_hears_of_new_changed_and_deleted_runs(
    server: WebServer, store: Store
) -> None:
    async with server.browser() as session, live(session, server) as page:
        await page.send(type="runs")
        await page.receive("runs")
        setup = await page.receive("setup")
        run = await asyncio.to_thread(recorded.failed_run, store)
        row: dict[str, Any] = {}
        while row.get("status") != "failed":
            news = await page.receive("runs")
            row = next((r for r in news["changed"] if r["run_id"] == run.run_id), row)
        await asyncio.to_thread(store.delete_run, run.run_id)
        removed: list[str] = []
        while run.run_id not in removed:
            removed += (await page.receive("runs"))["removed"]

    assert setup["setup"] == {"ready": True, "steps": []}
    assert news["counts"]["failed"] >= 1
    assert "team" not in row


async def test_a_run_that_is_not_there_is_named(server: WebServer) -> None:
    async with server.browser() as session, live(session, server) as page:
        await page.send(type="follow", run="nothing", after=-1)
        error = await page.receive("error")

    assert "'nothing'" in error["message"]


@pytest.mark.parametrize("text", ["{", '{"type": "sing"}', '{"type": "follow"}', "[]"])
async def test_a_message_that_cannot_be_read_is_answered_and_the_page_goes_on(
    server: WebServer, store: Store, text: str
) -> None:
    run = recorded.finished_run(store)
    async with server.browser() as session, live(session, server) as page:
        await page.raw.send_str(text)
        error = await page.receive("error")
        await page.send(type="follow", run=run.run_id, after=7)
        events = await page.events(run.run_id, 8)

    assert "cannot be read" in error["message"]
    assert [event["seq"] for event in events] == [8]


async def test_nobody_listens_without_a_session(server: WebServer) -> None:
    async with (
        aiohttp.ClientSession(server.origin) as stranger,
        stranger.ws_connect("/ws/live", origin=server.origin) as raw,
    ):
        error = await raw.receive_json()
        await raw.receive()

    assert "not logged in" in error["message"]
    assert raw.close_code == 4401


@pytest.mark.parametrize("origin", ["https://evil.example", "http://127.0.0.1:1", "null", None])
async def test_another_sites_page_is_refused(server: WebServer, origin: str | None) -> None:
    async with server.browser() as session:
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            await session.ws_connect("/ws/live", origin=origin)

    assert refused.value.status == 403


async def test_a_page_resumes_after_the_server_was_killed(tmp_path: Path) -> None:
    server = WebServer(tmp_path, AWORLD_REDIS_URL="redis://127.0.0.1:1/0")
    await asyncio.to_thread(server.manage, "migrate", "-v0")
    await asyncio.to_thread(server.start)
    store = server.store()
    run = recorded.queued_run(store)
    lease = hold(store, run.run_id)
    try:
        async with server.browser() as session:
            async with live(session, server) as page:
                await page.send(type="follow", run=run.run_id, after=-1)
                before = await page.events(run.run_id, 0)
                server.kill()
            say(store, lease, 1, 20)
            await asyncio.to_thread(server.start)
            async with live(session, server) as page:
                await page.send(type="follow", run=run.run_id, after=0)
                after = await page.events(run.run_id, 20)
    finally:
        server.stop()
        store.close()

    assert [event["seq"] for event in before + after] == list(range(21))
