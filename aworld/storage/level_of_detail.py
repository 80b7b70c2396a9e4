"""The level-of-detail table's arithmetic: events to cells, cells to coarser cells, cells to bytes.

A cell is what is known of one (bucket, lane). Cells are sums and maxima, so they merge in any
order: a closing event adds to its opener's cell from wherever it stands. Times are microseconds
since the run's first event. numpy, because an append may spend a few microseconds an event on
twelve levels; load this module only where cells are wanted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from aworld.storage.base import LEVEL_0_US, Bars
from aworld.storage.blocks import compress, decompress

NO_SEQ: Final = -1
END_OF_TIME: Final = 1 << 62

CELL: Final = np.dtype([
    ("bucket", "<i8"),
    ("lane", "<i4"),
    ("count", "<i8"),
    ("severity", "<u1"),
    ("severity_seq", "<i8"),  # First event of the worst severity; NO_SEQ where all is well.
    ("duration", "<i8"),  # Of the longest span, the first of equal ones; so the next three.
    ("end", "<i8"),
    ("longest_seq", "<i8"),
    ("family", "<u1"),
    ("tokens", "<i8"),
    ("cost_usd", "<f8"),
])  # fmt: skip

Cells = npt.NDArray[np.void]
"""`(n,)` of CELL: the cells of one level, in order of bucket and lane, each pair once."""


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


class Columns(NamedTuple):
    """Successive events without a gap, by field; the fields are those of Row."""

    seq: Sequence[int]
    us: Sequence[int]
    lane: Sequence[int]
    family: Sequence[int]
    severity: Sequence[int]
    closes: Sequence[int | None]
    tokens: Sequence[int]
    cost_usd: Sequence[float]


class Opener(NamedTuple):
    """The event that opened a span, wherever it is stored."""

    us: int
    lane: int
    family: int


def bucket_us(level: int) -> int:
    """A bucket's width."""
    return LEVEL_0_US << (2 * level)


def collect(rows: Iterable[Row], level: int, opener: Callable[[int], Opener | None]) -> Cells:
    """The cells of some events without a gap; `opener` finds those before the first of them."""
    listed = list(rows)
    if not listed:
        return np.empty(0, CELL)
    return collect_columns(Columns(*zip(*listed, strict=True)), level, opener)


def collect_columns(rows: Columns, level: int, opener: Callable[[int], Opener | None]) -> Cells:
    """The same of one event or more, given by field."""
    width = bucket_us(level)
    events = np.empty(len(rows.us), CELL)
    events["bucket"] = np.array(rows.us, "<i8") // width
    events["lane"], events["count"], events["severity"] = rows.lane, 1, rows.severity
    events["severity_seq"] = np.where(events["severity"] > 0, rows.seq, NO_SEQ)
    events["duration"], events["end"], events["longest_seq"] = 0, rows.us, rows.seq
    events["family"], events["tokens"], events["cost_usd"] = rows.family, rows.tokens, rows.cost_usd
    closed = [(seq, us) for seq, us in zip(rows.closes, rows.us, strict=True) if seq is not None]
    return merged([events, _span_cells(rows, closed, width, opener)])


def _span_cells(
    rows: Columns,
    closed: Sequence[tuple[int, int]],
    width: int,
    opener: Callable[[int], Opener | None],
) -> Cells:
    """A cell for each span that ends, `(opener's seq, end)`, where it began."""
    first = rows.seq[0]
    spans = []
    for seq, end in closed:
        at = seq - first
        opened = (rows.us[at], rows.lane[at], rows.family[at]) if at >= 0 else opener(seq)
        if opened is not None:
            spans.append((*opened, end, seq))
    cells = np.zeros(len(spans), CELL)
    if spans:
        # By column: an array of CELL made of tuples takes four times as long.
        start, lane, family, end_us, seqs = np.array(spans, "<i8").T
        cells["bucket"], cells["lane"], cells["family"] = start // width, lane, family
        cells["duration"], cells["end"], cells["longest_seq"] = end_us - start, end_us, seqs
        cells["severity_seq"] = NO_SEQ
    return cells


