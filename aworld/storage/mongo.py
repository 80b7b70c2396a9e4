"""The store on MongoDB: many machines write and read one database."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from aworld.events.union import AnyPayload, Event, Offloaded, decode_payload
from aworld.storage.base import (
    EVERY_RUN,
    Bars,
    BlobInfo,
    Command,
    Hit,
    Label,
    Lease,
    RunFilter,
    RunOrder,
    RunPage,
    RunRecord,
    RunStatus,
)
from aworld.storage.mongo_collections import Collections, said
from aworld.storage.mongo_deletion import Deletion
from aworld.storage.mongo_events import MongoEvents
from aworld.storage.mongo_notes import MongoBlobs, MongoNotes
from aworld.storage.mongo_runs import MongoRuns
from aworld.storage.mongo_text import MongoText

BLOB_AGE_US: Final = 3_600_000_000
"""A blob is written before the event that names it: younger ones are never swept."""


def _utc_now() -> int:
    return time.time_ns() // 1000


class MongoStore:
    """`aworld.storage.base.Store` on one MongoDB database.

    What `append` has acknowledged is in the server's journal. Every method raises StoreError
    where the server cannot be reached.
    """

    def __init__(self, uri: str, database: str = "", *, now: Callable[[], int] = _utc_now) -> None:
        """Connect. `database` "" takes the one that the URI names, or else `aworld`; `now` gives
        UTC microseconds for leases and creation times.

        Raises:
            StoreError: the URI is none, or nobody answers there.
        """
        self._now = now
        self._all = Collections(uri, database)
        self._blobs = MongoBlobs(self._all, now)
        self._notes = MongoNotes(self._all, now)
        self._events = MongoEvents(self._all, self._document, self._blobs.put, self.resolve)
        self._text = MongoText(self._all, self._events, self.resolve)
        self._runs = MongoRuns(self._all, now, self._text.runs_with)
        self._deletion = Deletion(self._all, self._text, self._notes)

    def _document(self, run_id: str, *, hidden: bool = False) -> dict[str, Any]:
        return self._runs.document(run_id, hidden=hidden)

    # runs

    @said
    def create_run(self, record: RunRecord) -> RunRecord:
        return self._runs.create(record)

    @said
    def get_run(self, run_id: str) -> RunRecord:
        return self._runs.get(run_id)

    @said
    def list_runs(
        self,
        where: RunFilter = EVERY_RUN,
        *,
        order: RunOrder = "newest",
        limit: int = 50,
        offset: int = 0,
    ) -> RunPage:
        return self._runs.page(where, order, limit, offset)

    @said
    def count_by_status(self) -> dict[str, int]:
        return self._runs.count_by_status()

    @said
    def set_run(
        self,
        run_id: str,
        *,
        status: RunStatus | None = None,
        priority: int | None = None,
        position: float | None = None,
        tags: Sequence[str] | None = None,
        only_if: Sequence[RunStatus] = (),
    ) -> bool:
        given = {
            "status": status,
            "priority": priority,
            "position": position,
            "tags": None if tags is None else list(tags),
        }
        return self._runs.change(run_id, given, only_if)

    @said
    def delete_run(self, run_id: str) -> None:
        self._deletion.delete(self._document(run_id), self._now())
        self._all.changed()

    # leases

    @said
    def claim(self, worker: str, *, ttl_s: float, run_id: str = "") -> Lease | None:
        return self._runs.claim(worker, ttl_s, run_id)

    @said
    def renew(self, lease: Lease, *, ttl_s: float) -> Lease | None:
        return self._runs.renew(lease, ttl_s)

    @said
    def release(self, lease: Lease) -> None:
        self._runs.release(lease)

    @said
    def expired(self) -> list[RunRecord]:
        return self._runs.expired()

    # events

    @said
    def append(self, run_id: str, epoch: int, events: Sequence[Event]) -> int:
        from aworld.storage.mongo_timeline import SEGMENT_EVENTS, Timeline

        last = self._events.append(run_id, epoch, events)
        self._all.changed()
        run = self._document(run_id)
        if run["last_seq"] - run["stored_seq"] >= SEGMENT_EVENTS:
            Timeline(self._all, self._events, run).store_segment()
        return last

    @said
    def read(self, run_id: str, *, after: int = -1, limit: int = 1000) -> list[Event]:
        return self._events.read(self._document(run_id), after, limit)

    @said
    def read_seqs(self, run_id: str, seqs: Iterable[int]) -> list[Event]:
        return self._events.read_seqs(self._document(run_id), seqs)

    @said
    def query(
        self,
        run_id: str,
        *,
        kinds: Sequence[str] = (),
        actors: Sequence[str] = (),
        min_severity: int = 0,
        from_at: int = 0,
        to_at: int = 0,
        after: int = -1,
        limit: int = 1000,
    ) -> list[Event]:
        from aworld.storage.mongo_timeline import Timeline, Wanted

        run = self._document(run_id)
        wanted = Wanted(kinds, actors, min_severity, from_at, to_at, after)
        return self._events.read_seqs(
            run, Timeline(self._all, self._events, run).find(wanted, limit)
        )

    @said
    def bars(
        self,
        run_id: str,
        level: int,
        *,
        start: int = 0,
        end: int = 0,
        limit: int = 200_000,
    ) -> Bars:
        from aworld.storage.mongo_timeline import Timeline

        timeline = Timeline(self._all, self._events, self._document(run_id))
        return timeline.bars(level, start, end, limit)

    @said
    def resolve(self, event: Event) -> AnyPayload:
        if isinstance(event.payload, Offloaded):
            return decode_payload(self._blobs.get(event.payload.blob))
        return event.payload

    @said
    def search(self, text: str, *, run_id: str = "", limit: int = 50) -> list[Hit]:
        return self._text.search(text, self._document(run_id) if run_id else None, limit)

    @said
    def index_text(self, *, budget_s: float = 0.5) -> bool:
        return self._text.advance(budget_s)

    # blobs

    @said
    def put_blob(self, data: bytes) -> str:
        return self._blobs.put(data)

    @said
    def get_blob(self, sha256: str) -> bytes:
        return self._blobs.get(sha256)

    @said
    def blob_info(self, sha256: str) -> BlobInfo:
        return self._blobs.info(sha256)

    @said
    def sweep_blobs(self) -> int:
        self._deletion.finish()
        return self._blobs.sweep(BLOB_AGE_US)

    # snapshots, commands, labels

    @said
    def put_snapshot(self, run_id: str, seq: int, state: bytes) -> None:
        self._notes.put_snapshot(self._document(run_id), seq, state)

    @said
    def latest_snapshot(
        self, run_id: str, *, before: int | None = None
    ) -> tuple[int, bytes] | None:
        parts = self._events.lineage(self._document(run_id))
        return self._notes.latest_snapshot(reversed(parts), before)

    @said
    def put_command(self, run_id: str, name: str, arguments: dict[str, Any], *, by: str) -> int:
        number = self._notes.put_command(self._document(run_id), name, arguments, by)
        self._all.changed()
        return number

    @said
    def commands(self, run_id: str, *, after: int = -1) -> list[Command]:
        return self._notes.commands(self._document(run_id), after)

    @said
    def put_label(self, run_id: str, name: str, value: Any, *, by: str, seq: int = -1) -> None:
        self._notes.put_label(self._document(run_id), name, value, by, seq)
        self._all.changed()

    @said
    def labels(self, run_id: str) -> list[Label]:
        return self._notes.labels(self._document(run_id))

    # the store itself

    @said
    def version(self) -> int:
        return self._all.version()

    def close(self) -> None:
        self._all.close()
