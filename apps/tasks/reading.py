"""Task files: JSONL or CSV to rows, each broken line named by its number."""

from __future__ import annotations

import csv
import io
import json
from typing import Any, NamedTuple

MOST_LINES = 200_000
MOST_QUESTION = 200_000
"""Characters of a question."""
FIELDS = ("key", "question", "answer", "level")
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
    as_csv = name.lower().endswith((".csv", ".tsv")) or not text.lstrip().startswith("{")
    read = _csv(text, name) if as_csv else _jsonl(text)
    return Read(read.rows, read.problems + _repeated(read.rows))


def _jsonl(text: str) -> Read:
    rows: list[Row] = []
    problems: list[LineProblem] = []
    # Not splitlines: U+2028 may stand inside a JSON string.
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except json.JSONDecodeError as error:
            problems.append(
                LineProblem(number, f"This is no JSON: {error.msg} at character {error.pos + 1}.")
            )
            continue
        _add(number, value, rows, problems)
    return Read(rows, problems)


def _csv(text: str, name: str) -> Read:
    delimiter = "\t" if name.lower().endswith(".tsv") else ","
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    rows: list[Row] = []
    problems: list[LineProblem] = []
    try:
        head = [cell.strip() for cell in next(reader)]
        if "question" not in {_ALIASES.get(cell, cell) for cell in head}:
            message = f"The first line must name the columns, 'question' among them; it has {head}."
            return Read([], [LineProblem(1, message)])
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
        problems.append(LineProblem(reader.line_num, f"This is no CSV: {error}."))
    return Read(rows, problems)


def _add(line: int, value: object, rows: list[Row], problems: list[LineProblem]) -> None:
    """Read one task into `rows`, or say what is wrong with it."""
    if not isinstance(value, dict):
        problems.append(
            LineProblem(line, f"A task is an object with a 'question', not {value!r:.60}.")
        )
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
            level=_text(fields.get("level")),
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
        if len(row.key) > 120:
            problems.append(
                LineProblem(row.line, f"The key {row.key[:40]!r}… is longer than 120 characters.")
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
