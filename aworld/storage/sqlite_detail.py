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

from aworld.events.traits import OPENERS
from aworld.storage import level_of_detail as detail
from aworld.storage.base import LEVELS
from aworld.storage.event_facts import family_index
from aworld.storage.level_of_detail import Cells, Opener
from aworld.storage.sqlite_index import SEGMENT_EVENTS, EventIndex, kinds_mask
from aworld.storage.sqlite_lineage import RunRow
from aworld.storage.sqlite_names import Names
from aworld.storage.sqlite_schema import row_id

MERGE_SEGMENTS: Final = 32


def store_index(connection: sqlite3.Connection, names: Names, row: RunRow) -> None:
    """Write what is not stored yet of the run's index, up to its last event."""
    index = EventIndex(connection, row)
    part = index.parts[-1]
    first, last = part.first_fresh, part.last
    us, kinds, lanes, severities, closes, tokens, costs = zip(*index.fresh_facts(part), strict=True)
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

    rows = detail.Columns(
        range(first, last + 1), us, lanes, [families[kind] for kind in kinds], severities,
        closes, tokens, costs,
    )  # fmt: skip
    cells = detail.collect_columns(rows, 1, opener)
    for level in range(1, LEVELS + 1):
        _store_cells(connection, row.run, level, first, last, cells)
        cells = detail.coarser(cells)

    base = row_id(row.run, 0)
    connection.executemany(
        "INSERT INTO event_rows VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        zip(
            range(base + first, base + last + 1), us, kinds, lanes, severities, closes, tokens,
            costs, strict=True,
        ),
    )  # fmt: skip
    connection.executemany(
        "INSERT OR REPLACE INTO spans VALUES (?, ?, ?)",
        [
            (base + closed, end, seq)
            for seq, (closed, end) in enumerate(zip(closes, us, strict=True), first)
            if closed is not None
        ],
    )
    still_open = index.open_at(first - 1)
    openers = {number for kind, number in index.kinds.items() if kind in OPENERS}
    still_open |= {seq for seq, kind in enumerate(kinds, first) if kind in openers}
    still_open.difference_update(closed for closed in closes if closed is not None)
    connection.execute(
        "INSERT INTO segments VALUES (?, ?, ?, ?)",
        (base + first, last, kinds_mask(set(kinds)), msgspec.msgpack.encode(sorted(still_open))),
    )
    connection.execute("UPDATE runs SET stored_seq=? WHERE run=?", (last, row.run))
    _merge_small(connection, row.run)


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
        cells = detail.merged(
            [
                detail.unpack(
                    connection.execute("SELECT cells FROM detail WHERE id=?", (id,)).fetchone()[0]
                )
                for id, _, _ in small
            ]
        )
        connection.executemany("DELETE FROM detail WHERE id=?", [(id,) for id, _, _ in small])
        _store_cells(connection, run, level, small[0][1], small[-1][2], cells)
