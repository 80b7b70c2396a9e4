"""Queries and the timeline in MongoDB: from the blocks' rows, and from stored segments of detail.

Each time `SEGMENT_EVENTS` events have come together, their cells of all levels are stored; a
segment counts once the run's `stored_seq` covers it, so a writer that dies on the way leaves
nothing half done.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np
from bson.binary import Binary

from aworld.storage import level_of_detail as detail
from aworld.storage.base import LEVELS, Bars
from aworld.storage.event_facts import Facts, family_index
from aworld.storage.level_of_detail import NO_SEQ, Cells, Opener, Row, bucket_us
from aworld.storage.mongo_collections import Collections, Document
from aworld.storage.mongo_events import MongoEvents, Part, rows_of

SEGMENT_EVENTS: Final = 4096


class Wanted(NamedTuple):
    """What is looked for; empty and 0 do not restrict."""

    kinds: Sequence[str]
    actors: Sequence[str]
    min_severity: int
    from_at: int
    to_at: int
    after: int

    def blocks(self) -> Document:
        """What a block must have to hold such an event."""
        only: Document = {}
        if self.kinds:
            only["kinds"] = {"$in": list(self.kinds)}
        if self.actors:
            only["actors"] = {"$in": list(self.actors)}
        if self.min_severity:
            only["severity"] = {"$gte": self.min_severity}
        if self.from_at:
            only["last_at"] = {"$gte": self.from_at}
        if self.to_at:
            only["first_at"] = {"$lte": self.to_at}
        return only

    def has(self, row: Facts) -> bool:
        """Whether an event is one."""
        return (
            (not self.kinds or row.kind in self.kinds)
            and (not self.actors or row.actor in self.actors)
            and row.severity >= self.min_severity
            and row.at >= self.from_at
            and (not self.to_at or row.at <= self.to_at)
            and row.seq > self.after
        )


class Timeline:
    """One run's index."""

    def __init__(self, collections: Collections, events: MongoEvents, run: Document) -> None:
        self._all = collections
        self._events = events
        self._run = run
        self._zero: int = run["first_at"]
        self._parts = events.lineage(run)
        self._lanes: dict[str, int] = {}
        for part in self._parts:
            holder = run if part.run == run["_id"] else collections.runs.find_one({"_id": part.run})
            for lane in holder["lanes"] if holder else ():
                name = f"{lane['actor']}/{lane['tool']}" if lane["tool"] else lane["actor"]
                self._lanes.setdefault(name, len(self._lanes))

    def find(self, wanted: Wanted, limit: int) -> list[int]:
        """Seqs of the first events that are wanted."""
        found: list[int] = []
        for part in self._parts:
            if part.last <= wanted.after:
                continue
            first = max(part.first, wanted.after + 1)
            for row in self._facts(part, first, wanted.blocks()):
                if wanted.has(row):
                    found.append(row.seq)
                    if len(found) == limit:
                        return found
        return found

    def bars(self, level: int, start: int, end: int, limit: int) -> Bars:
        """What reaches into start…end (end 0: the last event). Where the level has more than
        `limit` entries there, a coarser level is given: nothing is cut away."""
        if not self._parts:
            return detail.bars(np.empty(0, detail.CELL), level, [])
        end = end or self._last_us()
        if level == 0:
            rows = self._window(start, end, limit)
            if rows is not None:
                return self._event_bars(rows, start)
            level = 1
        cells = self._reaching(level, start, end)
        while len(cells) > limit and level < LEVELS:
            level += 1
            cells = self._reaching(level, start, end)
        return detail.bars(cells, level, list(self._lanes))

    def store_segment(self) -> None:
        """Store the cells of the newest events, where enough have come together."""
        stored, last = self._run["stored_seq"], self._run["last_seq"]
        if last - stored < SEGMENT_EVENTS:
            return
        part = self._parts[-1]._replace(first=stored + 1)
        cells = detail.collect(self._rows(part), 1, self._opener)
        for level in range(1, LEVELS + 1):
            self._all.detail.update_one(
                {"run": part.run, "level": level, "first_seq": part.first},
                {"$set": {"last_seq": last, "lanes": list(self._lanes),
                          "cells": Binary(detail.pack(cells))}},
                upsert=True,
            )  # fmt: skip
            cells = detail.coarser(cells)
        same = {"_id": part.run, "epoch": self._run["epoch"], "stored_seq": stored}
        self._all.runs.update_one(same, {"$set": {"stored_seq": last}})

    # rows

    def _facts(self, part: Part, first: int, only: Document | None = None) -> Iterator[Facts]:
        for block in self._events.part_blocks(part, first, {"rows": 1}, only):
            for row in rows_of(block):
                if first <= row.seq <= part.last:
                    yield row

    def _row(self, fact: Facts) -> Row:
        lane = self._lanes.setdefault(fact.lane, len(self._lanes))
        return Row(
            fact.seq, max(fact.at - self._zero, 0), lane, family_index(fact.kind), fact.severity,
            fact.closes, fact.tokens, fact.cost_usd,
        )  # fmt: skip

    def _rows(self, part: Part) -> Iterator[Row]:
        return map(self._row, self._facts(part, part.first))

    def _at(self, seq: int) -> Row | None:
        for part in self._parts:
            if part.first <= seq <= part.last:
                return next(self._rows(part._replace(first=seq)), None)
        return None

    def _opener(self, seq: int) -> Opener | None:
        row = self._at(seq)
        return None if row is None else Opener(row.us, row.lane, row.family)

    def _last_us(self) -> int:
        row = self._at(self._parts[-1].last)
        return 0 if row is None else row.us

    # level 0

    def _window(self, start: int, end: int, limit: int) -> list[Row] | None:
        """The events that begin in start…end; None where they are more than `limit`."""
        rows: list[Row] = []
        inside = Wanted((), (), 0, self._zero + start if start > 0 else 0, self._zero + end, -1)
        for part in self._parts:
            for fact in self._facts(part, part.first, inside.blocks()):
                row = self._row(fact)
                if start <= row.us <= end:
                    rows.append(row)
                    if len(rows) > limit:
                        return None
        return rows

    def _event_bars(self, rows: list[Row], start: int) -> Bars:
        """The window's events, and earlier ones whose spans reach into it, with their ends."""
        last = rows[-1].seq if rows else self._parts[-1].last
        ends: dict[int, int] = {}
        late = {"last_at": {"$gte": self._zero + start}, "least_closes": {"$lte": last}}
        for part in self._parts:
            for fact in self._facts(part, part.first, late):
                us = max(fact.at - self._zero, 0)
                if fact.closes is not None and us >= start:
                    ends[fact.closes] = us
        inside = {row.seq for row in rows}
        early = [self._at(seq) for seq in sorted(ends) if seq <= last and seq not in inside]
        reaching = [row for row in early if row is not None and row.us < start]
        events = [*reaching, *rows]
        return Bars(
            level=0,
            lanes=list(self._lanes),
            lane=[row.lane for row in events],
            start=[row.us for row in events],
            end=[ends.get(row.seq, row.us) for row in events],
            count=[1] * len(events),
            severity=[row.severity for row in events],
            severity_seq=[row.seq if row.severity else NO_SEQ for row in events],
            longest_seq=[row.seq for row in events],
            family=[row.family for row in events],
            tokens=[row.tokens for row in events],
            cost_usd=[row.cost_usd for row in events],
        )

    # coarser levels

    def _reaching(self, level: int, start: int, end: int) -> Cells:
        """The run's cells that reach into start…end, the first bucket whole."""
        width = bucket_us(level)
        found: list[Cells] = []
        for part in self._parts:
            after = part.first
            for segment in self._segments(part, level):
                numbers = [
                    self._lanes.setdefault(name, len(self._lanes)) for name in segment["lanes"]
                ]
                cells = detail.unpack(bytes(segment["cells"]))
                cells["lane"] = np.array(numbers, "<i4")[cells["lane"]]
                found.append(cells)
                after = segment["last_seq"] + 1
            rest = self._rows(part._replace(first=after)) if after <= part.last else ()
            found.append(detail.collect(rest, level, self._opener))
        return detail.reaching(detail.merged(found), level, max(start, 0) // width * width, end)

    def _segments(self, part: Part, level: int) -> Iterator[Document]:
        holder = self._all.runs.find_one({"_id": part.run}, {"stored_seq": 1})
        last = min(part.last, holder["stored_seq"] if holder else -1)
        stored = self._all.detail.find({"run": part.run, "level": level}).sort("first_seq", 1)
        return (segment for segment in stored if segment["last_seq"] <= last)
