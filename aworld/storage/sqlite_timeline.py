"""What the timeline draws: events and cells of a window, from index rows and stored detail."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from aworld.storage import level_of_detail as detail
from aworld.storage.base import LEVELS, Bars
from aworld.storage.event_facts import family_index
from aworld.storage.level_of_detail import NO_SEQ, Cells, Opener, Row, bucket_us
from aworld.storage.sqlite_index import EventIndex
from aworld.storage.sqlite_lineage import Part, RunRow


class _Entry(NamedTuple):
    """One event at level 0, and the end of the span that it opened, or its own time."""

    row: Row
    end: int


class Timeline:
    """One run's timeline within one transaction."""

    def __init__(self, connection: sqlite3.Connection, row: RunRow) -> None:
        self._connection = connection
        self._index = EventIndex(connection, row)
        self._parts = self._index.parts
        self._families = {number: family_index(kind) for kind, number in self._index.kinds.items()}
        self._lane_names: list[str] = []
        self._lanes: dict[tuple[int, int], int] = {}
        self._read_lanes()

    def bars(self, level: int, start: int, end: int, limit: int) -> Bars:
        """What reaches into start…end (end 0: the last event). Where the level has more than
        `limit` entries there, a coarser level is given: nothing is cut away."""
        end = end or self._last_us()
        if level == 0:
            stretches = [self._within(part, start, end) for part in self._parts]
            if sum(max(part.last - part.first + 1, 0) for part in stretches) <= limit:
                return self._events(stretches)
            level = 1
        cells = self._cells(level, start, end)
        while len(cells) > limit and level < LEVELS:
            level += 1
            cells = self._cells(level, start, end)
        return detail.bars(cells, level, self._lane_names)

    def _read_lanes(self) -> None:
        """Lanes of all stretches, numbered by first appearance; parents' come first."""
        numbers: dict[str, int] = {}
        for part in self._parts:
            for lane, name in self._connection.execute(
                "SELECT lane, name FROM lanes WHERE run=? ORDER BY lane", (part.run,)
            ):
                self._lanes[part.run, lane] = numbers.setdefault(name, len(numbers))
        self._lane_names = list(numbers)

    def _last_us(self) -> int:
        found = self._index.row(self._parts[-1].last) if self._parts else None
        return 0 if found is None else found[1].us

    def _within(self, part: Part, start: int, end: int) -> Part:
        """The events of a stretch that begin in the window."""
        first = self._index.first_seq_at(part, start) if start > 0 else part.first
        return part._replace(first=first, last=self._index.first_seq_at(part, end + 1) - 1)

    def _rows(self, part: Part, first: int, last: int) -> Iterator[Row]:
        """A stretch's events, with lanes numbered as the result has them."""
        for seq, us, kind, lane, severity, closes, tokens, cost in self._index.rows(
            part, first, last
        ):
            number = self._lanes[part.run, lane]
            yield Row(seq, us, number, self._families[kind], severity, closes, tokens, cost)

    # Level 0

    def _events(self, stretches: list[Part]) -> Bars:
        entries: list[_Entry] = []
        before = self._parts[-1].last + 1 if self._parts else 0
        for part, stretch in zip(self._parts, stretches, strict=True):
            if stretch.first <= part.last:  # The first event that begins in or behind the window.
                before = stretch.first
                break
        for seq in sorted(self._index.open_at(before - 1)):
            holder = self._index.part_of(seq)
            if holder is not None:
                alone = self._entries(holder, seq, seq)
                entries += [entry for entry in alone if entry.end > entry.row.us]
        for part, stretch in zip(self._parts, stretches, strict=True):
            entries += self._entries(part, stretch.first, stretch.last)
        return self._event_bars(entries)

    def _entries(self, part: Part, first: int, last: int) -> Iterator[_Entry]:
        """A stretch's events with the ends of their spans."""
        ends = self._index.span_ends(part, first, last)
        for row in self._rows(part, first, last):
            yield _Entry(row, ends.get(row.seq, row.us))

    def _event_bars(self, entries: list[_Entry]) -> Bars:
        events = [entry.row for entry in entries]
        return Bars(
            level=0,
            lanes=self._lane_names,
            lane=[row.lane for row in events],
            start=[row.us for row in events],
            end=[entry.end for entry in entries],
            count=[1] * len(events),
            severity=[row.severity for row in events],
            severity_seq=[row.seq if row.severity else NO_SEQ for row in events],
            longest_seq=[row.seq for row in events],
            family=[row.family for row in events],
            tokens=[row.tokens for row in events],
            cost_usd=[row.cost_usd for row in events],
        )

    # Coarser levels

    def _cells(self, level: int, start: int, end: int) -> Cells:
        width = bucket_us(level)
        first = max(start, 0) // width
        cells = self._merged(level, first * width, end)
        # Of a bucket before the window only what reaches into it was read: read it whole.
        is_early = cells["bucket"] < first
        early, parts = cells[is_early], [cells[~is_early]]
        for bucket in np.unique(early["bucket"]).tolist():
            whole = self._merged(level, bucket * width, (bucket + 1) * width - 1)
            lanes = early["lane"][early["bucket"] == bucket]
            parts.append(whole[(whole["bucket"] == bucket) & np.isin(whole["lane"], lanes)])
        return detail.merged(parts)

    def _merged(self, level: int, start: int, end: int) -> Cells:
        """The cells that reach into start…end, from segments and from the rows behind them."""
        found: list[Cells] = []
        for part in self._parts:
            stored = self._connection.execute(
                "SELECT MAX(last_seq) FROM detail WHERE run=? AND level=? AND last_seq<=?",
                (part.run, level, part.last),
            ).fetchone()[0]
            if stored is not None:
                found += self._segments(part, level, start, end)
            rest = part.first if stored is None else stored + 1
            recent = detail.collect(self._rows(part, rest, part.last), level, self._opener)
            found.append(detail.reaching(recent, level, start, end))
        return detail.merged(found)

    def _segments(self, part: Part, level: int, start: int, end: int) -> Iterator[Cells]:
        run = part.run
        mine = [lane for holder, lane in self._lanes if holder == run]
        numbers = np.zeros(max(mine, default=0) + 1, "<i4")
        for lane in mine:
            numbers[lane] = self._lanes[run, lane]
        for (data,) in self._connection.execute(
            "SELECT cells FROM detail WHERE run=? AND level=? AND last_seq<=?"
            " AND first_us<=? AND last_us>=? ORDER BY first_seq",
            (run, level, part.last, end, start),
        ):
            cells = detail.reaching(detail.unpack(data), level, start, end)
            cells["lane"] = numbers[cells["lane"]]
            yield cells

    def _opener(self, seq: int) -> Opener | None:
        part = self._index.part_of(seq)
        if part is None:
            return None
        row = next(self._rows(part, seq, seq))
        return Opener(row.us, row.lane, row.family)
