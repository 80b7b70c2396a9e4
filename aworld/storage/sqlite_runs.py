"""Runs' rows: made, read, listed, changed."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

import msgspec

from aworld.errors import NotFound, StoreError
from aworld.storage.base import RunFilter, RunOrder, RunPage, RunRecord, RunStatus
from aworld.storage.sqlite_connections import Connections
from aworld.storage.sqlite_lineage import find_run

COLUMNS: Final = RunRecord.__struct_fields__
_FROM: Final = "FROM runs JOIN run_inputs USING (run)"
_SELECT: Final = f"SELECT {', '.join(COLUMNS)} {_FROM}"

_ORDERS: Final[dict[RunOrder, str]] = {
    "newest": "created_at DESC, run DESC",
    "oldest": "created_at, run",
    "queue": "priority DESC, position, created_at, run",
    "failures_first": (
        "CASE WHEN status IN ('failed', 'lost') THEN 0 WHEN status = 'running' THEN 1 ELSE 2 END,"
        " created_at DESC, run DESC"
    ),
}


class Runs:
    """The part of the store that knows runs, but not their events."""

    def __init__(
        self,
        connections: Connections,
        now: Callable[[], int],
        with_text: Callable[[sqlite3.Connection, str], Iterable[int]],
    ) -> None:
        self._connections = connections
        self._now = now
        self._with_text = with_text

    def create(self, record: RunRecord) -> RunRecord:
        """Add a run, or return the one with this id."""
        now = self._now()
        record = msgspec.structs.replace(
            record,
            created_at=record.created_at or now,
            position=record.position or float(record.created_at or now),
        )
        with self._connections.writing() as connection:
            there = _select(connection, "WHERE run_id=?", (record.run_id,))
            if there:
                return there[0]
            first_at = 0
            if record.parent_run_id:
                parent = find_run(connection, record.parent_run_id)
                if not -1 <= record.parent_seq <= parent.last_seq:
                    raise StoreError(
                        f"Run {record.run_id!r} cannot be forked from {parent.run_id!r} at seq "
                        f"{record.parent_seq}: its events end at {parent.last_seq}."
                    )
                first_at = parent.first_at if record.parent_seq >= 0 else 0
                record = msgspec.structs.replace(
                    record, last_seq=record.parent_seq, indexed_seq=record.parent_seq
                )
            fields = {
                **msgspec.structs.asdict(record),
                "first_at": first_at,
                "stored_seq": record.last_seq,
            }
            large = [_stored(fields.pop(name)) for name in ("team", "input", "environment")]
            run = connection.execute(
                f"INSERT INTO runs ({', '.join(fields)}) VALUES ({_marks(tuple(fields))})",
                [_stored(value) for value in fields.values()],
            ).lastrowid
            connection.execute("INSERT INTO run_inputs VALUES (?, ?, ?, ?)", (run, *large))
        return record

    def get(self, run_id: str) -> RunRecord:
        """One run. Raises NotFound."""
        with self._connections.reading() as connection:
            found = _select(connection, "WHERE run_id=? AND NOT hidden", (run_id,))
        if not found:
            raise NotFound(f"There is no run {run_id!r}: it was deleted, or lies in another store.")
        return found[0]

    def page(self, where: RunFilter, order: RunOrder, limit: int, offset: int) -> RunPage:
        """Some runs and their total."""
        with self._connections.reading() as connection:
            clause, values = self._condition(connection, where, order)
            total = connection.execute(f"SELECT COUNT(*) {_FROM} {clause}", values).fetchone()[0]
            runs = _select(
                connection,
                f"{clause} ORDER BY {_ORDERS[order]} LIMIT ? OFFSET ?",
                (*values, limit, offset),
            )
        return RunPage(runs, total)

    def count_by_status(self) -> dict[str, int]:
        """How many runs there are in each status."""
        with self._connections.reading() as connection:
            return dict(
                connection.execute(
                    "SELECT status, COUNT(*) FROM runs WHERE NOT hidden GROUP BY status"
                ).fetchall()
            )

    def change(
        self,
        run_id: str,
        status: RunStatus | None,
        priority: int | None,
        position: float | None,
        tags: Sequence[str] | None,
        only_if: Sequence[RunStatus],
    ) -> bool:
        """Set what is not None; whether the run's status let it. Raises NotFound."""
        given = {
            "status": status,
            "priority": priority,
            "position": position,
            "tags": None if tags is None else list(tags),
        }
        fields = {name: value for name, value in given.items() if value is not None}
        with self._connections.writing() as connection:
            row = find_run(connection, run_id)
            if not fields:
                return False
            clause = f" AND status IN ({_marks(only_if)})" if only_if else ""
            done = connection.execute(
                f"UPDATE runs SET {', '.join(f'{name}=?' for name in fields)} WHERE run=?{clause}",
                (*map(_stored, fields.values()), row.run, *only_if),
            )
            return done.rowcount == 1

    def _condition(
        self, connection: sqlite3.Connection, where: RunFilter, order: RunOrder
    ) -> tuple[str, list[Any]]:
        statuses = where.statuses or (("queued",) if order == "queue" else ())
        terms: list[tuple[str, Sequence[Any]]] = [("NOT hidden", ())]
        for column, wanted in (
            ("status", statuses),
            ("team_name", where.teams),
            ("source", where.sources),
        ):
            if wanted:
                terms.append((f"{column} IN ({_marks(wanted)})", wanted))
        for term, value in (
            ("task_id = ?", where.task_id),
            ("parent_run_id = ?", where.parent_run_id),
            ("run IN (SELECT run FROM lanes WHERE tool = ?)", where.tool),
            ("EXISTS (SELECT 1 FROM json_each(tags) WHERE value = ?)", where.tag),
            ("created_at > ?", where.created_after),
            ("created_at < ?", where.created_before),
            ("cost_usd >= ?", where.min_cost_usd),
        ):
            if value:
                terms.append((term, (value,)))
        if where.with_errors:
            terms.append(("(errors > 0 OR status IN ('failed', 'lost'))", ()))
        if where.text:
            found = msgspec.json.encode(list(self._with_text(connection, where.text))).decode()
            terms.append(
                (
                    "(run IN (SELECT value FROM json_each(?))"
                    " OR contains(input, ?) OR contains(answer, ?))",
                    (found, where.text, where.text),
                )
            )
        clause = "WHERE " + " AND ".join(term for term, _ in terms)
        return clause, [value for _, values in terms for value in values]


def _select(connection: sqlite3.Connection, rest: str, values: Sequence[Any]) -> list[RunRecord]:
    return [_record(row) for row in connection.execute(f"{_SELECT} {rest}", values).fetchall()]


def _record(row: tuple[Any, ...]) -> RunRecord:
    fields = dict(zip(COLUMNS, row, strict=True))
    fields["team"] = msgspec.json.decode(fields["team"])
    fields["environment"] = msgspec.json.decode(fields["environment"])
    fields["tags"] = tuple(msgspec.json.decode(fields["tags"]))
    return RunRecord(**fields)


def records(connection: sqlite3.Connection, rest: str, values: Sequence[Any]) -> list[RunRecord]:
    """The runs that a WHERE (and ORDER BY) clause selects."""
    return _select(connection, rest, values)


def _stored(value: Any) -> Any:
    """Lists and objects as JSON text."""
    if isinstance(value, list | tuple | dict):
        return msgspec.json.encode(value).decode()
    return value


def _marks(values: Sequence[Any]) -> str:
    return ", ".join("?" * len(values))
