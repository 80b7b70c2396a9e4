"""Cuts a message into sentences, each with its place and the heading that it stands under."""

from __future__ import annotations

import re
from typing import NamedTuple

_CODE = re.compile(r"```[^\n]*\n.*?(?:```|\Z)", re.DOTALL)
_JSON = re.compile(r"^[ \t]*(?:\"[^\"\n]*\":[^\n]*|[{}\[\]]+,?[ \t]*)$", re.MULTILINE)
_END = re.compile(r"[.!?](?=[\s\"'”’*)]|$)[\"'”’*)]*|[。！？；]|\n+")
_CLAUSE = re.compile(
    r"[,;] (?:and|but|while|whereas) (?=[^,;]*\b(?:is|are|was|were|has|have|had)\b)"
    r"|[,，](?:而|但是?)"
)
_SHORT = re.compile(
    r"(?:\b(?:[A-Z]|e\.g|i\.e|etc|vs|approx|no|mr|mrs|ms|dr|prof|st|jr|sr|inc|ltd|co|fig|INT|EXT)"
    r"|^\s*\d{1,3})\.$",
    re.IGNORECASE,
)
_MARKS = re.compile(r"^\s*(?:#{1,6}\s+|[-*•]\s+|\d{1,3}[.)]\s+)+")
MOST = 400
"""Sentences of one message that are looked at; of more, the last ones."""


class Sentence(NamedTuple):
    """One sentence or list item."""

    text: str
    start: int
    heading: str
    """The line above that opens its list, or ""."""
    item: bool
    """Whether it is an item of a list."""


def without_code(text: str) -> str:
    """The text with its fenced code and lines of JSON blanked; all places stay."""
    text = _JSON.sub(lambda line: " " * len(line[0]), text)
    return _CODE.sub(lambda block: re.sub(r"[^\n]", " ", block[0]), text)


def sentences(text: str) -> list[Sentence]:
    """All sentences outside code, the last `MOST` of them."""
    found: list[Sentence] = []
    headings: list[tuple[int, str]] = []
    source = without_code(text)
    start = 0
    for line in source.split("\n"):
        if line.strip():
            indent = len(line) - len(line.lstrip())
            item = bool(re.match(r"\s*(?:[-*•]\s|\d{1,3}[.)]\s)", line))
            while headings and headings[-1][0] >= indent + (1 if item else 0):
                headings.pop()
            above = " ".join(words for _, words in headings)
            found += _cut(line, start, above, item)
            if line.rstrip("*_ \t\r").endswith((":", "：")):
                # Items are often not indented below their heading.
                headings.append((indent, _MARKS.sub("", line).strip()))
        start += len(line) + 1
    return found[-MOST:]


def _cut(line: str, start: int, heading: str, item: bool) -> list[Sentence]:
    found = []
    begin = 0
    for match in _END.finditer(line):
        if _SHORT.search(line[begin : match.start() + 1]):
            continue
        found.append((begin, match.end()))
        begin = match.end()
    found.append((begin, len(line)))
    cut = []
    for low, high in _clauses(line, found):
        piece = line[low:high]
        mark = _MARKS.match(piece)
        low += mark.end() if mark else len(piece) - len(piece.lstrip())
        piece = line[low:high].rstrip()
        if any(sign.isalnum() for sign in piece):
            cut.append(Sentence(piece, start + low, heading, item))
    return cut


def _clauses(line: str, parts: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Parts cut further at `, and` and the like, where a clause with a verb of its own follows."""
    cut = []
    for low, high in parts:
        for match in _CLAUSE.finditer(line, low, high):
            if re.search(r"\b(?:is|are|was|were|has|have|had)\b|[是有]", line[low : match.start()]):
                cut.append((low, match.start()))
                low = match.end()
        cut.append((low, high))
    return cut
