"""Connections to one SQLite file: a pool, the write transaction, and errors in our own words.

Connections are handed out, not bound to threads, so a process has as many as it uses at once.
One writer at a time: threads of this process queue at a lock (SQLite's own waiting polls), other
processes at the file's.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from aworld.errors import StoreError
from aworld.storage.sqlite_schema import PAGE_SIZE, prepare

BUSY_TIMEOUT_S = 30.0
"""How long a write waits for another process's transaction."""

Synchronous = Literal["NORMAL", "FULL"]


class Connections:
    """The pool. `synchronous`: NORMAL survives the death of the process, FULL also of the power."""

    def __init__(self, path: Path, synchronous: Synchronous) -> None:
        self._path = path
        self._synchronous = synchronous
        self._idle: list[sqlite3.Connection] = []
        self._write_lock = threading.Lock()
        self._version_lock = threading.Lock()
        self._pid = os.getpid()
        self._inherited: list[sqlite3.Connection] = []
        self._closed = False
        with self._translated():
            first = self._open()
            prepare(first, path)
            self._idle.append(first)
            self._watcher = self._open()

    def version(self) -> int:
        """A number that changes with every commit of any other connection, here or elsewhere.

        `data_version` is counted per connection and leaves out its own writes, so one connection
        that never writes answers for the whole process.
        """
        self._leave_parents_connections()
        with self._version_lock, self._translated():
            return int(self._watcher.execute("PRAGMA data_version").fetchone()[0])

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A connection within one snapshot of the file."""
        connection = self._take()
        try:
            with self._translated():
                connection.execute("BEGIN")
                try:
                    yield connection
                finally:
                    connection.execute("ROLLBACK")
        finally:
            self._give_back(connection)

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A connection inside a write transaction: committed at the end, undone on an error."""
        connection = self._take()
        try:
            with self._write_lock, self._translated():
                connection.execute("BEGIN IMMEDIATE")
                try:
                    yield connection
                    connection.execute("COMMIT")
                except BaseException:
                    if connection.in_transaction:
                        connection.execute("ROLLBACK")
                    raise
        finally:
            self._give_back(connection)

    def give_space_back(self) -> None:
        """Shorten the file by its free pages, in steps that let other writers through."""
        connection = self._take()
        try:
            with self._translated():
                free = 1
                while free > 0:
                    with self._write_lock:
                        connection.execute("PRAGMA incremental_vacuum(2000)").fetchall()
                    left = int(connection.execute("PRAGMA freelist_count").fetchone()[0])
                    free = left if left != free else 0
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        finally:
            self._give_back(connection)

    def close(self) -> None:
        """Close what is idle; connections in use are closed when they come back."""
        self._closed = True
        self._leave_parents_connections()
        while self._idle:
            self._idle.pop().close()
        with self._version_lock:
            self._watcher.close()

    def _take(self) -> sqlite3.Connection:
        if self._closed:
            raise StoreError(f"The store {str(self._path)!r} is closed: open it again.")
        self._leave_parents_connections()
        try:
            return self._idle.pop()
        except IndexError:
            with self._translated():
                return self._open()

    def _give_back(self, connection: sqlite3.Connection) -> None:
        if self._closed:
            connection.close()
        else:
            self._idle.append(connection)

    def _leave_parents_connections(self) -> None:
        """After a fork of the process: SQLite forbids the use of the parent's connections, and
        closing them would drop the parent's locks. So they are kept, unused."""
        if os.getpid() == self._pid:
            return
        self._inherited += [*self._idle, self._watcher]
        self._idle = []
        self._write_lock = threading.Lock()
        self._version_lock = threading.Lock()
        self._watcher = self._open()
        self._pid = os.getpid()

    def _open(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self._path, timeout=BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False
        )
        connection.execute(f"PRAGMA page_size={PAGE_SIZE}")
        connection.execute("PRAGMA auto_vacuum=INCREMENTAL")
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute(f"PRAGMA synchronous={self._synchronous}")
        connection.execute("PRAGMA cache_size=-16384")
        connection.execute("PRAGMA journal_size_limit=67108864")
        connection.create_function("contains", 2, _contains, deterministic=True)
        return connection

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise StoreError(_explain(error, self._path)) from error


def _explain(error: sqlite3.Error, path: Path) -> str:
    """What happened, to which file, and what to do."""
    said = str(error)
    if "full" in said:
        cure = "free some space on its disk"
    elif "locked" in said or "busy" in said:
        cure = "another process has been writing for too long; see which one and try again"
    elif "readonly" in said or "unable to open" in said:
        cure = "check that this user may write the file and its folder"
    elif "not a database" in said or "malformed" in said:
        cure = "the file is damaged or no store: move it away or restore a copy"
    else:
        cure = "see the cause above"
    return f"The store {str(path)!r} cannot be used: {said}; {cure}."


def _contains(text: str, part: str) -> bool:
    """SQLite's own LIKE ignores case in ASCII only."""
    return part.lower() in text.lower()
