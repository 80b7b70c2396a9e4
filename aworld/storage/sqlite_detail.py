"""Keeping the level-of-detail table up: segments of cells behind the run's end.

Index rows are the truth; the table makes wide windows cheap. After each `SEGMENT_EVENTS` events
their cells of all levels are packed as one segment a level; `MERGE_SEGMENTS` of these become one.
Segments follow each other without gap, so those up to a seq describe exactly the events up to it,
which is what a fork needs of its parent.
"""

from __future__ import annotations

import sqlite3
from typing import Final

import msgspec

from aworld.storage import level_of_detail as detail
from aworld.storage.base import LEVELS
from aworld.storage.level_of_detail import Cells, Opener
from aworld.storage.sqlite_lineage import Part, RunRow, lineage
from aworld.storage.sqlite_names import Names
from aworld.storage.sqlite_schema import row_id
from aworld.storage.sqlite_spans import OPEN_SPANS_LEVEL, kinds, open_at, part_of, rows

SEGMENT_EVENTS: Final = 1024
MERGE_SEGMENTS: Final = 32


def summarise(connection: sqlite3.Connection, names: Names, row: RunRow) -> None:
    """Pack the cells of the run's events since the last segment. `row` as it is now."""
    parts = lineage(connection, row)
    part = Part(row.run, row.summarised_seq + 1, row.last_seq)
    known = kinds(connection)
    own = {
        (row.run, lane): lane
        for (lane,) in connection.execute("SELECT lane FROM lanes WHERE run=?", (row.run,))
    }

    def opener(seq: int) -> Opener | None:
        """An opener before the segment, perhaps in a parent; its lane numbered as ours."""
        holder = part_of(parts, seq)
        if holder is None:
            return None
        us, kind, actor, tool = connection.execute(
            "SELECT us, kind, actor, tool FROM event_rows JOIN lanes"
            " ON lanes.run=? AND lanes.lane=event_rows.lane WHERE id=?",
            (holder.run, row_id(holder.run, seq)),
        ).fetchone()
        lane = names.lanes(connection, row.run, {(actor, tool)})[actor, tool]
        return Opener(us, lane, known.family[kind])

    still_open = sorted(open_at(connection, parts, known, row.last_seq))
    cells = detail.collect(rows(connection, part, known, own), 1, opener)
    for level in range(1, LEVELS + 1):
        _store(connection, part, level, cells)
        cells = detail.coarser(cells)
    connection.execute(
        "INSERT INTO detail (run, level, first_seq, last_seq, first_us, last_us, cells)"
        " VALUES (?, ?, ?, ?, 0, 0, ?)",
        (row.run, OPEN_SPANS_LEVEL, part.first, part.last, msgspec.msgpack.encode(still_open)),
    )
    connection.execute("UPDATE runs SET summarised_seq=? WHERE run=?", (row.last_seq, row.run))
    _merge_small(connection, row.run)


def _merge_small(connection: sqlite3.Connection, run: int) -> None:
    """Make one segment of many small ones, at every level."""
    for level in range(1, LEVELS + 1):
        small = connection.execute(
            "SELECT id, first_seq, last_seq, cells FROM detail WHERE run=? AND level=?"
            " AND last_seq - first_seq < ? ORDER BY first_seq",
            (run, level, SEGMENT_EVENTS * MERGE_SEGMENTS - 1),
        ).fetchall()
        if len(small) < MERGE_SEGMENTS:
            return
        cells: Cells = {}
        for _, _, _, data in small:
            detail.merge(cells, dict(detail.unpack(data, level, 0, detail.END_OF_TIME)))
        connection.executemany("DELETE FROM detail WHERE id=?", [(one[0],) for one in small])
        _store(connection, Part(run, small[0][1], small[-1][2]), level, cells)


def _store(connection: sqlite3.Connection, part: Part, level: int, cells: Cells) -> None:
    width = detail.bucket_us(level)
    first_us = min(bucket for bucket, _ in cells) * width
    last_us = max(max(cell.end, bucket * width) for (bucket, _), cell in cells.items())
    connection.execute(
        "INSERT INTO detail (run, level, first_seq, last_seq, first_us, last_us, cells)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        (part.run, level, part.first, part.last, first_us, last_us, detail.pack(cells)),
    )
