"""The level-of-detail table's arithmetic: events to cells, cells to coarser cells, cells to bytes.

A cell is what is known of one (bucket, lane). Cells are sums and maxima, so they merge in any
order: a closing event adds to its opener's cell from wherever it stands. Times are microseconds
since the run's first event.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple

import msgspec

from aworld.storage.base import LEVEL_0_US, Bars
from aworld.storage.blocks import compress, decompress

NO_SEQ: Final = -1
END_OF_TIME: Final = 1 << 62


class Row(NamedTuple):
    """One event, as cells are made of it."""

    seq: int
    us: int
    lane: int
    family: int
    severity: int
    closes: int | None
    tokens: int
    cost_usd: float


class Opener(NamedTuple):
    """The event that opened a span, wherever it is stored."""

    us: int
    lane: int
    family: int


class Cell(msgspec.Struct, gc=False):
    """One (bucket, lane)."""

    count: int
    severity: int
    severity_seq: int
    """First event of the worst severity; NO_SEQ where all is well."""
    duration: int
    """Of the longest span."""
    end: int
    """Of the longest span."""
    longest_seq: int
    """Opener of the longest span, the first of equal ones."""
    family: int
    tokens: int
    cost_usd: float

    def add(self, other: Cell) -> None:
        """Merge another cell of the same bucket and lane, or a finer one inside it."""
        self.count += other.count
        self.tokens += other.tokens
        self.cost_usd += other.cost_usd
        if other.severity > self.severity or (
            other.severity == self.severity and other.severity_seq < self.severity_seq
        ):
            self.severity = other.severity
            self.severity_seq = other.severity_seq
        if other.duration > self.duration or (
            other.duration == self.duration and other.longest_seq < self.longest_seq
        ):
            self.duration = other.duration
            self.end = other.end
            self.longest_seq = other.longest_seq
            self.family = other.family


Cells = dict[tuple[int, int], Cell]
"""Cells of one level by (bucket, lane)."""


def bucket_us(level: int) -> int:
    """A bucket's width."""
    return LEVEL_0_US << (2 * level)


def collect(rows: Iterable[Row], level: int, opener: Callable[[int], Opener | None]) -> Cells:
    """The cells of some successive events; `opener` finds those before the first of them."""
    width = bucket_us(level)
    cells: Cells = {}
    openers: dict[int, Opener] = {}
    for seq, us, lane, family, severity, closes, tokens, cost in rows:
        openers[seq] = Opener(us, lane, family)
        wrong = seq if severity else NO_SEQ
        cell = Cell(1, severity, wrong, 0, us, seq, family, tokens, cost)
        _put(cells, (us // width, lane), cell)
        if closes is not None:
            opened = openers.get(closes) or opener(closes)
            if opened is not None:
                span = Cell(0, 0, NO_SEQ, us - opened.us, us, closes, opened.family, 0, 0.0)
                _put(cells, (opened.us // width, opened.lane), span)
    return cells


def merge(into: Cells, cells: Cells) -> None:
    """Add cells of the same level; `cells` may be used up by it."""
    for place, cell in cells.items():
        _put(into, place, cell)


def coarser(cells: Cells) -> Cells:
    """The next level: four buckets become one."""
    result: Cells = {}
    for (bucket, lane), cell in cells.items():
        place = (bucket >> 2, lane)
        there = result.get(place)
        if there is None:
            result[place] = msgspec.structs.replace(cell)
        else:
            there.add(cell)
    return result


def _put(cells: Cells, place: tuple[int, int], cell: Cell) -> None:
    there = cells.get(place)
    if there is None:
        cells[place] = cell
    else:
        there.add(cell)


_COLUMNS: Final = "qIIBqqqqBqd"
"""Type codes: bucket, lane, then the fields of Cell in order."""


def pack(cells: Cells) -> bytes:
    """Cells as compressed columns, in order of bucket and lane."""
    places = sorted(cells)
    columns = [array(code) for code in _COLUMNS]
    buckets, lanes, *fields = columns
    buckets.extend(bucket for bucket, _ in places)
    lanes.extend(lane for _, lane in places)
    ordered = [cells[place] for place in places]
    for name, column in zip(Cell.__struct_fields__, fields, strict=True):
        column.extend([getattr(cell, name) for cell in ordered])
    plain = msgspec.msgpack.encode([column.tobytes() for column in columns])
    return compress(plain)


def reaching(cells: Cells, level: int, start: int, end: int) -> Cells:
    """The cells that begin in start…end, or whose longest span reaches into it."""
    first, last = start // bucket_us(level), end // bucket_us(level)
    return {
        place: cell
        for place, cell in cells.items()
        if place[0] <= last and (place[0] >= first or cell.end >= start)
    }


def unpack(data: bytes, level: int, start: int, end: int) -> Iterator[tuple[tuple[int, int], Cell]]:
    """The cells of packed columns that begin in start…end, or whose longest span reaches into
    it."""
    plain = decompress(data)
    columns = []
    for code, raw in zip(
        _COLUMNS, msgspec.msgpack.decode(plain, type=list[bytes]), strict=True
    ):
        column = array(code)
        column.frombytes(raw)
        columns.append(column)
    first, last = start // bucket_us(level), end // bucket_us(level)
    for bucket, lane, *fields in zip(*columns, strict=True):
        if bucket <= last and (bucket >= first or fields[4] >= start):
            yield (bucket, lane), Cell(*fields)


def bars(cells: Cells, level: int, lanes: list[str]) -> Bars:
    """Columns for the timeline, in order of time and lane. `lanes` by lane number."""
    width = bucket_us(level)
    places = sorted(cells)
    ordered = [cells[place] for place in places]
    starts = [bucket * width for bucket, _ in places]
    return Bars(
        level=level,
        lanes=lanes,
        lane=[lane for _, lane in places],
        start=starts,
        end=[max(cell.end, start) for cell, start in zip(ordered, starts, strict=True)],
        count=[cell.count for cell in ordered],
        severity=[cell.severity for cell in ordered],
        severity_seq=[cell.severity_seq for cell in ordered],
        longest_seq=[cell.longest_seq for cell in ordered],
        family=[cell.family for cell in ordered],
        tokens=[cell.tokens for cell in ordered],
        cost_usd=[cell.cost_usd for cell in ordered],
    )
