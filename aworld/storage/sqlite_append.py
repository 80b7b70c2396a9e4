"""Appending events: the check of number and epoch, the block, its index rows, the run's summary."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from aworld.errors import NotFound, SequenceConflict, StaleEpoch, StoreError, Unwritable
from aworld.events.union import AnyPayload, Event, Offloaded, decode, encode
from aworld.storage import blocks, sqlite_index
from aworld.storage.event_facts import Facts, facts
from aworld.storage.offload import NAMING, SURELY_SMALL, prepare
from aworld.storage.run_summary import Changes, changes
from aworld.storage.sqlite_connections import Connections
from aworld.storage.sqlite_events import read_events
from aworld.storage.sqlite_lineage import RunRow, find_run
from aworld.storage.sqlite_names import Names
from aworld.storage.sqlite_schema import row_id


class Batch(msgspec.Struct):
    """Successive events, made ready outside the transaction."""

    encoded: list[bytes]
    """The events as the log keeps them, in MessagePack."""
    facts: list[Facts]
    payloads: list[AnyPayload]
    """The whole ones."""
    blobs: list[tuple[str, int]]
    """`(sha256, seq)` of each blob that an event names."""
    packing: blocks.Packing
    """Their blocks, by position in `encoded`."""

    def without(self, known: int) -> Batch:
        """The batch less its first events."""
        rest = self.encoded[known:]
        return Batch(
            rest, self.facts[known:], self.payloads[known:], self.blobs, blocks.Packing(rest)
        )


class Appender:
    """Writes events."""

    def __init__(
        self,
        connections: Connections,
        names: Names,
        put_blob: Callable[[bytes], str],
        resolve: Callable[[Event], AnyPayload],
    ) -> None:
        self._connections = connections
        self._names = names
        self._put_blob = put_blob
        self._resolve = resolve

    def append(self, run_id: str, epoch: int, events: Sequence[Event]) -> int:
        """See `Store.append`."""
        (result,) = self.append_many([(run_id, epoch, events)])
        if isinstance(result, StoreError):
            raise result
        return result

    def append_many(
        self, batches: Sequence[tuple[str, int, Sequence[Event]]]
    ) -> list[int | StoreError]:
        """Append to several runs in one transaction. What one run's batch is refused for stands
        in its place of the result and leaves the others alone.

        Raises:
            StoreError: nothing was written.
        """
        results: list[int | StoreError] = []
        ready = [self._try_ready(run_id, events) for run_id, _, events in batches]
        with self._connections.writing() as connection:
            for (run_id, epoch, _), batch in zip(batches, ready, strict=True):
                if isinstance(batch, StoreError):
                    results.append(batch)
                    continue
                try:
                    results.append(self._append(connection, run_id, epoch, batch))
                except (StaleEpoch, SequenceConflict, NotFound) as refusal:
                    # Raised before the batch has written anything.
                    results.append(refusal)
        return results

    def _append(self, connection: sqlite3.Connection, run_id: str, epoch: int, batch: Batch) -> int:
        row = find_run(connection, run_id)
        if epoch != row.epoch:
            raise StaleEpoch(
                f"Run {run_id!r} is written under epoch {row.epoch} now, not {epoch}: "
                "another worker holds its lease. Stop writing it."
            )
        if not batch.facts:
            return row.last_seq
        first = batch.facts[0].seq
        known = row.last_seq + 1 - first
        if known < 0:
            raise SequenceConflict(
                f"Run {run_id!r} ends at seq {row.last_seq}, the block starts at {first}: "
                "append what lies between first."
            )
        if known:
            _check_same(connection, row, batch, known)
            batch = batch.without(known)
        return self._write(connection, row, batch) if batch.facts else row.last_seq

    def _try_ready(self, run_id: str, events: Sequence[Event]) -> Batch | StoreError:
        try:
            _check_dense(run_id, events)
            return self._ready(events)
        except (SequenceConflict, NotFound, Unwritable) as refusal:
            return refusal

    def _ready(self, events: Sequence[Event]) -> Batch:
        encoded = [encode(event) for event in events]
        payloads = [event.payload for event in events]
        blobs: list[tuple[str, int]] = []
        # One look at each event; few are large or name a blob.
        for at, (data, payload) in enumerate(zip(encoded, payloads, strict=True)):
            if len(data) > SURELY_SMALL or type(payload) in NAMING:
                event = events[at]
                prepared = prepare(event, self._put_blob)
                encoded[at] = prepared.data
                blobs += [(blob, event.seq) for blob in prepared.blobs]
                if isinstance(payload, Offloaded):
                    payloads[at] = self._resolve(event)
        packing = blocks.Packing(encoded)
        known = [facts(event, payload) for event, payload in zip(events, payloads, strict=True)]
        return Batch(encoded, known, payloads, blobs, packing)

    def _write(self, connection: sqlite3.Connection, row: RunRow, batch: Batch) -> int:
        first_at = row.first_at if row.last_seq >= 0 else batch.facts[0].at
        kinds = self._names.kinds(connection, {fact.kind for fact in batch.facts})
        lanes = self._names.lanes(
            connection, row.run, dict.fromkeys((fact.actor, fact.tool) for fact in batch.facts)
        )
        rows = [
            (
                max(fact.at - first_at, 0), kinds[fact.kind], lanes[fact.actor, fact.tool],
                fact.severity, fact.closes, fact.tokens, fact.cost_usd,
            )
            for fact in batch.facts
        ]  # fmt: skip
        sums = changes(zip(batch.facts, batch.payloads, strict=True))
        connection.executemany(
            "INSERT INTO blocks VALUES (?, ?, ?)",
            [
                (
                    row_id(row.run, batch.facts[first].seq),
                    msgspec.msgpack.encode(rows[first:end]),
                    data,
                )
                for first, end, data in batch.packing.result()
            ],
        )
        if batch.blobs:
            connection.executemany(
                "INSERT OR IGNORE INTO blob_names VALUES (?, ?, ?)",
                [(blob, row.run, seq) for blob, seq in batch.blobs],
            )
        last = batch.facts[-1].seq
        row = row._replace(last_seq=last, first_at=first_at)
        _update_run(connection, row, sums)
        if last - row.stored_seq >= sqlite_index.SEGMENT_EVENTS:
            # Here, since it loads numpy, which a short run never needs.
            from aworld.storage.sqlite_detail import store_index

            store_index(connection, self._names, row)
        return last


def _check_dense(run_id: str, events: Sequence[Event]) -> None:
    for seq, event in enumerate(events, max(events[0].seq, 0) if events else 0):
        if event.run_id != run_id:
            raise SequenceConflict(
                f"An event of run {event.run_id!r} stands in a block of run {run_id!r}: "
                "append it to its own run."
            )
        if event.seq != seq:
            raise SequenceConflict(
                f"A block of run {run_id!r} has seq {event.seq} where {seq} "
                "must follow: number its events without gaps."
            )


def _check_same(connection: sqlite3.Connection, row: RunRow, batch: Batch, known: int) -> None:
    """Whether the batch's first events, which are there already, are these very ones."""
    there = read_events(connection, row, after=batch.facts[0].seq - 1, limit=known)
    for old, data, new in zip(there, batch.encoded, batch.facts, strict=False):
        # Bytes first, they are at hand; a whole number in a float field comes back as another one.
        if encode(old) != data and old != decode(data):
            raise SequenceConflict(
                f"Run {row.run_id!r} has another event at seq {old.seq}: a {old.kind!r} of "
                f"{old.actor!r}, not this {new.kind!r} of {new.actor!r}. Read the log again and "
                "number anew."
            )


