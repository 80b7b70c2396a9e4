"""What stands beside a run's events: folded states, commands, labels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from aworld.storage.base import Command, Label
from aworld.storage.blocks import compress, decompress
from aworld.storage.sqlite_connections import Connections
from aworld.storage.sqlite_lineage import find_run, lineage
from aworld.storage.sqlite_schema import row_id


class Notes:
    """Snapshots by seq, commands by number, labels by time."""

    def __init__(self, connections: Connections, now: Callable[[], int]) -> None:
        self._connections = connections
        self._now = now

    def put_snapshot(self, run_id: str, seq: int, state: bytes) -> None:
        """Keep a state, compressed; the same seq again replaces it."""
        packed = compress(state)
        with self._connections.writing() as connection:
            run = find_run(connection, run_id).run
            connection.execute(
                "INSERT OR REPLACE INTO snapshots VALUES (?, ?)", (row_id(run, seq), packed)
            )

    def latest_snapshot(self, run_id: str, before: int | None) -> tuple[int, bytes] | None:
        """The newest one at or before a seq, a shared prefix's included."""
        with self._connections.reading() as connection:
            for part in reversed(lineage(connection, find_run(connection, run_id))):
                last = part.last if before is None else min(part.last, before)
                found = connection.execute(
                    "SELECT id, state FROM snapshots WHERE id BETWEEN ? AND ?"
                    " ORDER BY id DESC LIMIT 1",
                    (row_id(part.run, 0), row_id(part.run, last)),
                ).fetchone()
                if found is not None:
                    state = decompress(found[1])
                    return found[0] - row_id(part.run, 0), state
        return None

    def put_command(self, run_id: str, name: str, arguments: dict[str, Any], by: str) -> int:
        """Add a command under the next number."""
        with self._connections.writing() as connection:
            base = row_id(find_run(connection, run_id).run, 0)
            last = connection.execute(
                "SELECT MAX(id) FROM commands WHERE id >= ? AND id < ?",
                (base, base + row_id(1, 0)),
            ).fetchone()[0]
            number = 0 if last is None else int(last) - base + 1
            connection.execute(
                "INSERT INTO commands VALUES (?, ?, ?, ?, ?)",
                (base + number, name, _json(arguments), by, self._now()),
            )
            return number

    def commands(self, run_id: str, after: int) -> list[Command]:
        """Those with a larger number."""
        with self._connections.reading() as connection:
            base = row_id(find_run(connection, run_id).run, 0)
            rows = connection.execute(
                "SELECT id, name, arguments, by, at FROM commands WHERE id > ? AND id < ?"
                " ORDER BY id",
                (base + max(after, -1), base + row_id(1, 0)),
            ).fetchall()
        return [
            Command(id - base, name, msgspec.json.decode(arguments), by, at)
            for id, name, arguments, by, at in rows
        ]

    def put_label(self, run_id: str, name: str, value: Any, by: str, seq: int) -> None:
        """Add a label."""
        with self._connections.writing() as connection:
            run = find_run(connection, run_id).run
            connection.execute(
                "INSERT INTO labels (run, seq, name, value, by, at) VALUES (?, ?, ?, ?, ?, ?)",
                (run, seq, name, _json(value), by, self._now()),
            )

    def labels(self, run_id: str) -> list[Label]:
        """All of a run's own, oldest first."""
        with self._connections.reading() as connection:
            run = find_run(connection, run_id).run
            rows = connection.execute(
                "SELECT seq, name, value, by, at FROM labels WHERE run=? ORDER BY id", (run,)
            ).fetchall()
        return [
            Label(run_id, seq, name, msgspec.json.decode(value), by, at)
            for seq, name, value, by, at in rows
        ]


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()
