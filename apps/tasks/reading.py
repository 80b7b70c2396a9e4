"""Task files: JSONL or CSV to rows, each broken line named by its number."""

from __future__ import annotations

import csv
import io
import json
import math
from typing import Any, NamedTuple

MOST_LINES = 200_000
MOST_QUESTION = 200_000
"""Characters of a question."""
MOST_KEY = 120
MOST_LEVEL = 60
FIELDS = ("key", "question", "answer", "level")
MOST_CELL = 16 * 1024 * 1024
"""Characters of a CSV cell; the questions among them are bounded apart."""
_ALIASES = {
    "id": "key",
    "task_id": "key",
    "Question": "question",
    "Final answer": "answer",
    "Level": "level",
    "input": "question",
    "prompt": "question",
    "expected": "answer",
}
"""Names that other task files use."""


class Row(NamedTuple):
    """One task of a file."""

    line: int
    key: str
    question: str
    answer: str
    level: str
    metadata: dict[str, Any]


class LineProblem(NamedTuple):
    """What is wrong with a line of the file; lines count from 1."""

    line: int
    message: str


class Read(NamedTuple):
    """What a file holds."""

    rows: list[Row]
    problems: list[LineProblem]


def read_tasks(name: str, data: bytes) -> Read:
    """The tasks of a file; CSV by its name's ending or where it does not begin with `{`."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        return Read([], [LineProblem(line, "This line is not UTF-8. Save the file as UTF-8.")])
    if not text.strip():
        return Read([], [LineProblem(1, "The file is empty.")])
    if "\0" in text:
        return Read([], [LineProblem(1, "This is no text. Choose a file of JSONL or CSV.")])
    if text.lstrip().startswith("["):
        return Read([], [LineProblem(1, "This is a list. Write one object a line: JSONL.")])
    as_csv = name.lower().endswith((".csv", ".tsv")) or not text.lstrip().startswith("{")
    read = _csv(text, name) if as_csv else _jsonl(text)
    if not read.rows and not read.problems:
        return Read([], [LineProblem(1, "The file has a head and no task.")])
    return Read(read.rows, read.problems + _repeated(read.rows))


def _jsonl(text: str) -> Read:
    rows: list[Row] = []
    problems: list[LineProblem] = []
    # Not splitlines: U+2028 may stand inside a JSON string.
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            value = _json(line)
        except json.JSONDecodeError as error:
            problems.append(
                LineProblem(
                    number, f"This is no JSON: {_said(error)} at character {error.pos + 1}."
                )
            )
        except RecursionError:
            problems.append(LineProblem(number, "This is nested too deeply."))
        except ValueError as error:
            problems.append(LineProblem(number, f"This cannot be kept: {error}."))
        else:
            _add(number, value, rows, problems)
    return Read(rows, problems)


def _said(error: json.JSONDecodeError) -> str:
    """The decoder's words, some of which end as if a place followed."""
    return error.msg.removesuffix(" starting at")


def _json(line: str) -> Any:
    """Strict JSON: what a database gives back as it was.

    Raises:
        ValueError: it is something else.
    """
    value = json.loads(
        line, parse_constant=_refuse_number, parse_float=_finite, object_pairs_hook=_object
    )
    if "\\ud" in line or "\\uD" in line:
        # A lone half of a surrogate pair is no character.
        json.dumps(value, ensure_ascii=False).encode()
    return value


def _refuse_number(text: str) -> Any:
    raise ValueError(f"{text} is no number")


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"the number {text[:24]} is too large")
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise ValueError(f"{name!r} stands twice in one object")
        found[name] = value
    return found