_UPDATE: Final = """
    UPDATE runs SET last_seq=?, first_at=?, errors=errors+?, warnings=warnings+?,
        model_calls=model_calls+?, tool_calls=tool_calls+?, input_tokens=input_tokens+?,
        output_tokens=output_tokens+?, cost_usd=cost_usd+?,
        started_at=CASE started_at WHEN 0 THEN COALESCE(?, 0) ELSE started_at END,
        finished_at=COALESCE(?, finished_at), answer=COALESCE(?, answer),
        error=COALESCE(?, error), score=COALESCE(?, score), questions=questions+?
    WHERE run=?"""


def _update_run(connection: sqlite3.Connection, row: RunRow, sums: Changes) -> None:
    connection.execute(
        _UPDATE,
        (
            row.last_seq, row.first_at, sums.errors, sums.warnings, sums.model_calls,
            sums.tool_calls, sums.input_tokens, sums.output_tokens, sums.cost_usd,
            sums.first_started_at, sums.finished_at, sums.answer, sums.error,
            sums.score, sums.questions, row.run,
        ),
    )  # fmt: skip
    # Indexed columns apart, and only where they change: an UPDATE that names one rewrites its
    # index whatever the value.
    if sums.status is not None:
        connection.execute("UPDATE runs SET status=? WHERE run=?", (sums.status, row.run))
    if not row.text_due:
        connection.execute("UPDATE runs SET text_due=1 WHERE run=?", (row.run,))
