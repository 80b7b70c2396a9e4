"""The one place of a web process that watches the log for all its browsers.

A doorbell says which run has more; besides, the store's version is polled while anyone is
connected, so that a run which a script writes appears too, and a lost doorbell costs only time.
Each changed run is read once, whoever follows it.
"""

from __future__ import annotations

import asyncio
import json
import logging
import weakref
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

import msgspec

from apps.runs.live.client import LiveClient
from apps.runs.live.feed import Frame, RunFeed, encoded, events_frame
from apps.runs.live.flow import Flow
from apps.runs.live.run_list import Changes, RunList
from apps.runs.stores import run_store
from apps.shell.selectors import setup
from aworld.bus.doorbell import ChunkRang, Doorbell, Ring, RunRang
from aworld.errors import AWorldError, NotFound
from aworld.events.union import Event
from aworld.storage.base import Store

log = logging.getLogger(__name__)
T = TypeVar("T")

POLL_S = 0.1
FRAME_S = 0.02
"""Under load, the shortest time between two reads of one run."""
LIST_S = 0.25
SETUP_S = 0.5
READ_EVENTS = 2_000
"""Events read at once."""


class Hub:
    """Feeds, clients and the tasks that join them; lives on one event loop."""

    def __init__(self, store: Store, doorbell: Doorbell) -> None:
        self._store = store
        self._doorbell = doorbell
        # One thread: reads of the hub queue behind each other, never behind requests.
        self._reader = ThreadPoolExecutor(1, thread_name_prefix="live")
        self._clients: set[LiveClient] = set()
        self._feeds: dict[str, RunFeed] = {}
        self._dirty: dict[str, asyncio.Event] = {}
        self._readers: dict[str, asyncio.Task[None]] = {}
        self._runs = RunList(store)
        self._runs_dirty = asyncio.Event()
        self._watchers: list[asyncio.Task[None]] = []

    @property
    def clients(self) -> int:
        """How many browsers are connected."""
        return len(self._clients)

    def join(self, flow: Flow) -> LiveClient:
        """A new connection; the first one starts the watching."""
        client = LiveClient(flow, self)
        self._clients.add(client)
        if not self._watchers:
            watch: tuple[Callable[[], Coroutine[Any, Any, None]], ...] = (
                self._listen,
                self._poll,
                self._watch_runs,
                self._watch_setup,
            )
            self._watchers = [asyncio.create_task(_for_ever(one)) for one in watch]
        return client

    def leave(self, client: LiveClient) -> None:
        """A connection is gone; with the last one the watching ends."""
        self._clients.discard(client)
        for run_id in client.follows:
            client.unfollow(run_id)
            self._let_go(run_id)
        if not self._clients:
            for task in self._watchers:
                task.cancel()
            self._watchers = []

    async def follow(self, client: LiveClient, run_id: str, after: int) -> None:
        """Send a run's events after `after` to a client.

        Raises:
            NotFound: no such run.
        """
        feed = self._feeds.get(run_id) or await self._open_feed(run_id, max(after, -1))
        if client not in self._clients:
            return
        if run_id not in self._feeds:
            self._feeds[run_id] = feed
            self._dirty[run_id] = asyncio.Event()
            self._readers[run_id] = asyncio.create_task(_for_ever(lambda: self._read_run(feed)))
        feed = self._feeds[run_id]
        client.follow(feed, min(max(after, -1), feed.last_seq))
        self._dirty[run_id].set()

    async def _open_feed(self, run_id: str, after: int) -> RunFeed:
        """A feed whose window begins where its first client is, or not long before the end."""

        def read() -> tuple[int, list[Event]]:
            last_seq = self._store.get_run(run_id).last_seq
            start = max(min(after, last_seq), last_seq - READ_EVENTS)
            return start, self._store.read(run_id, after=start, limit=READ_EVENTS)

        start, events = await self._in_thread(read)
        feed = RunFeed(run_id, start)
        feed.extend(events)
        return feed

    def unfollow(self, client: LiveClient, run_id: str) -> None:
        """Send no more of a run."""
        client.unfollow(run_id)
        self._let_go(run_id)

    async def want_runs(self, client: LiveClient) -> None:
        """Send changes of the run list; first the newest rows as they are, so that none is lost
        between the page's own request and now."""
        if client.wants_runs:
            return
        client.wants_runs = True
        changes = await self._in_thread(lambda: RunList(self._store).changes())
        client.note(_runs_note(changes._replace(changed=changes.changed[:50])))
        client.note(_setup_note(setup()))

    async def page(self, run_id: str, after: int, limit: int) -> Frame | None:
        """A frame for a client that is before its feed's window."""
        events = await self._read(run_id, after, limit)
        if not events:
            return None
        return Frame(events_frame(run_id, encoded(events)), events[-1].seq)

    async def _read(self, run_id: str, after: int, limit: int) -> list[Event]:
        """Events after a seq; none where the run was deleted meanwhile."""
        try:
            return await self._in_thread(
                partial(self._store.read, run_id, after=after, limit=limit)
            )
        except NotFound:
            return []

    def _let_go(self, run_id: str) -> None:
        """Forget a run that nobody follows."""
        if any(run_id in client.follows for client in self._clients):
            return
        if self._feeds.pop(run_id, None) is not None:
            del self._dirty[run_id]
            self._readers.pop(run_id).cancel()

    async def _in_thread(self, read: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._reader, read)

    async def _listen(self) -> None:
        """Doorbells of whoever writes."""
        async for ring in self._doorbell.listen():
            self._heard(ring)

    def _heard(self, ring: Ring) -> None:
        if isinstance(ring, ChunkRang):
            note = _chunk_note(ring)
            for client in self._following(ring.run):
                client.note(note, may_be_lost=True)
            return
        self._runs_dirty.set()
        if isinstance(ring, RunRang) and ring.run in self._dirty:
            self._dirty[ring.run].set()

    async def _poll(self) -> None:
        """The store's version, for what rang no bell."""
        version = await self._in_thread(self._store.version)
        while True:
            await asyncio.sleep(POLL_S)
            now = await self._in_thread(self._store.version)
            if now != version:
                version = now
                self._runs_dirty.set()
                for dirty in self._dirty.values():
                    dirty.set()

    async def _read_run(self, feed: RunFeed) -> None:
        """Read a run's log whenever there is more; at once when idle, in batches under load."""
        loop = asyncio.get_running_loop()
        dirty = self._dirty[feed.run_id]
        while True:
            await dirty.wait()
            dirty.clear()
            started = loop.time()
            events = await self._read(feed.run_id, feed.last_seq, READ_EVENTS)
            if not events:
                continue
            feed.extend(events)
            for client in self._following(feed.run_id):
                client.notify()
            if len(events) == READ_EVENTS:
                dirty.set()
            await asyncio.sleep(max(0.0, FRAME_S - (loop.time() - started)))

    async def _watch_runs(self) -> None:
        """Tell the pages that list runs what changed, at most four times a second."""
        await self._in_thread(self._runs.changes)
        while True:
            await self._runs_dirty.wait()
            self._runs_dirty.clear()
            listening = [client for client in self._clients if client.wants_runs]
            if listening:
                changes = await self._in_thread(self._runs.changes)
                if changes.any:
                    note = _runs_note(changes)
                    for client in listening:
                        client.note(note)
            await asyncio.sleep(LIST_S)

    async def _watch_setup(self) -> None:
        """Tell how far the first set-up is, until it is done."""
        told = ""
        while True:
            state = await asyncio.to_thread(setup)
            note = _setup_note(state)
            if note != told:
                told = note
                for client in self._clients:
                    if client.wants_runs:
                        client.note(note)
            await asyncio.sleep(SETUP_S if not state["ready"] else 10 * SETUP_S)

    def _following(self, run_id: str) -> list[LiveClient]:
        return [client for client in self._clients if run_id in client.follows]


async def _for_ever(task: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run a task again after an error of the store or the bus: a page must not go deaf."""
    while True:
        try:
            await task()
        except (AWorldError, OSError):
            log.exception("Live pages: watching failed and starts again.")
        await asyncio.sleep(0.5)


def _runs_note(changes: Changes) -> str:
    return msgspec.json.encode({"type": "runs", **changes._asdict()}).decode()


def _setup_note(state: dict[str, Any]) -> str:
    return json.dumps({"type": "setup", "setup": state}, ensure_ascii=False)


def _chunk_note(ring: ChunkRang) -> str:
    chunk = {
        "type": "chunk",
        "run": ring.run,
        "span": ring.span,
        "offset": ring.offset,
        "text": ring.text,
    }
    return json.dumps(chunk, ensure_ascii=False)


_hubs: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, Hub] = weakref.WeakKeyDictionary()


def running_hub(doorbell: Doorbell) -> Hub:
    """The hub of the running event loop; a web process has one loop, so one hub."""
    loop = asyncio.get_running_loop()
    hub = _hubs.get(loop)
    if hub is None:
        hub = _hubs[loop] = Hub(run_store(), doorbell)
    return hub
