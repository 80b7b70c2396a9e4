"""Reading events by seq, out of the packed blocks."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator

from aworld.events.union import Event
from aworld.storage.blocks import unpack
from aworld.storage.sqlite_lineage import Part, RunRow, lineage
from aworld.storage.sqlite_schema import row_id


def read_events(
    connection: sqlite3.Connection, row: RunRow, *, after: int, limit: int
) -> list[Event]:
    """Events with seq > after, in order, those of parents included."""
    events: list[Event] = []
    for part in lineage(connection, row):
        if part.last <= after or len(events) >= limit:
            continue
        first = max(part.first, after + 1)
        for block in _blocks(connection, part, first):
            events.extend(event for event in block if first <= event.seq <= part.last)
            if len(events) >= limit:
                break
    return events[:limit]


def read_seqs(connection: sqlite3.Connection, row: RunRow, seqs: Iterable[int]) -> list[Event]:
    """These events, in order; missing ones are left out. Each block is unpacked once."""
    wanted = sorted(set(seqs))
    events: list[Event] = []
    for part in lineage(connection, row):
        block: list[Event] = []
        for seq in (seq for seq in wanted if part.first <= seq <= part.last):
            if not block or seq > block[-1].seq:
                block = next(_blocks(connection, part, seq), [])
            if block and seq >= block[0].seq:
                events.append(block[seq - block[0].seq])
    return events


def _blocks(connection: sqlite3.Connection, part: Part, seq: int) -> Iterator[list[Event]]:
    """The part's blocks, from the one that holds `seq` on."""
    rows = connection.execute(
        "SELECT events FROM blocks WHERE id BETWEEN"
        " (SELECT MAX(id) FROM blocks WHERE id BETWEEN ? AND ?) AND ? ORDER BY id",
        (row_id(part.run, 0), row_id(part.run, seq), part.last_id),
    )
    for (data,) in rows:
        yield unpack(data)
