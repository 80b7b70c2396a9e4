"""The index of a run's events: stored rows, and behind them the facts packed in its blocks.

A live run appends a few events at a time. Writing their index rows one by one would touch five
pages of the file for each append; so an append only packs the rows beside its block, and the
tables get them for some hundred events at once. Readers see no difference: this is the one place
that knows of the two.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from aworld.events.traits import OPENERS
from aworld.storage.sqlite_lineage import Part, RunRow, lineage
from aworld.storage.sqlite_names import read_kinds
from aworld.storage.sqlite_schema import row_id

SEGMENT_EVENTS: Final = 1024
"""So many events come together before their rows are stored."""


class IndexRow(NamedTuple):
    """One event. Kind and lane by number; the lane's number holds in the run that stores it."""

    seq: int
    us: int
    kind: int
    lane: int
    severity: int
    closes: int | None
    tokens: int
    cost_usd: float


class Search(NamedTuple):
    """Which events; what is empty or 0 does not restrict."""

    kinds: Sequence[str]
    actors: Sequence[str]
    min_severity: int
    from_at: int
    to_at: int
    after: int


PackedFacts = list[tuple[int, int, int, int, int | None, int, float]]
"""A block's `facts`: the index rows of its events, without their seqs."""


class EventIndex:
    """One run's index, parents' stretches included, within one transaction."""

    def __init__(self, connection: sqlite3.Connection, row: RunRow) -> None:
        self._connection = connection
        self._row = row
        self._fresh: dict[int, list[IndexRow]] = {}
        self.parts = lineage(connection, row)
        self.kinds = read_kinds(connection)

    def part_of(self, seq: int) -> Part | None:
        """The stretch that holds a seq."""
        return next((part for part in self.parts if part.first <= seq <= part.last), None)

    def rows(self, part: Part, first: int, last: int) -> Iterator[IndexRow]:
        """The rows of a stretch from one seq to another, in order."""
        first, last = max(first, part.first), min(last, part.last)
        base = row_id(part.run, 0)
        if first <= part.stored:
            for id, us, kind, lane, severity, closes, tokens, cost in self._connection.execute(
                "SELECT * FROM event_rows WHERE id BETWEEN ? AND ? ORDER BY id",
                (base + first, base + min(last, part.stored)),
            ):
                yield IndexRow(
                    id - base, us, kind, lane, severity, closes, tokens or 0, cost or 0.0
                )
        if last > part.stored:
            for row in self.fresh(part):
                if first <= row.seq <= last:
                    yield row

    def row(self, seq: int) -> tuple[Part, IndexRow] | None:
        """One event's row, and the stretch where it lies."""
        part = self.part_of(seq)
        return None if part is None else (part, next(self.rows(part, seq, seq)))

    def fresh(self, part: Part) -> list[IndexRow]:
        """The stretch's rows that are not stored yet."""
        known = self._fresh.get(part.run)
        if known is None:
            facts = self.fresh_facts(part)
            known = [IndexRow(seq, *values) for seq, values in enumerate(facts, part.first_fresh)]
            self._fresh[part.run] = known
        return known

    def fresh_facts(self, part: Part) -> PackedFacts:
        """The same as they are packed; the first is that of `part.first_fresh`."""
        facts: PackedFacts = []
        for (data,) in self._connection.execute(
            "SELECT facts FROM blocks WHERE id BETWEEN ? AND ? ORDER BY id",
            (row_id(part.run, part.first_fresh), part.last_id),
        ):
            facts += msgspec.msgpack.decode(data, type=PackedFacts)
        return facts[: part.last + 1 - part.first_fresh]

    def first_seq_at(self, part: Part, us: int) -> int:
        """The stretch's first seq at or after a time; one past its last where there is none.
        Times never fall within a run, so halving finds it."""
        low, high = part.first, part.last + 1
        while low < high:
            middle = (low + high) // 2
            if next(self.rows(part, middle, middle)).us < us:
                low = middle + 1
            else:
                high = middle
        return low

    def span_ends(self, part: Part, first: int, last: int) -> dict[int, int]:
        """When the spans opened from one seq to another ended, as far as this run knows. A later
        stretch may close what an earlier one opened."""
        ends: dict[int, int] = {}
        for holder in self.parts:
            if holder.last < first:
                continue
            base = row_id(holder.run, 0)
            ends.update(
                (id - base, end)
                for id, end in self._connection.execute(
                    "SELECT id, end_us FROM spans WHERE id BETWEEN ? AND ? AND closer <= ?",
                    (base + max(first, part.first), base + min(last, part.last), holder.last),
                )
            )
            for row in self.fresh(holder):
                if row.closes is not None and first <= row.closes <= last:
                    ends[row.closes] = row.us
        return ends

    def open_at(self, seq: int) -> set[int]:
        """The openers, up to and including `seq`, of spans that no event up to `seq` closes."""
        openers = {number for kind, number in self.kinds.items() if kind in OPENERS}
        opened: set[int] = set()
        after = -1
        for part in reversed(self.parts):
            kept = self._connection.execute(
                "SELECT last_seq, open_spans FROM segments WHERE id BETWEEN ? AND ?"
                " AND last_seq <= ? ORDER BY id DESC LIMIT 1",
                (row_id(part.run, 0), row_id(part.run, max(seq, 0)), min(part.last, seq)),
            ).fetchone()
            if kept is not None:
                after, opened = kept[0], set(msgspec.msgpack.decode(kept[1], type=list[int]))
                break
        for part in self.parts:
            for row in self.rows(part, after + 1, seq):
                if row.closes is not None:
                    opened.discard(row.closes)
                elif row.kind in openers:
                    opened.add(row.seq)
        return opened

    def find(self, wanted: Search, limit: int) -> list[int]:
        """The seqs of the first events that fit, in order."""
        kinds = {self.kinds[kind] for kind in wanted.kinds if kind in self.kinds}
        if wanted.kinds and not kinds:
            return []
        seqs: list[int] = []
        for part in self.parts:
            first, last = max(part.first, wanted.after + 1), part.last
            if wanted.from_at:
                first = max(first, self.first_seq_at(part, wanted.from_at - self._row.first_at))
            if wanted.to_at:
                last = self.first_seq_at(part, wanted.to_at - self._row.first_at + 1) - 1
            if first <= last and len(seqs) < limit:
                lanes = self._lanes_of(part, wanted.actors)
                narrow = part._replace(first=first, last=last)
                seqs += self._find_stored(narrow, kinds, lanes, wanted, limit - len(seqs))
                seqs += [
                    row.seq
                    for row in self.fresh(part)
                    if first <= row.seq <= last
                    and (not kinds or row.kind in kinds)
                    and (not wanted.actors or row.lane in lanes)
                    and row.severity >= wanted.min_severity
                ]
        return seqs[:limit]

    def _lanes_of(self, part: Part, actors: Sequence[str]) -> set[int]:
        if not actors:
            return set()
        return {
            lane
            for (lane,) in self._connection.execute(
                f"SELECT lane FROM lanes WHERE run=? AND actor IN ({_marks(actors)})",
                (part.run, *actors),
            )
        }

    def _find_stored(
        self, part: Part, kinds: set[int], lanes: set[int], wanted: Search, limit: int
    ) -> list[int]:
        """Of the stretch's stored rows those that fit, `limit` at most."""
        if wanted.actors and not lanes:
            return []
        source, terms, values = "event_rows", ["id BETWEEN ? AND ?"], list[int]()
        if wanted.min_severity > 0:
            source += " INDEXED BY event_rows_wrong"
            terms.append("severity > 0 AND severity >= ?")
            values.append(wanted.min_severity)
        for column, numbers in (("kind", kinds), ("lane", lanes)):
            if numbers:
                terms.append(f"{column} IN ({_marks(sorted(numbers))})")
                values += sorted(numbers)
        query = f"SELECT id FROM {source} WHERE {' AND '.join(terms)} ORDER BY id LIMIT ?"
        base = row_id(part.run, 0)
        found: list[int] = []
        for first, last in self._ranges(part, kinds if not wanted.min_severity else set()):
            if len(found) >= limit:
                break
            rows = self._connection.execute(query, (first, last, *values, limit - len(found)))
            found += [id - base for (id,) in rows]
        return found

    def _ranges(self, part: Part, kinds: set[int]) -> Iterator[tuple[int, int]]:
        """The ids to look through: all that are stored, or the segments that have the kinds. Most
        have none of a rare one: their bits tell, without a look at the rows."""
        base = row_id(part.run, 0)
        first_id, last_id = part.first_id, base + min(part.last, part.stored)
        if not kinds:
            yield first_id, last_id
            return
        for id, last in self._connection.execute(
            "SELECT id, last_seq FROM segments WHERE id BETWEEN ? AND ? AND kinds & ? <> 0",
            (base, last_id, kinds_mask(kinds)),
        ):
            if base + last >= first_id:
                yield max(id, first_id), min(base + last, last_id)


def kinds_mask(kinds: set[int]) -> int:
    """The bits of these kinds; two kinds may share one."""
    mask = 0
    for kind in kinds:
        mask |= 1 << (kind % 62)
    return mask


def _marks(values: Sequence[Any]) -> str:
    return ", ".join("?" * len(values))
