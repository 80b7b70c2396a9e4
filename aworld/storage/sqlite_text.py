"""Text search on SQLite: pages of events in a contentless FTS5 table, built behind the log.

A page is up to `PAGE_EVENTS` successive events. A posting costs one entry a token and page; which
event it was, the page's own events tell. What is not indexed yet is searched as it is.
"""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple

from aworld.errors import NotFound
from aworld.events.union import AnyPayload, Event
from aworld.storage.base import Hit
from aworld.storage.sqlite_connections import Connections
from aworld.storage.sqlite_events import read_events
from aworld.storage.sqlite_lineage import find_run, lineage, run_by_key
from aworld.storage.text_tokens import Query, query, snippet, text_of, tokens

PAGE_EVENTS: Final = 256
TAIL_EVENTS: Final = 2048
"""Of the events not yet indexed, the newest so many of a run are searched."""
UNSELECTIVE_PAGES: Final = 200
"""How many of the newest pages are searched for punctuation alone, which no index knows."""


class _Stretch(NamedTuple):
    """Successive events that lie under one run's key."""

    run: int
    first: int
    last: int


class _Page(NamedTuple):
    """Events to look through; `shown_as` is the run that the hits name."""

    part: _Stretch
    shown_as: str


class TextIndex:
    """Searching, and bringing the index forward."""

    def __init__(self, connections: Connections, resolve: Callable[[Event], AnyPayload]) -> None:
        self._connections = connections
        self._resolve = resolve

    def advance(self, budget_s: float) -> bool:
        """Index pages until the time is up; whether more are left."""
        deadline = time.monotonic() + budget_s
        while True:
            with self._connections.reading() as connection:
                found = connection.execute(
                    "SELECT run_id, indexed_seq FROM runs WHERE text_due"
                    " AND (status <> 'running' OR last_seq - indexed_seq >= ?) LIMIT 1",
                    (PAGE_EVENTS,),
                ).fetchone()
                if found is None or time.monotonic() > deadline:
                    return found is not None
                run_id, indexed = found
                row = find_run(connection, run_id, hidden=True)
                events = read_events(connection, row, after=indexed, limit=PAGE_EVENTS)
            self._add_page(run_id, events, self._document(events))

    def _add_page(self, run_id: str, events: list[Event], document: str) -> None:
        with self._connections.writing() as connection:
            first, last = events[0].seq, events[-1].seq
            taken = connection.execute(
                "UPDATE runs SET indexed_seq=?1, text_due=(last_seq > ?1)"
                " WHERE run_id=?2 AND indexed_seq=?3"
                " RETURNING run",
                (last, run_id, first - 1),
            ).fetchone()
            if taken is None:  # Another process indexed this page, or the run is gone.
                return
            page = connection.execute(
                "INSERT INTO text_pages (run, first_seq, last_seq) VALUES (?, ?, ?)",
                (taken[0], first, last),
            ).lastrowid
            connection.execute(
                "INSERT INTO text_index (rowid, tokens) VALUES (?, ?)", (page, document)
            )

    def search(self, text: str, run_id: str, limit: int) -> list[Hit]:
        """The first events that match, newest run first."""
        wanted = query(text)
        hits: list[Hit] = []
        if wanted.pattern is None:
            return hits
        with self._connections.reading() as connection:
            for page in self._candidates(connection, wanted, run_id):
                for event, match, whole in self._matches(connection, page.part, wanted.pattern):
                    hits.append(
                        Hit(page.shown_as, event.seq, event.kind, event.actor,
                            snippet(whole, match))
                    )  # fmt: skip
                    if len(hits) == limit:
                        return hits
        return hits

    def runs_with(self, connection: sqlite3.Connection, text: str) -> Iterable[int]:
        """Keys of the runs that have a matching event of their own."""
        wanted = query(text)
        if wanted.pattern is None:
            return set()
        found: set[int] = set()
        for run, first, last, indexed in self._pages(connection, wanted, None):
            if run in found:
                continue
            if (wanted.decisive and indexed) or any(
                self._matches(connection, _Stretch(run, first, last), wanted.pattern)
            ):
                found.add(run)
        return found

    def forget(self, connection: sqlite3.Connection, run: int, after: int) -> None:
        """Take the pages that hold anything behind a seq out of the index, before their events
        go; what they hold up to it is indexed anew.

        FTS5 finds a contentless row's postings by its tokens alone, so they are made again.
        """
        row = run_by_key(connection, run)
        for page, first, last in connection.execute(
            "SELECT page, first_seq, last_seq FROM text_pages WHERE run=? AND last_seq>?",
            (run, after),
        ).fetchall():
            events = read_events(connection, row, after=first - 1, limit=last - first + 1)
            connection.execute(
                "INSERT INTO text_index (text_index, rowid, tokens) VALUES ('delete', ?, ?)",
                (page, self._document(events)),
            )
            connection.execute("DELETE FROM text_pages WHERE page=?", (page,))
            connection.execute(
                "UPDATE runs SET indexed_seq=MIN(indexed_seq, ?), text_due=1 WHERE run=?",
                (first - 1, run),
            )
        if connection.execute("SELECT 1 FROM text_pages LIMIT 1").fetchone() is None:
            connection.execute("INSERT INTO text_index (text_index) VALUES ('delete-all')")
        else:  # Deletions are entries too, until a merge drops them with what they delete.
            connection.execute("INSERT INTO text_index (text_index, rank) VALUES ('merge', 500)")

    def _document(self, events: Iterable[Event]) -> str:
        found: set[str] = set()
        for event in events:
            found |= tokens(self._text(event))
        return " ".join(sorted(found))

    def _text(self, event: Event) -> str:
        try:
            return text_of(self._resolve(event))
        except NotFound:  # The blob was removed by hand: what the log itself has is searched.
            return text_of(event.payload)

    def _matches(
        self, connection: sqlite3.Connection, part: _Stretch, pattern: re.Pattern[str]
    ) -> Iterator[tuple[Event, re.Match[str], str]]:
        row = run_by_key(connection, part.run)
        limit = part.last - part.first + 1
        for event in read_events(connection, row, after=part.first - 1, limit=limit):
            whole = self._text(event)
            match = pattern.search(whole.lower())
            if match is not None:
                yield event, match, whole

    def _candidates(
        self, connection: sqlite3.Connection, wanted: Query, run_id: str
    ) -> Iterator[_Page]:
        if run_id:
            for part in lineage(connection, find_run(connection, run_id)):
                for run, first, last, _ in self._pages(connection, wanted, part.run):
                    if first <= part.last:
                        yield _Page(_Stretch(run, first, min(last, part.last)), run_id)
            return
        for run, first, last, _ in self._pages(connection, wanted, None):
            shown_as, end = _shown_as(connection, run, last)
            if shown_as and first <= end:
                yield _Page(_Stretch(run, first, end), shown_as)

    def _pages(
        self, connection: sqlite3.Connection, wanted: Query, run: int | None
    ) -> Iterator[tuple[int, int, int, bool]]:
        """`(run, first seq, last seq, indexed)` that may hold a match, newest run first."""
        only = "" if run is None else f"AND r.run = {run:d}"
        match = " AND ".join(f'"{token}"{"*" if prefix else ""}' for token, prefix in wanted.terms)
        if match:
            source, values = "text_index JOIN text_pages p ON p.page = text_index.rowid", [match]
            term = "text_index MATCH ?"
        else:
            source, values = "text_pages p", []
            term = f"p.page > (SELECT MAX(page) FROM text_pages) - {UNSELECTIVE_PAGES}"
        indexed = connection.execute(
            f"SELECT r.created_at, r.run, p.first_seq, p.last_seq, 1 FROM {source}"
            f" JOIN runs r ON r.run = p.run WHERE {term} {only}",
            values,
        ).fetchall()
        tails = connection.execute(
            "SELECT r.created_at, r.run, MAX(r.indexed_seq, r.last_seq - ?) + 1, r.last_seq, 0"
            f" FROM runs r WHERE r.text_due {only}",
            (TAIL_EVENTS,),
        ).fetchall()
        ordered = sorted(indexed + tails, key=lambda page: (-page[0], -page[1], page[2]))
        for _, key, first, last, is_indexed in ordered:
            yield key, first, last, bool(is_indexed)


def _shown_as(connection: sqlite3.Connection, run: int, last: int) -> tuple[str, int]:
    """Under which run events are shown, and up to which seq: their own, or, where that was
    deleted, its newest fork that shares them. Empty where there is none."""
    row = run_by_key(connection, run)
    run_id, hidden = row.run_id, row.hidden
    while hidden:
        found = connection.execute(
            "SELECT run_id, hidden, parent_seq FROM runs WHERE parent_run_id=?"
            " ORDER BY hidden, created_at DESC LIMIT 1",
            (run_id,),
        ).fetchone()
        if found is None:
            return "", last
        run_id, hidden, last = found[0], found[1], min(last, found[2])
    return run_id, last