def _csv(text: str, name: str) -> Read:
    csv.field_size_limit(MOST_CELL)  # The module's own limit is below that of a question.
    reader = csv.reader(
        io.StringIO(text, newline=""), delimiter=_delimiter(text, name), strict=True
    )
    rows: list[Row] = []
    problems: list[LineProblem] = []
    line = 1
    try:
        head = [cell.strip() for cell in next(reader)]
        broken = _head_problem(head)
        if broken:
            return Read([], [LineProblem(1, broken)])
        line = reader.line_num + 1
        for cells in reader:
            if cells and len(cells) != len(head):
                problems.append(
                    LineProblem(line, f"{len(cells)} columns where the head has {len(head)}.")
                )
            elif cells:
                _add(line, dict(zip(head, cells, strict=True)), rows, problems)
            line = reader.line_num + 1
    except csv.Error as error:
        # Where the row began: a quotation mark that is never closed runs to the end of the file.
        problems.append(LineProblem(line, f"The row that begins here is no CSV: {error}."))
    return Read(rows, problems)


def _delimiter(text: str, name: str) -> str:
    """What parts the cells; Excel writes semicolons where the comma is the decimal sign."""
    if name.lower().endswith(".tsv"):
        return "\t"
    head = text.lstrip().partition("\n")[0]
    return max(",;\t", key=head.count)


def _head_problem(head: list[str]) -> str:
    """Why a first line names no columns; "" where it does."""
    names = [_ALIASES.get(cell, cell) for cell in head]
    if "question" not in names:
        shown = [cell[:40] for cell in head[:20]]
        return f"The first line must name the columns, 'question' among them; it has {shown}."
    twice = next((name for name in names if name and names.count(name) > 1), "")
    return f"Two columns hold the {twice!r}. Rename or remove one." if twice else ""


def _add(line: int, value: object, rows: list[Row], problems: list[LineProblem]) -> None:
    """Read one task into `rows`, or say what is wrong with it."""
    if not isinstance(value, dict):
        problems.append(
            LineProblem(line, f"A task is an object with a 'question', not {value!r:.60}.")
        )
        return
    names = [_ALIASES.get(str(name), str(name)) for name in value]
    if len(names) != len(set(names)):
        twice = next(name for name in names if names.count(name) > 1)
        problems.append(LineProblem(line, f"Two fields hold the {twice!r}: {list(value)!r:.80}."))
        return
    fields: dict[str, Any] = {
        _ALIASES.get(str(name), str(name)): content for name, content in value.items()
    }
    question = fields.get("question")
    if not isinstance(question, str) or not question.strip():
        problems.append(LineProblem(line, "The task has no 'question'."))
        return
    if len(question) > MOST_QUESTION:
        problems.append(
            LineProblem(
                line,
                f"The question has {len(question)} characters; at most {MOST_QUESTION} are taken.",
            )
        )
        return
    metadata: object = fields.get("metadata") or {}
    if not isinstance(metadata, dict):
        problems.append(LineProblem(line, f"'metadata' is an object, not {metadata!r:.60}."))
        return
    level = _text(fields.get("level"))
    if len(level) > MOST_LEVEL:
        problems.append(
            LineProblem(line, f"The level {level[:40]!r}… is longer than {MOST_LEVEL}.")
        )
        return
    rest = {
        name: content
        for name, content in fields.items()
        if name not in (*FIELDS, "metadata", "set")
    }
    rows.append(
        Row(
            line=line,
            key=_text(fields.get("key")) or str(line),
            question=question,
            answer=_text(fields.get("answer")),
            level=level,
            metadata={**metadata, **rest},
        )
    )


def _text(value: Any) -> str:
    """A field as text: numbers as they are written, nothing as ""."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _repeated(rows: list[Row]) -> list[LineProblem]:
    """Keys that come twice, and too long ones."""
    problems: list[LineProblem] = []
    first: dict[str, int] = {}
    for row in rows:
        if len(row.key) > MOST_KEY:
            problems.append(
                LineProblem(row.line, f"The key {row.key[:40]!r}… is longer than {MOST_KEY}.")
            )
        if row.key in first:
            problems.append(
                LineProblem(row.line, f"The key {row.key!r} stands in line {first[row.key]} too.")
            )
        first.setdefault(row.key, row.line)
    if len(rows) > MOST_LINES:
        problems.append(
            LineProblem(
                MOST_LINES + 1,
                f"The file has {len(rows)} tasks; at most {MOST_LINES} "
                "are taken at once. Split it.",
            )
        )
    return problems
