"""Storing the index of the newest events: their rows, closed spans, and segments of detail.

Each time `SEGMENT_EVENTS` events have come together their rows are written, and their cells of
all levels packed as one segment a level; `MERGE_SEGMENTS` of these become one. Segments follow
each other without gap, so those up to a seq describe exactly the events up to it, which is what a
fork needs of its parent.
"""

from __future__ import annotations

import sqlite3
from typing import Final

import msgspec

from aworld.storage import level_of_detail as detail
from aworld.storage.base import LEVELS
from aworld.storage.event_facts import family_index
from aworld.storage.level_of_detail import Cells, Opener, Row
from aworld.storage.sqlite_index import SEGMENT_EVENTS, EventIndex, IndexRow, kinds_mask
from aworld.storage.sqlite_lineage import RunRow
from aworld.storage.sqlite_names import Names
from aworld.storage.sqlite_schema import row_id

MERGE_SEGMENTS: Final = 32


def store_index(connection: sqlite3.Connection, names: Names, row: RunRow) -> None:
    """Write what is not stored yet of the run's index, up to its last event."""
    index = EventIndex(connection, row)
    part = index.parts[-1]
    fresh = index.fresh(part)
    still_open = sorted(index.open_at(row.last_seq))
    families = {number: family_index(kind) for kind, number in index.kinds.items()}

    def opener(seq: int) -> Opener | None:
        """An opener before the segment, perhaps in a parent; its lane numbered as ours."""
        found = index.row(seq)
        if found is None:
            return None
        holder, opened = found
        lane = opened.lane
        if holder.run != row.run:
            actor, tool = connection.execute(
                "SELECT actor, tool FROM lanes WHERE run=? AND lane=?", (holder.run, lane)
            ).fetchone()
            lane = names.lanes(connection, row.run, [(actor, tool)])[actor, tool]
        return Opener(opened.us, lane, families[opened.kind])

    cells = detail.collect((_row(one, families) for one in fresh), 1, opener)
    for level in range(1, LEVELS + 1):
        _store_cells(connection, row.run, level, fresh[0].seq, row.last_seq, cells)
        cells = detail.coarser(cells)
    _store_rows(connection, row.run, fresh)
    connection.execute(
        "INSERT INTO segments VALUES (?, ?, ?, ?)",
        (
            row_id(row.run, fresh[0].seq),
            row.last_seq,
            kinds_mask({one.kind for one in fresh}),
            msgspec.msgpack.encode(still_open),
        ),
    )
    connection.execute("UPDATE runs SET stored_seq=? WHERE run=?", (row.last_seq, row.run))
    _merge_small(connection, row.run)


def _row(row: IndexRow, families: dict[int, int]) -> Row:
    return Row(
        row.seq, row.us, row.lane, families[row.kind], row.severity, row.closes, row.tokens,
        row.cost_usd,
    )  # fmt: skip


def _store_rows(connection: sqlite3.Connection, run: int, fresh: list[IndexRow]) -> None:
    base = row_id(run, 0)
    connection.executemany(
        "INSERT INTO event_rows VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (base + seq, us, kind, lane, severity, closes, tokens or None, cost or None)
            for seq, us, kind, lane, severity, closes, tokens, cost in fresh
        ],
    )
    connection.executemany(
        "INSERT OR REPLACE INTO spans VALUES (?, ?, ?)",
        [(base + row.closes, row.us, row.seq) for row in fresh if row.closes is not None],
    )


def _store_cells(
    connection: sqlite3.Connection, run: int, level: int, first: int, last: int, cells: Cells
) -> None:
    width = detail.bucket_us(level)
    first_us = int(cells["bucket"][0]) * width
    last_us = max(int(cells["end"].max()), int(cells["bucket"][-1]) * width)
    connection.execute(
        "INSERT INTO detail (run, level, first_seq, last_seq, first_us, last_us, cells)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        (run, level, first, last, first_us, last_us, detail.pack(cells)),
    )


def _merge_small(connection: sqlite3.Connection, run: int) -> None:
    """Make one segment of many small ones, at every level."""
    for level in range(1, LEVELS + 1):
        small = connection.execute(
            "SELECT id, first_seq, last_seq FROM detail WHERE run=? AND level=?"
            " AND last_seq - first_seq < ? ORDER BY first_seq",
            (run, level, SEGMENT_EVENTS * MERGE_SEGMENTS - 1),
        ).fetchall()
        if len(small) < MERGE_SEGMENTS:
            return
        cells = detail.merged([
            detail.unpack(
                connection.execute("SELECT cells FROM detail WHERE id=?", (id,)).fetchone()[0]
            )
            for id, _, _ in small
        ])
        connection.executemany("DELETE FROM detail WHERE id=?", [(id,) for id, _, _ in small])
        _store_cells(connection, run, level, small[0][1], small[-1][2], cells)
