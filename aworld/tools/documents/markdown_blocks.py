"""Markdown into blocks: headings, paragraphs, lists, tables, code, quotes, rules.

The part of markdown that models write, and that has a place in every kind of document.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

_HEADING = re.compile(r"(#{1,6})\s+(.*?)\s*#*\s*$")
_ITEM = re.compile(r"(\s*)([-*+•]|\d{1,9}[.)])\s+(.*)$")
_FENCE = re.compile(r"\s*(```+|~~~+)")
_RULE = re.compile(r"\s*([-*_])(\s*\1){2,}\s*$")
_DIVIDER = re.compile(r"\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$")
_SPAN = re.compile(
    r"(?P<code>`+)(?P<code_text>.+?)(?P=code)"
    r"|\*\*(?P<bold>\S(?:.*?\S)?)\*\*"
    r"|(?<![\w*])[*_](?P<italic>[^\s*_](?:[^*_]*[^\s*_])?)[*_](?![\w*])"
    r"|!?\[(?P<label>[^\]]*)\]\((?P<target>[^)\s]+)[^)]*\)"
)

_LONGEST_MARKED = 8_000
"""Marks in a longer line are left as they are: looking for their ends takes too long."""
# What XML, and so every kind of document, cannot hold.
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


class Span(NamedTuple):
    """A piece of a line that looks the same."""

    text: str
    bold: bool = False
    italic: bool = False
    code: bool = False
    target: str = ""
    """Where a link leads."""


class Heading(NamedTuple):
    """`## Title`."""

    level: int
    text: str


class Paragraph(NamedTuple):
    """Lines that belong together."""

    text: str


class Item(NamedTuple):
    """A line of a list."""

    depth: int
    ordered: bool
    number: int
    text: str


class Table(NamedTuple):
    """Rows; the first is the head where `has_head`."""

    rows: list[list[str]]
    has_head: bool


class Code(NamedTuple):
    """A fenced listing."""

    text: str


class Quote(NamedTuple):
    """`> said`."""

    text: str


class Rule(NamedTuple):
    """A line across."""


Block = Heading | Paragraph | Item | Table | Code | Quote | Rule


def blocks_of(text: str) -> list[Block]:
    """A text's blocks, in their order."""
    return list(_Reader(_CONTROL.sub("", text).expandtabs(4).splitlines()).blocks())


class _Reader:
    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._at = 0

    def blocks(self) -> Iterator[Block]:
        while self._at < len(self._lines):
            line = self._lines[self._at]
            if not line.strip():
                self._at += 1
                continue
            yield self._block(line)

    def _block(self, line: str) -> Block:
        if _FENCE.match(line):
            return self._code(line)
        heading = _HEADING.match(line)
        if heading:
            self._at += 1
            return Heading(len(heading[1]), heading[2])
        if self._begins_table():
            return self._table()
        if _RULE.match(line):
            self._at += 1
            return Rule()
        item = _ITEM.match(line)
        if item:
            return self._item(item)
        if line.lstrip().startswith(">"):
            return Quote(self._gathered(lambda row: row.lstrip().startswith(">"), r"\s*>\s?"))
        return Paragraph(self._gathered(lambda row: not self._begins_other(row), ""))

    def _gathered(self, belongs: Callable[[str], bool], cut: str) -> str:
        rows: list[str] = []
        while self._at < len(self._lines) and self._lines[self._at].strip():
            row = self._lines[self._at]
            if rows and not belongs(row):
                break
            rows.append(re.sub(cut, "", row, count=1).strip() if cut else row.strip())
            self._at += 1
        return " ".join(rows)

    def _begins_other(self, row: str) -> bool:
        return bool(
            _HEADING.match(row) or _ITEM.match(row) or _FENCE.match(row) or self._begins_table()
        )

    def _begins_table(self) -> bool:
        rest = self._lines[self._at : self._at + 2]
        if len(rest) == 2 and "|" in rest[0] and "-" in rest[1] and _DIVIDER.match(rest[1]):
            return True
        return rest[0].strip().startswith("|") and rest[0].strip().endswith("|")

    def _table(self) -> Table:
        rows: list[list[str]] = []
        has_head = False
        while self._at < len(self._lines) and "|" in self._lines[self._at]:
            line = self._lines[self._at]
            if _DIVIDER.match(line) and "-" in line:
                has_head = has_head or len(rows) == 1
            else:
                rows.append(_cells(line))
            self._at += 1
        width = max(map(len, rows), default=0)
        return Table([row + [""] * (width - len(row)) for row in rows], has_head)

    def _item(self, found: re.Match[str]) -> Item:
        self._at += 1
        pieces = [found[3]]
        indent = len(found[1])
        while self._at < len(self._lines):
            line = self._lines[self._at]
            further = len(line) - len(line.lstrip()) > indent
            if not line.strip() or not further or _ITEM.match(line):
                break
            pieces.append(line.strip())
            self._at += 1
        ordered = found[2][0].isdigit()
        number = int(found[2][:-1]) if ordered else 0
        return Item(min(indent // 2, 8), ordered, number, " ".join(pieces))

    def _code(self, line: str) -> Code:
        fence = line.strip()[:3]
        self._at += 1
        rows = []
        while self._at < len(self._lines) and not self._lines[self._at].strip().startswith(fence):
            rows.append(self._lines[self._at])
            self._at += 1
        self._at += 1
        return Code("\n".join(rows))


def _cells(line: str) -> list[str]:
    row = line.strip().removeprefix("|")
    if row.endswith("|") and not row.endswith("\\|"):
        row = row[:-1]
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", row)]


def spans_of(text: str) -> list[Span]:
    """A line's pieces: bold, italic, code, links, and what lies between them."""
    if len(text) > _LONGEST_MARKED:
        return [Span(text)]
    spans: list[Span] = []
    at = 0
    for found in _SPAN.finditer(text):
        if found.start() > at:
            spans.append(Span(text[at : found.start()]))
        if found["code_text"] is not None:
            spans.append(Span(found["code_text"], code=True))
        elif found["bold"] is not None:
            spans.append(Span(found["bold"], bold=True))
        elif found["italic"] is not None:
            spans.append(Span(found["italic"], italic=True))
        else:
            spans.append(Span(found["label"] or found["target"], target=found["target"]))
        at = found.end()
    if at < len(text):
        spans.append(Span(text[at:]))
    return spans


def plain_text(text: str) -> str:
    """A line without its marks."""
    return "".join(span.text for span in spans_of(text))
