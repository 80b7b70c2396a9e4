"""The tables of the SQLite store, and their version."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Final

from aworld.errors import StoreError

SCHEMA_VERSION: Final = 3
PAGE_SIZE: Final = 8192
"""Bytes. Packed blocks are tens of kilobytes: larger pages chain fewer of them."""

SEQ_BITS: Final = 32
"""A row of one event is keyed `run << 32 | seq`: one integer key, appended in order."""

_TABLES: Final = (
    # What an append updates is kept in one small row of `runs`, apart from the large and
    # immutable rest. Internal columns beside those of RunRecord: `first_at` (time of the first
    # event), `stored_seq` (index rows, spans and detail are stored up to here), `text_due`
    # (events wait for the text index), `hidden` (deleted, but forks need its events).
    """
    CREATE TABLE runs (
        run INTEGER PRIMARY KEY AUTOINCREMENT,
        run_id TEXT NOT NULL UNIQUE, project_id TEXT NOT NULL, team_name TEXT NOT NULL,
        task_id TEXT NOT NULL, attempt INTEGER NOT NULL, seed INTEGER NOT NULL,
        source TEXT NOT NULL, tags TEXT NOT NULL, parent_run_id TEXT NOT NULL,
        parent_seq INTEGER NOT NULL, status TEXT NOT NULL, priority INTEGER NOT NULL,
        position REAL NOT NULL, created_at INTEGER NOT NULL, started_at INTEGER NOT NULL,
        finished_at INTEGER NOT NULL, worker TEXT NOT NULL, epoch INTEGER NOT NULL,
        lease_until INTEGER NOT NULL, last_seq INTEGER NOT NULL, indexed_seq INTEGER NOT NULL,
        errors INTEGER NOT NULL, warnings INTEGER NOT NULL, model_calls INTEGER NOT NULL,
        tool_calls INTEGER NOT NULL, input_tokens INTEGER NOT NULL,
        output_tokens INTEGER NOT NULL, cost_usd REAL NOT NULL, answer TEXT NOT NULL,
        error TEXT NOT NULL, score REAL, questions INTEGER NOT NULL DEFAULT 0,
        first_at INTEGER NOT NULL, stored_seq INTEGER NOT NULL,
        text_due INTEGER NOT NULL DEFAULT 0, hidden INTEGER NOT NULL DEFAULT 0
    )""",
    "CREATE INDEX runs_by_status ON runs(status, priority DESC, position, created_at)",
    "CREATE INDEX runs_by_time ON runs(created_at)",
    "CREATE INDEX runs_by_parent ON runs(parent_run_id) WHERE parent_run_id <> ''",
    "CREATE INDEX runs_text_due ON runs(run) WHERE text_due",
    """
    CREATE TABLE run_inputs (
        run INTEGER PRIMARY KEY, team TEXT NOT NULL, input TEXT NOT NULL,
        environment TEXT NOT NULL DEFAULT '{}'
    )""",
    # Packed events. `facts`: the events' index rows, packed; read where they are not stored in
    # `event_rows` yet.
    """
    CREATE TABLE blocks (
        id INTEGER PRIMARY KEY, facts BLOB NOT NULL, events BLOB NOT NULL
    )""",
    "CREATE TABLE kinds (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)",
    """
    CREATE TABLE lanes (
        run INTEGER NOT NULL, lane INTEGER NOT NULL, name TEXT NOT NULL, actor TEXT NOT NULL,
        tool TEXT NOT NULL, PRIMARY KEY (run, lane)
    ) WITHOUT ROWID""",
    "CREATE INDEX lanes_by_tool ON lanes(tool, run) WHERE tool <> ''",
    # One row an event. `us`: microseconds since the run's first event; `closes`: the opener's
    # seq. Written, as spans and detail are, for some hundred events at once: that is cheaper.
    """
    CREATE TABLE event_rows (
        id INTEGER PRIMARY KEY, us INTEGER NOT NULL, kind INTEGER NOT NULL,
        lane INTEGER NOT NULL, severity INTEGER NOT NULL, closes INTEGER, tokens INTEGER,
        cost_usd REAL
    )""",
    "CREATE INDEX event_rows_wrong ON event_rows(id) WHERE severity > 0",
    # Closed spans, keyed by the run that closed them and the opener's seq (which may lie in the
    # parent of a fork).
    """
    CREATE TABLE spans (
        id INTEGER PRIMARY KEY, end_us INTEGER NOT NULL, closer INTEGER NOT NULL
    )""",
    """
    CREATE TABLE detail (
        id INTEGER PRIMARY KEY, run INTEGER NOT NULL, level INTEGER NOT NULL,
        first_seq INTEGER NOT NULL, last_seq INTEGER NOT NULL,
        first_us INTEGER NOT NULL, last_us INTEGER NOT NULL, cells BLOB NOT NULL
    )""",
    """CREATE UNIQUE INDEX detail_by_level
        ON detail(run, level, first_seq, last_seq, first_us, last_us)""",
    # Beside each segment of detail: the kinds in it as bits `1 << (kind % 62)`, so that a search
    # for a rare kind skips most events, and the openers of the spans open at its end.
    """
    CREATE TABLE segments (
        id INTEGER PRIMARY KEY, last_seq INTEGER NOT NULL, kinds INTEGER NOT NULL,
        open_spans BLOB NOT NULL
    )""",
    # A page of text: some successive events of a run, indexed as one document.
    """
    CREATE TABLE text_pages (
        page INTEGER PRIMARY KEY AUTOINCREMENT, run INTEGER NOT NULL, first_seq INTEGER NOT NULL,
        last_seq INTEGER NOT NULL
    )""",
    "CREATE INDEX text_pages_by_run ON text_pages(run, first_seq)",
    # Tokens are made by `text_tokens.py`; the ascii tokenizer leaves them as they are.
    """
    CREATE VIRTUAL TABLE text_index USING fts5(
        tokens, content='', detail=none, columnsize=0, tokenize='ascii'
    )""",
    """
    CREATE TABLE blob_names (
        sha256 TEXT NOT NULL, run INTEGER NOT NULL, seq INTEGER NOT NULL,
        PRIMARY KEY (sha256, run, seq)
    ) WITHOUT ROWID""",
    "CREATE INDEX blob_names_by_run ON blob_names(run)",
    """
    CREATE TABLE snapshots (
        id INTEGER PRIMARY KEY, state BLOB NOT NULL
    )""",
    """
    CREATE TABLE commands (
        id INTEGER PRIMARY KEY, name TEXT NOT NULL, arguments TEXT NOT NULL, by TEXT NOT NULL,
        at INTEGER NOT NULL
    )""",
    """
    CREATE TABLE labels (
        id INTEGER PRIMARY KEY AUTOINCREMENT, run INTEGER NOT NULL, seq INTEGER NOT NULL,
        name TEXT NOT NULL, value TEXT NOT NULL, by TEXT NOT NULL, at INTEGER NOT NULL
    )""",
    "CREATE INDEX labels_by_run ON labels(run)",
)


_UPGRADES: Final[dict[int, tuple[str, ...]]] = {
    1: (
        "ALTER TABLE runs ADD COLUMN score REAL",
        "ALTER TABLE run_inputs ADD COLUMN environment TEXT NOT NULL DEFAULT '{}'",
    ),
    2: ("ALTER TABLE runs ADD COLUMN questions INTEGER NOT NULL DEFAULT 0",),
}
"""What turns a store of an older version into one of the next."""


def row_id(run: int, seq: int) -> int:
    """The key of a run's row for one event."""
    return run << SEQ_BITS | seq


def prepare(connection: sqlite3.Connection, path: Path) -> None:
    """Make the tables where they are missing; bring those of an older AWorld up to date.

    Raises:
        StoreError: a newer AWorld wrote the file.
    """
    if _version(connection) == SCHEMA_VERSION:
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        found = _version(connection)  # Another process may have made them meanwhile.
        if found == 0:
            for statement in _TABLES:
                connection.execute(statement)
        elif found > SCHEMA_VERSION:
            raise StoreError(
                f"The store {str(path)!r} has format {found}, this AWorld knows {SCHEMA_VERSION}: "
                "install the newer AWorld, or use another AWORLD_HOME."
            )
        else:
            for version in range(found, SCHEMA_VERSION):
                for statement in _UPGRADES[version]:
                    connection.execute(statement)
        connection.execute(f"PRAGMA user_version={SCHEMA_VERSION}")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])
