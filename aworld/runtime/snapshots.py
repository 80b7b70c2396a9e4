"""States of a long run, kept while it runs, so that the playhead finds one near each step."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from aworld.errors import StoreError
from aworld.events.union import Event
from aworld.runtime.limits import Account
from aworld.runtime.playhead import SNAPSHOT_EVERY, pack
from aworld.runtime.replay import Replay
from aworld.storage.base import Store

logger = logging.getLogger(__name__)


class SnapshotWriter:
    """Packs a run's state every `SNAPSHOT_EVERY` events; a thread writes it once the log is durable
    there.

    A snapshot that is lost costs whoever seeks there some time, nothing else, so a failure to write
    one never disturbs the run.
    """

    def __init__(
        self, store: Store, run_id: str, durable: Callable[[int], Awaitable[None]]
    ) -> None:
        self._store = store
        self._run_id = run_id
        self._durable = durable
        self._writing: asyncio.Task[None] | None = None

    def folded(self, event: Event, replay: Replay, account: Account) -> None:
        """The run's state has just taken this event in. Call on the run's loop."""
        if event.seq == 0 or event.seq % SNAPSHOT_EVERY:
            return
        if self._writing is not None and not self._writing.done():
            return  # The store is slow; the next one will do.
        packed = pack(event.seq, event.at, replay.machine, replay.open_spans, account)
        self._writing = asyncio.create_task(self._write(event.seq, packed))

    async def aclose(self) -> None:
        """Wait for the one under way. Call once all of the log is in the store."""
        if self._writing is not None:
            await asyncio.gather(self._writing, return_exceptions=True)

    async def _write(self, seq: int, packed: bytes) -> None:
        try:
            await self._durable(seq)
            await asyncio.to_thread(self._store.put_snapshot, self._run_id, seq, packed)
        except StoreError:
            logger.warning("Run %s: the state at step %d was not kept.", self._run_id, seq)
