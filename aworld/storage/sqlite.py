"""The store on one SQLite file: WAL, several processes and threads, nothing to install."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from aworld.errors import StoreError
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
from aworld.storage.blobs import BlobFolder
from aworld.storage.sqlite_append import Appender
from aworld.storage.sqlite_connections import Connections, Synchronous
from aworld.storage.sqlite_deletion import delete_run
from aworld.storage.sqlite_events import read_events, read_seqs
from aworld.storage.sqlite_index import EventIndex, Search
from aworld.storage.sqlite_leases import Leases
from aworld.storage.sqlite_lineage import find_run
from aworld.storage.sqlite_names import Names
from aworld.storage.sqlite_notes import Notes
from aworld.storage.sqlite_runs import Runs
from aworld.storage.sqlite_text import TextIndex

BLOB_AGE_S: Final = 3600.0
"""A blob is written before the event that names it: younger ones are never swept."""


def _utc_now() -> int:
    return time.time_ns() // 1000


class SqliteStore:
    """`aworld.storage.base.Store` on a file and a folder of blobs.

    What `append` has acknowledged survives the death of the process. With `synchronous="FULL"`
    it also survives the loss of power, at the price of a disk sync for each block; with the
    default the newest blocks may be missing then, and the file stays whole.
    """

    def __init__(
        self,
        path: Path,
        blobs_dir: Path,
        *,
        synchronous: Synchronous = "NORMAL",
        now: Callable[[], int] = _utc_now,
    ) -> None:
        """Open the file, and make it and its folder where they are missing.

        `now` gives UTC microseconds for leases and creation times.

        Raises:
            StoreError: the file cannot be made, read or written; the message says why.
        """
        for folder in (path.parent, blobs_dir):
            try:
                folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise StoreError(
                    f"The folder {str(folder)!r} cannot be made: {error.strerror}; choose another "
                    "with AWORLD_HOME, or make it writable."
                ) from error
        self._now = now
        self._blobs = BlobFolder(blobs_dir)
        self._connections = Connections(path, synchronous)
        self._text = TextIndex(self._connections, self.resolve)
        self._runs = Runs(self._connections, now, self._text.runs_with)
        self._leases = Leases(self._connections, now)
        self._notes = Notes(self._connections, now)
        self._appender = Appender(self._connections, Names(), self._blobs.put, self.resolve)

    # runs

    def create_run(self, record: RunRecord) -> RunRecord:
        return self._runs.create(record)

    def get_run(self, run_id: str) -> RunRecord:
        return self._runs.get(run_id)

    def list_runs(
        self,
        where: RunFilter = EVERY_RUN,
        *,
        order: RunOrder = "newest",
        limit: int = 50,
        offset: int = 0,
    ) -> RunPage:
        return self._runs.page(where, order, limit, offset)

    def count_by_status(self) -> dict[str, int]:
        return self._runs.count_by_status()

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
        return self._runs.change(run_id, status, priority, position, tags, only_if)

    def delete_run(self, run_id: str) -> None:
        with self._connections.writing() as connection:
            delete_run(connection, self._text, run_id, self._now())
        self._connections.give_space_back()

    # leases

    def claim(self, worker: str, *, ttl_s: float, run_id: str = "") -> Lease | None:
        return self._leases.claim(worker, ttl_s, run_id)

    def renew(self, lease: Lease, *, ttl_s: float) -> Lease | None:
        return self._leases.renew(lease, ttl_s)

    def release(self, lease: Lease) -> None:
        self._leases.release(lease)

    def expired(self) -> list[RunRecord]:
        return self._leases.expired()

    # events

    def append(self, run_id: str, epoch: int, events: Sequence[Event]) -> int:
        return self._appender.append(run_id, epoch, events)

    def append_many(
        self, batches: Sequence[tuple[str, int, Sequence[Event]]]
    ) -> list[int | StoreError]:
        """`(run_id, epoch, events)` of several runs in one transaction: `sink.GroupStore`."""
        return self._appender.append_many(batches)

    def read(self, run_id: str, *, after: int = -1, limit: int = 1000) -> list[Event]:
        with self._connections.reading() as connection:
            return read_events(connection, find_run(connection, run_id), after=after, limit=limit)

    def read_seqs(self, run_id: str, seqs: Iterable[int]) -> list[Event]:
        with self._connections.reading() as connection:
            return read_seqs(connection, find_run(connection, run_id), seqs)

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
        with self._connections.reading() as connection:
            row = find_run(connection, run_id)
            wanted = Search(kinds, actors, min_severity, from_at, to_at, after)
            seqs = EventIndex(connection, row).find(wanted, limit)
            return read_seqs(connection, row, seqs)

    def bars(
        self,
        run_id: str,
        level: int,
        *,
        start: int = 0,
        end: int = 0,
        limit: int = 200_000,
    ) -> Bars:
        from aworld.storage.sqlite_timeline import Timeline  # It loads numpy.

        with self._connections.reading() as connection:
            return Timeline(connection, find_run(connection, run_id)).bars(level, start, end, limit)

    def resolve(self, event: Event) -> AnyPayload:
        if isinstance(event.payload, Offloaded):
            return decode_payload(self._blobs.get(event.payload.blob))
        return event.payload

    def search(self, text: str, *, run_id: str = "", limit: int = 50) -> list[Hit]:
        return self._text.search(text, run_id, limit)

    def index_text(self, *, budget_s: float = 0.5) -> bool:
        return self._text.advance(budget_s)

    # blobs

    def put_blob(self, data: bytes) -> str:
        return self._blobs.put(data)

    def get_blob(self, sha256: str) -> bytes:
        return self._blobs.get(sha256)

    def blob_info(self, sha256: str) -> BlobInfo:
        return self._blobs.info(sha256)

    def sweep_blobs(self) -> int:
        freed = 0
        for sha256 in list(self._blobs.older_than(BLOB_AGE_S)):
            # Within a write transaction no event can come to name the blob unseen.
            with self._connections.writing() as connection:
                named = connection.execute(
                    "SELECT 1 FROM blob_names WHERE sha256=? LIMIT 1", (sha256,)
                ).fetchone()
                if named is None:
                    freed += self._blobs.remove(sha256, older_than_s=BLOB_AGE_S)
        return freed

    # snapshots, commands, labels

    def put_snapshot(self, run_id: str, seq: int, state: bytes) -> None:
        self._notes.put_snapshot(run_id, seq, state)

    def latest_snapshot(
        self, run_id: str, *, before: int | None = None
    ) -> tuple[int, bytes] | None:
        return self._notes.latest_snapshot(run_id, before)

    def put_command(self, run_id: str, name: str, arguments: dict[str, Any], *, by: str) -> int:
        return self._notes.put_command(run_id, name, arguments, by)

    def commands(self, run_id: str, *, after: int = -1) -> list[Command]:
        return self._notes.commands(run_id, after)

    def put_label(self, run_id: str, name: str, value: Any, *, by: str, seq: int = -1) -> None:
        self._notes.put_label(run_id, name, value, by, seq)

    def labels(self, run_id: str) -> list[Label]:
        return self._notes.labels(run_id)

    # the store itself

    def version(self) -> int:
        return self._connections.version()

    def close(self) -> None:
        self._connections.close()
