"""Small numbers for long names: kinds in the whole store, lanes in one run."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable


class Names:
    """Numbers of kinds (kept in memory: they never change once committed) and lanes."""

    def __init__(self) -> None:
        self._kinds: dict[str, int] = {}

    def kinds(self, connection: sqlite3.Connection, wanted: set[str]) -> dict[str, int]:
        """Numbers of these kinds, given where they are new. Inside a write transaction."""
        if not wanted <= self._kinds.keys():
            # What is read here is committed; what is added below may yet be undone, so it is
            # remembered only when read again.
            self._kinds = read_kinds(connection)
        missing = wanted - self._kinds.keys()
        if not missing:
            return self._kinds
        connection.executemany(
            "INSERT INTO kinds (name) VALUES (?)", [(name,) for name in sorted(missing)]
        )
        return read_kinds(connection)

    def lanes(
        self, connection: sqlite3.Connection, run: int, wanted: Iterable[tuple[str, str]]
    ) -> dict[tuple[str, str], int]:
        """Numbers of these `(actor, tool)` in a run; new ones are numbered in the order given."""
        numbers: dict[tuple[str, str], int] = {}
        for actor, tool in wanted:
            found = connection.execute(
                "SELECT lane FROM lanes WHERE run=? AND name=? AND actor=? AND tool=?",
                (run, _lane(actor, tool), actor, tool),
            ).fetchone()
            if found is None:
                number = connection.execute(
                    "SELECT COALESCE(MAX(lane), -1) + 1 FROM lanes WHERE run=?", (run,)
                ).fetchone()[0]
                connection.execute(
                    "INSERT INTO lanes VALUES (?, ?, ?, ?, ?)",
                    (run, number, _lane(actor, tool), actor, tool),
                )
                numbers[actor, tool] = number
            else:
                numbers[actor, tool] = found[0]
        return numbers


def read_kinds(connection: sqlite3.Connection) -> dict[str, int]:
    """Number by kind."""
    return dict(connection.execute("SELECT name, id FROM kinds").fetchall())


def _lane(actor: str, tool: str) -> str:
    return f"{actor}/{tool}" if tool else actor