def _joined(parts: Sequence[Cells]) -> Cells:
    # As numpy.concatenate, which takes 0.1 ms to find that all parts have the same fields.
    cells = np.empty(sum(map(len, parts)), CELL)
    at = 0
    for part in parts:
        cells[at : at + len(part)] = part
        at += len(part)
    return cells


def merged(parts: Sequence[Cells]) -> Cells:
    """Cells of the same level as one, those of the same bucket and lane merged."""
    cells = parts[0] if len(parts) == 1 else _joined(parts)
    if not len(cells):
        return cells
    key = cells["bucket"] << 20 | cells["lane"]
    order = np.argsort(key, kind="stable")
    cells, key = cells[order], key[order]
    is_first = np.empty(len(key), bool)
    is_first[0] = True
    np.not_equal(key[1:], key[:-1], out=is_first[1:])
    starts = np.flatnonzero(is_first)
    if len(starts) == len(cells):
        return cells
    group = np.cumsum(is_first) - 1
    result = cells[starts]
    for name in ("count", "tokens", "cost_usd"):
        result[name] = np.add.reduceat(cells[name], starts)
    for columns, chosen in (
        (("severity", "severity_seq"), _first_of_most(cells, "severity", "severity_seq", starts,
                                                      group)),
        (("duration", "end", "longest_seq", "family"),
         _first_of_most(cells, "duration", "longest_seq", starts, group)),
    ):  # fmt: skip
        for name in columns:
            result[name] = cells[name][chosen]
    return result


def _first_of_most(
    cells: Cells, most: str, first: str, starts: npt.NDArray[Any], group: npt.NDArray[Any]
) -> npt.NDArray[Any]:
    """Of each group, the position of the cell with the largest `most`, of these the least
    `first`."""
    largest = cells[most] == np.maximum.reduceat(cells[most], starts)[group]
    seqs = np.where(largest, cells[first], END_OF_TIME)
    is_it = seqs == np.minimum.reduceat(seqs, starts)[group]
    chosen = np.empty(len(starts), np.intp)
    positions = np.flatnonzero(is_it)
    chosen[group[positions]] = positions
    return chosen


def coarser(cells: Cells) -> Cells:
    """The next level: four buckets become one."""
    wider = cells.copy()
    wider["bucket"] >>= 2
    return merged([wider])


def reaching(cells: Cells, level: int, start: int, end: int) -> Cells:
    """The cells that begin in start…end, or whose longest span reaches into it."""
    first, last = start // bucket_us(level), end // bucket_us(level)
    buckets = cells["bucket"]
    return cells[(buckets <= last) & ((buckets >= first) | (cells["end"] >= start))]


def pack(cells: Cells) -> bytes:
    """Cells as compressed columns."""
    return compress(b"".join(cells[name].tobytes() for name in CELL.names or ()))


def unpack(data: bytes) -> Cells:
    """The cells in packed columns."""
    plain = decompress(data)
    cells = np.empty(len(plain) // CELL.itemsize, CELL)
    offset = 0
    for name in CELL.names or ():
        column = np.frombuffer(plain, CELL[name], len(cells), offset)
        cells[name] = column
        offset += column.nbytes
    return cells


def bars(cells: Cells, level: int, lanes: list[str]) -> Bars:
    """Columns for the timeline, in order of time and lane. `lanes` by lane number."""
    starts = cells["bucket"] * bucket_us(level)
    return Bars(
        level=level,
        lanes=lanes,
        lane=cells["lane"].tolist(),
        start=starts.tolist(),
        end=np.maximum(cells["end"], starts).tolist(),
        count=cells["count"].tolist(),
        severity=cells["severity"].tolist(),
        severity_seq=cells["severity_seq"].tolist(),
        longest_seq=cells["longest_seq"].tolist(),
        family=cells["family"].tolist(),
        tokens=cells["tokens"].tolist(),
        cost_usd=cells["cost_usd"].tolist(),
    )
