"""A run's place in the tables, and the parents whose events it shares."""

from __future__ import annotations

import sqlite3
from typing import NamedTuple

from aworld.errors import NotFound
from aworld.storage.sqlite_schema import row_id


class RunRow(NamedTuple):
    """What reading and writing events need of a run's row."""

    run: int
    run_id: str
    epoch: int
    last_seq: int
    first_at: int
    """UTC microseconds of the first event; a fork has its parent's."""
    parent_run_id: str
    parent_seq: int
    stored_seq: int
    """Index rows, spans and detail are stored up to here; behind it the blocks' facts tell."""
    text_due: int
    hidden: int
    """1: deleted, but forks need its events."""


class Part(NamedTuple):
    """A stretch of a run's events that lies under one run's key."""

    run: int
    first: int
    last: int
    stored: int
    """`RunRow.stored_seq` of the run under whose key it lies."""

    @property
    def first_fresh(self) -> int:
        """The first seq whose index row is not stored yet."""
        return max(self.first, self.stored + 1)

    @property
    def first_id(self) -> int:
        return row_id(self.run, self.first)

    @property
    def last_id(self) -> int:
        return row_id(self.run, self.last)


_COLUMNS = (
    "run, run_id, epoch, last_seq, first_at, parent_run_id, parent_seq, stored_seq,"
    " text_due, hidden"
)


def find_run(connection: sqlite3.Connection, run_id: str, *, hidden: bool = False) -> RunRow:
    """The run's row; `hidden` also finds deleted ones that forks still need. Raises NotFound."""
    row = connection.execute(f"SELECT {_COLUMNS} FROM runs WHERE run_id=?", (run_id,)).fetchone()
    if row is None or (row[-1] and not hidden):
        raise NotFound(f"There is no run {run_id!r}: it was deleted, or lies in another store.")
    return RunRow(*row)


def run_by_key(connection: sqlite3.Connection, run: int) -> RunRow:
    """The row with this key, hidden or not. Raises NotFound."""
    row = connection.execute(f"SELECT {_COLUMNS} FROM runs WHERE run=?", (run,)).fetchone()
    if row is None:
        raise NotFound(f"There is no run with key {run!r}: it was deleted.")
    return RunRow(*row)


def lineage(connection: sqlite3.Connection, row: RunRow) -> list[Part]:
    """Where the run's events lie, the oldest parent's stretch first; empty stretches left out."""
    parts = []
    last = row.last_seq
    while True:
        first = row.parent_seq + 1 if row.parent_run_id else 0
        if first <= last:
            parts.append(Part(row.run, first, last, row.stored_seq))
        if not row.parent_run_id:
            return parts[::-1]
        last = min(last, row.parent_seq)
        row = find_run(connection, row.parent_run_id, hidden=True)
