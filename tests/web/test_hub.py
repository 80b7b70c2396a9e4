"""The hub by itself: what a connection is sent, and what it is not."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from apps.runs.live import client as client_module
from apps.runs.live.feed import FRAME_BYTES, KEEP_EVENTS, RunFeed
from apps.runs.live.flow import FLOW, Flow, FlowControl
from apps.runs.live.hub import Hub
from aworld.bus.doorbell import Doorbell
from aworld.errors import NotFound
from aworld.events.conversation import MessageSent
from aworld.events.union import Event
from aworld.storage.sqlite import SqliteStore
from tests.web import recorded


class Page:
    """A connection that keeps what it is sent."""

    def __init__(self, hub: Hub) -> None:
        self.frames: asyncio.Queue[str] = asyncio.Queue()
        self.flow = Flow(self._sent)
        self.client = hub.join(self.flow)
        self.task = asyncio.create_task(self.client.run())

    async def _sent(self, message: dict[str, Any]) -> None:
        self.frames.put_nowait(message["text"])

    async def receive(self, *types: str) -> dict[str, Any]:
        """The next message of these types."""
        async with asyncio.timeout(10):
            while True:
                message: dict[str, Any] = json.loads(await self.frames.get())
                if message["type"] in types:
                    return message

    async def leave(self, hub: Hub) -> None:
        hub.leave(self.client)
        self.task.cancel()
        with suppress(asyncio.CancelledError):
            await self.task


@pytest.fixture
def store(tmp_path: Path) -> Any:
    opened = SqliteStore(tmp_path / "runs.sqlite3", tmp_path / "blobs")
    yield opened
    opened.close()


@pytest.fixture
async def hub(store: SqliteStore) -> AsyncIterator[Hub]:
    made = Hub(store, Doorbell(""))
    yield made
    assert made.clients == 0


def event(seq: int, size: int = 10) -> Event:
    return Event("r", seq, 1000 + seq, "solver", MessageSent(content="x" * size))


def test_pages_at_the_same_place_get_the_same_frame() -> None:
    feed = RunFeed("r", -1)
    feed.extend([event(seq) for seq in range(5)])

    frame = feed.frame(1)

    assert frame is not None
    assert frame is feed.frame(1)
    assert [one["seq"] for one in json.loads(frame.text)["events"]] == [2, 3, 4]
    assert feed.frame(4) is None


def test_a_frame_holds_64_kb_and_at_least_one_event() -> None:
    feed = RunFeed("r", -1)
    feed.extend([event(0, 3 * FRAME_BYTES), *(event(seq, 1000) for seq in range(1, 200))])

    first, second = feed.frame(-1), feed.frame(0)

    assert first is not None and second is not None
    assert first.last_seq == 0
    assert FRAME_BYTES * 0.9 < len(second.text) < FRAME_BYTES * 1.1


def test_a_window_that_is_full_forgets_its_oldest_events() -> None:
    feed = RunFeed("r", -1)
    feed.extend([event(seq) for seq in range(KEEP_EVENTS + 10)])

    assert feed.first_seq == 10
    assert feed.frame(3) is None, "whoever is there reads the store"
    assert feed.frame(9) is not None


async def test_streamed_text_reaches_who_follows_the_run(store: SqliteStore, hub: Hub) -> None:
    run = recorded.queued_run(store)
    page, other = Page(hub), Page(hub)
    await hub.follow(page.client, run.run_id, -1)
    await page.receive("events")

    Doorbell("").chunk(run.run_id, 4, 12, "五")
    message = await page.receive("chunk")
    for each in (page, other):
        await each.leave(hub)

    assert message == {"type": "chunk", "run": run.run_id, "span": 4, "offset": 12, "text": "五"}
    assert other.frames.empty()


async def test_streamed_text_is_dropped_for_a_page_that_reads_slowly(
    store: SqliteStore, hub: Hub
) -> None:
    run = recorded.queued_run(store)
    slow, quick = Page(hub), Page(hub)
    for page in (slow, quick):
        await hub.follow(page.client, run.run_id, -1)
        await page.receive("events")

    slow.flow.pauseProducing()
    Doorbell("").chunk(run.run_id, 4, 0, "lost")
    await quick.receive("chunk")
    slow.flow.resumeProducing()
    Doorbell("").chunk(run.run_id, 4, 4, "seen")
    message = await slow.receive("chunk")
    for page in (slow, quick):
        await page.leave(hub)

    assert message["text"] == "seen"


async def test_a_ring_from_another_thread_is_heard(store: SqliteStore, hub: Hub) -> None:
    run = recorded.queued_run(store)
    page = Page(hub)
    await hub.follow(page.client, run.run_id, -1)
    await page.receive("events")

    def ring() -> None:
        Doorbell("").chunk(run.run_id, 1, 0, "from a pump")

    await asyncio.to_thread(ring)
    message = await page.receive("chunk")
    await page.leave(hub)

    assert message["text"] == "from a pump"


async def test_a_slow_page_never_makes_a_quick_one_wait(
    store: SqliteStore, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client_module, "MOST_BEHIND", 20)
    run = recorded.queued_run(store)
    slow, quick = Page(hub), Page(hub)
    for page in (slow, quick):
        await hub.follow(page.client, run.run_id, -1)
        await page.receive("events")
    slow.flow.pauseProducing()
    recorded.append(store, run.run_id, ("solver", MessageSent(content="first"), {}))
    await slow.receive("events")  # what was under way when its connection filled up
    seen = [event["seq"] for event in (await quick.receive("events"))["events"]]
    for block in range(5):
        said = [MessageSent(content=f"{block} {n}") for n in range(10)]
        recorded.append(store, run.run_id, *(("solver", message, {}) for message in said))
        seen += [event["seq"] for event in (await quick.receive("events"))["events"]]
    waiting = slow.frames.empty()
    slow.flow.resumeProducing()
    jump = await slow.receive("jump", "events")
    for page in (slow, quick):
        await page.leave(hub)

    assert seen == list(range(1, 52))
    assert waiting
    assert jump == {"type": "jump", "run": run.run_id, "from": 2, "to": 51}


async def test_a_run_that_is_not_there_cannot_be_followed(hub: Hub) -> None:
    page = Page(hub)

    with pytest.raises(NotFound):
        await hub.follow(page.client, "nothing", -1)
    await page.leave(hub)


async def test_nothing_watches_when_nobody_is_connected(store: SqliteStore, hub: Hub) -> None:
    run = recorded.queued_run(store)
    before = asyncio.all_tasks()
    page = Page(hub)
    await hub.follow(page.client, run.run_id, -1)
    await page.receive("events")
    assert len(asyncio.all_tasks()) > len(before) + 1

    await page.leave(hub)
    left = asyncio.all_tasks() - before
    await asyncio.gather(*left, return_exceptions=True)

    assert all(task.done() for task in left)


async def test_a_server_whose_send_waits_needs_no_transport() -> None:
    scopes: list[dict[str, Any]] = []

    async def application(scope: dict[str, Any], receive: Any, send: Any) -> None:
        scopes.append(scope)

    async def send(message: dict[str, Any]) -> None:
        raise AssertionError(message)

    async def receive() -> dict[str, Any]:
        raise AssertionError("nothing is read")

    await FlowControl(application)({"type": "websocket"}, receive, send)

    assert scopes[0][FLOW].is_open
