"""What the timeline draws: events and cells of a window, from index rows and stored detail."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import NamedTuple

from aworld.storage import level_of_detail as detail
from aworld.storage.base import LEVELS, Bars
from aworld.storage.level_of_detail import NO_SEQ, Cells, Opener, Row, bucket_us
from aworld.storage.sqlite_events import first_seq_at
from aworld.storage.sqlite_lineage import Part, RunRow, lineage
from aworld.storage.sqlite_schema import row_id
from aworld.storage.sqlite_spans import kinds, open_at, part_of, rows


class _Entry(NamedTuple):
    """One event at level 0."""

    us: int
    seq: int
    end: int
    row: Row


class Timeline:
    """One run's timeline within one transaction."""

    def __init__(self, connection: sqlite3.Connection, row: RunRow) -> None:
        self._connection = connection
        self._parts = lineage(connection, row)
        self._kinds = kinds(connection)
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
        if not self._parts:
            return 0
        return int(
            self._connection.execute(
                "SELECT us FROM event_rows WHERE id=?", (self._parts[-1].last_id,)
            ).fetchone()[0]
        )

    def _within(self, part: Part, start: int, end: int) -> Part:
        """The events of a stretch that begin in the window."""
        first = first_seq_at(self._connection, part, start) if start > 0 else part.first
        return Part(part.run, first, first_seq_at(self._connection, part, end + 1) - 1)

    # Level 0

    def _events(self, stretches: list[Part]) -> Bars:
        entries: list[_Entry] = []
        before = self._parts[-1].last + 1 if self._parts else 0
        for part, stretch in zip(self._parts, stretches, strict=True):
            if stretch.first <= part.last:  # The first event that begins in or behind the window.
                before = stretch.first
                break
        openers = open_at(self._connection, self._parts, self._kinds, before - 1)
        for seq in sorted(openers):
            holder = part_of(self._parts, seq)
            if holder is not None:
                alone = self._entries(Part(holder.run, seq, seq))
                entries += [entry for entry in alone if entry.end > entry.us]
        for stretch in stretches:
            entries += self._entries(stretch)
        return self._event_bars(entries)

    def _entries(self, part: Part) -> Iterator[_Entry]:
        """A stretch's events with the ends of their spans, as far as this run knows them."""
        ends: dict[int, int] = {}
        for holder in self._parts:  # A later stretch may close what an earlier one opened.
            base = row_id(holder.run, 0)
            ends.update(
                (id - base, end)
                for id, end in self._connection.execute(
                    "SELECT id, end_us FROM spans WHERE id BETWEEN ? AND ? AND closer <= ?",
                    (base + part.first, base + part.last, holder.last),
                )
            )
        for row in rows(self._connection, part, self._kinds, self._lanes):
            yield _Entry(row.us, row.seq, ends.get(row.seq, row.us), row)

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
        early = {place for place in cells if place[0] < first}
        for bucket in {bucket for bucket, _ in early}:
            whole = self._merged(level, bucket * width, (bucket + 1) * width - 1)
            cells.update((place, cell) for place, cell in whole.items() if place in early)
        return cells

    def _merged(self, level: int, start: int, end: int) -> Cells:
        """The cells that reach into start…end, from segments and from the rows behind them."""
        cells: Cells = {}
        for part in self._parts:
            summarised = self._connection.execute(
                "SELECT MAX(last_seq) FROM detail WHERE run=? AND level=? AND last_seq<=?",
                (part.run, level, part.last),
            ).fetchone()[0]
            if summarised is not None:
                self._add_segments(cells, part, level, start, end)
            rest = Part(part.run, part.first if summarised is None else summarised + 1, part.last)
            recent = detail.collect(
                rows(self._connection, rest, self._kinds, self._lanes), level, self._opener
            )
            detail.merge(cells, detail.reaching(recent, level, start, end))
        return cells

    def _add_segments(self, cells: Cells, part: Part, level: int, start: int, end: int) -> None:
        run = part.run
        for (data,) in self._connection.execute(
            "SELECT cells FROM detail WHERE run=? AND level=? AND last_seq<=?"
            " AND first_us<=? AND last_us>=? ORDER BY first_seq",
            (run, level, part.last, end, start),
        ):
            for (bucket, lane), cell in detail.unpack(data, level, start, end):
                place = bucket, self._lanes[run, lane]
                there = cells.get(place)
                if there is None:
                    cells[place] = cell
                else:
                    there.add(cell)

    def _opener(self, seq: int) -> Opener | None:
        part = part_of(self._parts, seq)
        if part is None:
            return None
        row = next(rows(self._connection, Part(part.run, seq, seq), self._kinds, self._lanes))
        return Opener(row.us, row.lane, row.family)
