"""Index rows as the level of detail wants them, and which spans are open at a seq."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from aworld.events.traits import OPENERS
from aworld.storage.event_facts import family_index
from aworld.storage.level_of_detail import Row
from aworld.storage.sqlite_lineage import Part
from aworld.storage.sqlite_names import read_kinds
from aworld.storage.sqlite_schema import row_id

OPEN_SPANS_LEVEL = 0
"""Rows of `detail` with this level keep the openers of the spans open at `last_seq`."""

Lanes = Mapping[tuple[int, int], int]
"""`(run, lane)` as stored to the lane's number in the result."""


class Kinds(NamedTuple):
    """What the numbers of kinds stand for."""

    family: dict[int, int]
    openers: frozenset[int]


def kinds(connection: sqlite3.Connection) -> Kinds:
    """Family and opening by a kind's number."""
    numbers = read_kinds(connection)
    return Kinds(
        {number: family_index(kind) for kind, number in numbers.items()},
        frozenset(number for kind, number in numbers.items() if kind in OPENERS),
    )


def rows(connection: sqlite3.Connection, part: Part, known: Kinds, lanes: Lanes) -> Iterator[Row]:
    """The part's events in order."""
    base = row_id(part.run, 0)
    run = part.run
    for id, us, kind, lane, severity, closes, tokens, cost in connection.execute(
        "SELECT * FROM event_rows WHERE id BETWEEN ? AND ? ORDER BY id",
        (part.first_id, part.last_id),
    ):
        yield Row(
            id - base, us, lanes[run, lane], known.family[kind], severity, closes,
            tokens or 0, cost or 0.0,
        )  # fmt: skip


def part_of(parts: Sequence[Part], seq: int) -> Part | None:
    """The stretch that holds a seq."""
    return next((part for part in parts if part.first <= seq <= part.last), None)


def open_at(
    connection: sqlite3.Connection, parts: Sequence[Part], known: Kinds, seq: int
) -> set[int]:
    """The openers, up to and including `seq`, of spans that no event up to `seq` has closed."""
    opened: set[int] = set()
    after = -1
    for part in reversed(parts):
        kept = connection.execute(
            "SELECT last_seq, cells FROM detail WHERE run=? AND level=? AND last_seq<=?"
            " ORDER BY first_seq DESC LIMIT 1",
            (part.run, OPEN_SPANS_LEVEL, min(part.last, seq)),
        ).fetchone()
        if kept is not None:
            after, opened = kept[0], set(msgspec.msgpack.decode(kept[1], type=list[int]))
            break
    for part in parts:
        base = row_id(part.run, 0)
        for id, kind, closes in connection.execute(
            "SELECT id, kind, closes FROM event_rows WHERE id BETWEEN ? AND ? ORDER BY id",
            (base + max(part.first, after + 1), base + min(part.last, seq)),
        ):
            if closes is not None:
                opened.discard(closes)
            elif kind in known.openers:
                opened.add(id - base)
    return opened
