"""Reads dates and times of day in the ways people write them, English and Chinese."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from aworld.coordination import number_words
from aworld.coordination.statement import Span

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan", "february feb", "march mar", "april apr", "may", "june jun",
            "july jul", "august aug", "september sept sep", "october oct", "november nov",
            "december dec",
        ),
        start=1,
    )
    for name in names.split()
}  # fmt: skip
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_YEAR = r"(?:1[0-9]|20|21)\d\d"
_HAN = "[0-9零〇一二三四五六七八九十]"
_SHAPES = (
    rf"(?P<y>{_YEAR})[-/.](?P<m>\d{{1,2}})[-/.](?P<d>\d{{1,2}})(?!\d)",
    rf"(?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<month>{_MONTH})\.?,? (?P<y>{_YEAR})\b",
    rf"(?P<month>{_MONTH})\.? (?P<d>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<y>{_YEAR})\b",
    rf"(?P<month>{_MONTH})\.?,? (?P<y>{_YEAR})\b",
    rf"(?P<a>\d{{1,2}})[/.](?P<b>\d{{1,2}})[/.](?P<y>{_YEAR})\b",
    rf"(?P<y>{_HAN}{{4}})年(?:(?P<m>{_HAN}{{1,3}})月(?:(?P<d>{_HAN}{{1,3}})[日号])?)?",
    rf"(?:the )?(?P<decade>{_YEAR[:-4]}\d0)s\b",
    r"(?P<century>\d{1,2})(?:st|nd|rd|th) century\b",
    rf"(?P<month>{_MONTH}) (?P<d>\d{{1,2}})(?:st|nd|rd|th)?\b(?![ ,]*\d)",
    rf"(?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<month>{_MONTH})\b(?![ ,]*\d)",
    rf"(?<![\d.,$€£-])(?P<y>{_YEAR})(?![\d.,]*\d|[-/]\d|\s?(?:%|km|m|kg|g|hours?|米|人|元)(?!\w))",
)
_DATES = [re.compile(rf"(?<![^\W_\u4e00-\u9fff]){shape}", re.IGNORECASE) for shape in _SHAPES]
_TIMES = (
    re.compile(r"(?<![\d:])(?P<h>\d{1,2})(?::(?P<m>[0-5]\d))?\s?(?P<half>[ap])\.?m\b\.?", re.I),
    re.compile(r"(?<![\d:])(?P<h>[01]?\d|2[0-4]):(?P<m>[0-5]\d)(?![\d:])"),
    re.compile(r"\b(?P<word>noon|midnight)\b", re.I),
    re.compile(r"(?P<part>早上|上午|中午|下午|晚上|凌晨)?(?P<h>\d{1,2})[点时](?:(?P<m>\d{1,2})分?)?"),
)  # fmt: skip


class Day(msgspec.Struct, frozen=True):
    """A stretch of days: each bound `(year, month, day)`; year 0 where none is said."""

    readings: tuple[tuple[tuple[int, int, int], tuple[int, int, int]], ...]
    """First and last day; two readings where day and month may be swapped."""
    span: Span


class Moment(msgspec.Struct, frozen=True):
    """A time of day."""

    minute: int
    """Since midnight."""
    span: Span


def days(text: str) -> list[Day]:
    """All dates, in their order; a year of four digits is one."""
    found: list[Day] = []
    taken: list[Span] = []
    for pattern in _DATES:
        for match in pattern.finditer(text):
            span = Span(match.start(), match.end(), match[0])
            readings = tuple(_readings(match))
            if readings and not any(span.start < t.end and t.start < span.end for t in taken):
                taken.append(span)
                found.append(Day(readings, span))
    return sorted(found, key=lambda day: day.span.start)


def moments(text: str) -> list[Moment]:
    """All times of day, in their order."""
    found: list[Moment] = []
    for pattern in _TIMES:
        for match in pattern.finditer(text):
            span = Span(match.start(), match.end(), match[0])
            minute = _minute(match)
            if minute is not None and not any(
                span.start < other.span.end and other.span.start < span.end for other in found
            ):
                found.append(Moment(minute, span))
    return sorted(found, key=lambda moment: moment.span.start)


def same_day(one: Day, other: Day) -> bool:
    """Whether one may be the other, said less exactly or in the other order of day and month."""
    return any(_overlap(first, second) for first in one.readings for second in other.readings)


def _overlap(
    one: tuple[tuple[int, int, int], tuple[int, int, int]],
    other: tuple[tuple[int, int, int], tuple[int, int, int]],
) -> bool:
    if one[0][0] == 0 or other[0][0] == 0:
        one, other = _yearless(one), _yearless(other)
    return one[0] <= other[1] and other[0] <= one[1]


def _yearless(
    days: tuple[tuple[int, int, int], tuple[int, int, int]],
) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    return (0, *days[0][1:]), (0, *days[1][1:])


def _readings(
    match: re.Match[str],
) -> Iterator[tuple[tuple[int, int, int], tuple[int, int, int]]]:
    part = match.groupdict()
    if part.get("decade"):
        first = int(part["decade"])
        yield (first, 1, 1), (first + 9, 12, 31)
    elif part.get("century"):
        first = 100 * (int(part["century"]) - 1)
        yield (first, 1, 1), (first + 100, 12, 31)
    elif part.get("a"):
        year, a, b = int(part["y"]), int(part["a"]), int(part["b"])
        for month, day in sorted({(a, b), (b, a)}):
            if month <= 12 and day <= 31:
                yield (year, month, day), (year, month, day)
    else:
        yield from _single(part)


def _single(
    part: dict[str, str | None],
) -> Iterator[tuple[tuple[int, int, int], tuple[int, int, int]]]:
    year = _count(part.get("y"))
    named = part.get("month")
    month = _MONTHS[named.lower()] if named else _count(part.get("m"))
    day = _count(part.get("d"))
    if month > 12 or day > 31:
        return
    yield (year, month or 1, day or 1), (year, month or 12, day or 31)


def _count(text: str | None) -> int:
    if not text:
        return 0
    if text.isdecimal():
        return int(text)
    value = number_words.chinese(text)
    return int(value) if value is not None else 0


def _minute(match: re.Match[str]) -> int | None:
    part = match.groupdict()
    if part.get("word"):
        return 720 if part["word"].lower() == "noon" else 0
    hour, minute = int(part["h"]), int(part.get("m") or 0)
    if part.get("half"):
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if part["half"].lower() == "p" else 0)
    if part.get("part") in ("下午", "晚上") and hour < 12:
        hour += 12
    return hour * 60 + minute if hour <= 24 and minute < 60 else None
