"""Removing a run: at once where nothing hangs on it, else all but what its forks share."""

from __future__ import annotations

import sqlite3
from typing import Final

from aworld.errors import StoreError
from aworld.storage.sqlite_lineage import find_run
from aworld.storage.sqlite_schema import row_id
from aworld.storage.sqlite_text import TextIndex

NOTHING: Final = -1


def delete_run(connection: sqlite3.Connection, text: TextIndex, run_id: str, now: int) -> None:
    """Delete a run in this transaction; parents that were kept for it alone go too.

    Raises:
        NotFound: there is no such run.
        StoreError: a worker holds its lease.
    """
    row = find_run(connection, run_id)
    worker, until = connection.execute(
        "SELECT worker, lease_until FROM runs WHERE run=?", (row.run,)
    ).fetchone()
    if until > now:
        raise StoreError(
            f"Run {run_id!r} is held by worker {worker!r}: cancel it, or wait until its lease "
            "ends, then delete it."
        )
    connection.execute("UPDATE runs SET hidden=1 WHERE run=?", (row.run,))
    connection.execute("DELETE FROM commands WHERE id BETWEEN ? AND ?", _whole(row.run))
    connection.execute("DELETE FROM labels WHERE run=?", (row.run,))
    while True:
        needed = _needed_by_forks(connection, row.run_id)
        _trim(connection, text, row.run, needed)
        if needed != NOTHING:
            return
        for table in ("lanes", "run_inputs"):
            connection.execute(f"DELETE FROM {table} WHERE run=?", (row.run,))
        connection.execute("DELETE FROM runs WHERE run=?", (row.run,))
        if not row.parent_run_id:
            return
        row = find_run(connection, row.parent_run_id, hidden=True)
        if not row.hidden:
            return


def _needed_by_forks(connection: sqlite3.Connection, run_id: str) -> int:
    """The last seq that a fork shares, one kept for its own forks counted; NOTHING without."""
    found = connection.execute(
        "SELECT MAX(parent_seq) FROM runs WHERE parent_run_id=?", (run_id,)
    ).fetchone()[0]
    return NOTHING if found is None else int(found)


def _trim(connection: sqlite3.Connection, text: TextIndex, run: int, keep: int) -> None:
    """Remove all of a run's events after `keep`, with what was made of them.

    A block or a segment of detail that straddles `keep` stays whole: readers stop at the run's
    last seq, which becomes `keep`.
    """
    text.forget(connection, run, keep)
    after, end = row_id(run, keep + 1), row_id(run + 1, 0) - 1
    connection.execute("DELETE FROM blocks WHERE id BETWEEN ? AND ?", (after, end))
    connection.execute("DELETE FROM event_rows WHERE id BETWEEN ? AND ?", (after, end))
    connection.execute("DELETE FROM spans WHERE id BETWEEN ? AND ? AND closer > ?",
                       (*_whole(run), keep))  # fmt: skip
    connection.execute("DELETE FROM segments WHERE id BETWEEN ? AND ?", (after, end))
    connection.execute("DELETE FROM detail WHERE run=? AND first_seq > ?", (run, keep))
    connection.execute("DELETE FROM blob_names WHERE run=? AND seq > ?", (run, keep))
    connection.execute("UPDATE runs SET last_seq=MIN(last_seq, ?) WHERE run=?", (keep, run))
    connection.execute("DELETE FROM snapshots WHERE id BETWEEN ? AND ?", (after, end))


def _whole(run: int) -> tuple[int, int]:
    """The first and the last key of a run's rows."""
    return row_id(run, 0), row_id(run + 1, 0) - 1
