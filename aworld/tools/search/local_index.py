"""An index of passages in SQLite: words of spaced scripts, pairs of characters of the others.

The text index of the log has the same tokens (`storage.text_tokens`). The index is a cache: where
it is lost or damaged it is made again from the files.
"""

from __future__ import annotations

import contextlib
import hashlib
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from aworld import config
from aworld.storage.text_tokens import Term, query, tokens
from aworld.tools.search.workspace_files import FileState

_PASSAGE_CHARACTERS: Final = 800
_PASSAGE_LINES: Final = 12
_SNIPPET: Final = 240
_PREFIX_FROM: Final = 4
"""Words of so many letters match longer ones too: `cost` finds `costs`."""
_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS files (
    file INTEGER PRIMARY KEY, path TEXT UNIQUE, size INTEGER, mtime_ns INTEGER, problem TEXT
);
CREATE TABLE IF NOT EXISTS passages (
    passage INTEGER PRIMARY KEY, file INTEGER, part TEXT, line INTEGER, text TEXT
);
CREATE INDEX IF NOT EXISTS passages_of_file ON passages (file);
CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5(tokens, content='', tokenize='ascii');
"""

Parts = Sequence[tuple[str, Sequence[str]]]
"""`(label, lines)` of each part of a document."""


class Found(NamedTuple):
    """A place that fits."""

    path: str
    part: str
    """`page 3`; "" where the file has one part."""
    line: int
    """Of the part, from 1."""
    snippet: str


class LocalIndex:
    """The index of one workspace. Each call opens the file anew, from any thread."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def files(self) -> dict[str, FileState]:
        """What is indexed, as it was then."""
        with self._opened() as connection:
            rows = connection.execute("SELECT path, size, mtime_ns FROM files").fetchall()
        return {path: FileState(size, mtime_ns) for path, size, mtime_ns in rows}

    def problems(self) -> dict[str, str]:
        """Files whose text could not be had, with the reason."""
        with self._opened() as connection:
            return dict(
                connection.execute("SELECT path, problem FROM files WHERE problem <> '' ORDER BY 1")
            )

    def forget(self, paths: Sequence[str]) -> None:
        """Take files out."""
        with self._opened() as connection:
            for path in paths:
                _remove(connection, path)

    def add(self, path: str, state: FileState, parts: Parts, problem: str = "") -> None:
        """Put a file in, in place of what was known of it."""
        with self._opened() as connection:
            _remove(connection, path)
            file = connection.execute(
                "INSERT INTO files (path, size, mtime_ns, problem) VALUES (?, ?, ?, ?)",
                (path, state.size, state.mtime_ns, problem),
            ).lastrowid
            for part, line, text in passages_of(parts):
                row = connection.execute(
                    "INSERT INTO passages (file, part, line, text) VALUES (?, ?, ?, ?)",
                    (file, part, line, text),
                ).lastrowid
                connection.execute(
                    "INSERT INTO words (rowid, tokens) VALUES (?, ?)", (row, _document(text))
                )

    def find(self, text: str, below: str, limit: int) -> list[Found]:
        """The best passages: those with all words, then those with some, rarer words first."""
        terms = query(text).terms
        if not terms:
            return []
        # A text that repeats itself is shown once a file.
        found: dict[tuple[str, str], Found] = {}
        with self._opened() as connection:
            for joined in (" AND ", " OR "):
                match = joined.join(map(_as_match, terms))
                for row in _ranked(connection, match, below, limit * 5):
                    hit = _shown(row, terms)
                    if len(found) < limit:
                        found.setdefault((hit.path, hit.snippet), hit)
        return list(found.values())

    @contextlib.contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        connection = sqlite3.connect(self._path, timeout=30)
        try:
            connection.execute("PRAGMA synchronous=OFF")
            connection.executescript(_SCHEMA)
            with connection:
                connection.execute("BEGIN IMMEDIATE")
                yield connection
        finally:
            connection.close()


def index_of(workspace: str) -> LocalIndex:
    """A workspace's index, in a folder that its team cannot see."""
    return LocalIndex(path_of(workspace))


def path_of(workspace: str) -> Path:
    """Where it lies."""
    digest = hashlib.blake2b(str(Path(workspace).resolve()).encode(), digest_size=16).hexdigest()
    return config.load().home / "search" / f"{digest}.sqlite3"


def passages_of(parts: Parts) -> Iterator[tuple[str, int, str]]:
    """`(part, first line, text)`: some successive lines at a time, empty ones left at the ends."""
    for part, lines in parts:
        gathered: list[str] = []
        size, first = 0, 1
        for number, line in enumerate(lines, 1):
            if gathered and (
                size + len(line) > _PASSAGE_CHARACTERS or len(gathered) >= _PASSAGE_LINES
            ):
                yield part, first, "\n".join(gathered)
                gathered, size = [], 0
            if not gathered:
                if not line.strip():
                    continue
                first = number
            gathered.append(line)
            size += len(line)
        if gathered:
            yield part, first, "\n".join(gathered)


def _remove(connection: sqlite3.Connection, path: str) -> None:
    found = connection.execute("SELECT file FROM files WHERE path=?", (path,)).fetchone()
    if found is None:
        return
    rows = connection.execute("SELECT passage, text FROM passages WHERE file=?", found).fetchall()
    for passage, text in rows:
        # FTS5 finds a contentless row's postings by its tokens alone, so they are made again.
        connection.execute(
            "INSERT INTO words (words, rowid, tokens) VALUES ('delete', ?, ?)",
            (passage, _document(text)),
        )
    connection.execute("DELETE FROM passages WHERE file=?", found)
    connection.execute("DELETE FROM files WHERE file=?", found)


def _document(text: str) -> str:
    return " ".join(sorted(tokens(text)))


def _as_match(term: Term) -> str:
    prefix = term.prefix or (len(term.token) >= _PREFIX_FROM and term.token.isascii())
    return f'"{term.token}"{"*" if prefix else ""}'


def _ranked(
    connection: sqlite3.Connection, match: str, below: str, limit: int
) -> list[tuple[int, str, str, int, str]]:
    inside = f"{below.rstrip('/')}/" if below else ""
    rows: list[tuple[int, str, str, int, str]] = connection.execute(
        "SELECT p.passage, f.path, p.part, p.line, p.text FROM words"
        " JOIN passages p ON p.passage = words.rowid JOIN files f ON f.file = p.file"
        " WHERE words MATCH ?1 AND (?2 = '' OR f.path = ?3 OR substr(f.path, 1, ?4) = ?2)"
        " ORDER BY words.rank, f.path, p.passage LIMIT ?5",
        (match, inside, below.rstrip("/"), len(inside), limit),
    ).fetchall()
    return rows


def _shown(row: tuple[int, str, str, int, str], terms: Sequence[Term]) -> Found:
    """The passage's best line."""
    _, path, part, first, text = row
    lines = text.splitlines() or [""]
    scores = [sum(term.token in line.lower() for term in terms) for line in lines]
    best = scores.index(max(scores))
    line = lines[best]
    lowered = line.lower()
    places = [at for term in terms if (at := lowered.find(term.token)) >= 0]
    start = max(0, min(places, default=0) - _SNIPPET // 3)
    end = start + _SNIPPET
    snippet = " ".join(line[start:end].split())
    cut = f"{'…' if start else ''}{snippet}{'…' if end < len(line) else ''}"
    return Found(path, part, first + best, cut)
