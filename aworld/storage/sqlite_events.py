"""Reading events: by seq, and by kind, actor, severity and time."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from aworld.events.union import Event
from aworld.storage.blocks import unpack
from aworld.storage.sqlite_lineage import Part, RunRow, lineage
from aworld.storage.sqlite_names import read_kinds
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


def read_seqs(
    connection: sqlite3.Connection, row: RunRow, seqs: Iterable[int]
) -> list[Event]:
    """These events, in order; missing ones are left out. Each block is unpacked once."""
    wanted = sorted(set(seqs))
    events: list[Event] = []
    for part in lineage(connection, row):
        inside = [seq for seq in wanted if part.first <= seq <= part.last]
        block: list[Event] = []
        for seq in inside:
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


def find_seqs(
    connection: sqlite3.Connection,
    row: RunRow,
    *,
    kinds: Sequence[str],
    actors: Sequence[str],
    min_severity: int,
    from_at: int,
    to_at: int,
    after: int,
    limit: int,
) -> list[int]:
    """The seqs of the first events that fit, in order. Times in UTC microseconds, 0 for none."""
    numbers = read_kinds(connection)
    wanted_kinds = [numbers[kind] for kind in kinds if kind in numbers]
    if kinds and not wanted_kinds:
        return []
    seqs: list[int] = []
    for part in lineage(connection, row):
        first = max(part.first, after + 1)
        last = part.last
        if from_at:
            first = max(first, first_seq_at(connection, part, from_at - row.first_at))
        if to_at:
            last = first_seq_at(connection, part, to_at - row.first_at + 1) - 1
        if first > last or len(seqs) >= limit:
            continue
        stretch = Part(part.run, first, last)
        query, values = _index_query(connection, stretch, wanted_kinds, actors, min_severity)
        base = row_id(part.run, 0)
        found = connection.execute(query + " LIMIT ?", (*values, limit - len(seqs)))
        seqs.extend(id - base for (id,) in found)
    return seqs


def _index_query(
    connection: sqlite3.Connection,
    part: Part,
    kinds: Sequence[int],
    actors: Sequence[str],
    min_severity: int,
) -> tuple[str, list[Any]]:
    """The statement that finds a part's rows, and its values."""
    source, terms, order = "event_rows e", ["e.id BETWEEN ? AND ?"], "e.id"
    values: list[Any] = [part.first_id, part.last_id]
    if min_severity > 0:
        source += " INDEXED BY event_rows_wrong"
        terms.append("e.severity > 0 AND e.severity >= ?")
        values.append(min_severity)
    elif kinds:
        # Most blocks hold none of a rare kind: their masks tell, without a look at their rows.
        source = "blocks b INDEXED BY blocks_by_kinds CROSS JOIN event_rows e"
        order = "b.id, e.id"  # The order of the two loops: nothing is sorted.
        terms.append("b.id BETWEEN ? AND ? AND b.kinds & ? <> 0")
        terms.append("e.id BETWEEN b.id AND ? + b.last_seq")
        mask = 0
        for kind in kinds:
            mask |= 1 << (kind % 62)
        holder = connection.execute(
            "SELECT MAX(id) FROM blocks WHERE id BETWEEN ? AND ?",
            (row_id(part.run, 0), part.first_id),
        ).fetchone()[0]
        values += [holder, part.last_id, mask, row_id(part.run, 0)]
    if kinds:
        terms.append(f"e.kind IN ({', '.join('?' * len(kinds))})")
        values += kinds
    if actors:
        terms.append(
            "e.lane IN (SELECT lane FROM lanes WHERE run=? AND actor IN"
            f" ({', '.join('?' * len(actors))}))"
        )
        values += [part.run, *actors]
    return f"SELECT e.id FROM {source} WHERE {' AND '.join(terms)} ORDER BY {order}", values


def first_seq_at(connection: sqlite3.Connection, part: Part, us: int) -> int:
    """The part's first seq at or after a time (microseconds since the run's first event); one
    past its last where there is none. Times never fall within a run, so halving finds it."""
    low, high = part.first, part.last + 1
    while low < high:
        middle = (low + high) // 2
        found = connection.execute(
            "SELECT us FROM event_rows WHERE id=?", (row_id(part.run, middle),)
        ).fetchone()
        if found[0] < us:
            low = middle + 1
        else:
            high = middle
    return low
