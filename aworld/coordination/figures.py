"""Reads the numbers of a text, each with its unit, its bounds and how exactly it is meant."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

import msgspec

from aworld.coordination import number_words, units
from aworld.coordination.statement import Span

_PLAIN = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d,]*\d)|\d+(?:\.\d+)?|\.\d+"
_NUMBER = re.compile(
    r"(?<![\w.,/^])(?P<sign>[-−–+](?=[\d.]))?"
    rf"(?:(?P<money>{units.CURRENCY_SIGNS})[ ]?(?P<inner>[-−](?=\d))?)?"
    r"(?:\\d?frac\{(?P<top>\d{1,12})\}\{(?P<bottom>\d{1,12})\}"
    r"|(?P<whole>\d{1,6})[ ](?P<part>\d{1,3}/\d{1,3})(?![\d/])"
    r"|(?P<ratio>\d{1,9}/\d{1,9})(?![\d/])"
    rf"|(?P<plain>{_PLAIN})(?:[eE](?P<exponent>[-+]?\d{{1,3}})\b"
    r"|\s?(?:[x×*]|\\times)\s?10(?:\^|\*\*)\{?(?P<power>[-−]?\d{1,3})\}?)?)"
    r"(?:[ ]?(?P<scale>thousand|million|billion|trillion|[kKM](?![\w/])|千(?![米克])|万|亿))?"
)
_SCALES = {
    "thousand": 10**3, "k": 10**3, "K": 10**3, "million": 10**6, "M": 10**6, "billion": 10**9,
    "trillion": 10**12, **number_words.CHINESE_SCALES,
}  # fmt: skip
_ABOUT = re.compile(
    r"(?:about|around|approximately|approx\.?|roughly|nearly|almost|some|circa|~|≈|\\approx|约|大约|"
    r"左右|近)\s?(?:as )?(?:\*\*|\$)?$",
    re.IGNORECASE,
)
_AT_LEAST = re.compile(
    r"(?:at least|no less than|more than|over|above|minimum of|≥|>=?|至少|不少于|超过)\s?$", re.I
)
_AT_MOST = re.compile(
    r"(?:at most|no more than|up to|less than|under|below|maximum of|≤|<=?|最多|不超过|至多)\s?$",
    re.IGNORECASE,
)
_RANGE = re.compile(r"\s?(?:-|–|—|to|and|至|到|~)\s?", re.IGNORECASE)
_CLOCK = re.compile(r"(?<![\d:])(\d{1,3}):([0-5]\d):([0-5]\d)(?![\d:])")
_ALLOWANCE = 0.05
"""The part by which a number that is "about" so large may be off."""


class Figure(msgspec.Struct, frozen=True):
    """One number, as an interval."""

    low: float
    high: float
    unit: str
    """A name of `units`, or "" where none stands there."""
    step: float
    """The worth of its last written digit."""
    about: bool
    span: Span

    @property
    def bounded(self) -> bool:
        """Whether it is one number, no range."""
        return self.low == self.high


def figures(text: str) -> list[Figure]:
    """All numbers, in their order. Dates are numbers here too: look for dates first."""
    found = sorted([*_durations(text), *_digits(text), *_words(text)], key=lambda f: f.span.start)
    kept: list[Figure] = []
    for figure in found:
        if not kept or figure.span.start >= kept[-1].span.end:
            kept.append(figure)
    return _joined(text, kept)


def agree(one: Figure, other: Figure) -> bool:
    """Whether both can be meant by one and the same number, rounding allowed for."""
    if one.unit and other.unit and one.unit != other.unit:
        if units.scale(one.unit).kind != units.scale(other.unit).kind:
            return False
        one, other = _in_base(one), _in_base(other)
    elif units.PERCENT in (one.unit, other.unit) and one.unit != other.unit:
        return _near(one, other) or _near(_as_part(one), _as_part(other))
    return _near(one, other)


def comparable(one: Figure, other: Figure) -> bool:
    """Whether they measure the same kind of thing, so that a difference means something."""
    if one.unit == other.unit:
        return True
    if not (one.unit and other.unit):
        return False
    return units.scale(one.unit).kind == units.scale(other.unit).kind


def _near(one: Figure, other: Figure) -> bool:
    gap = max(one.low - other.high, other.low - one.high, 0.0)
    # Two with as many digits must be the same; of a coarser one half its last digit is left open.
    rounding = max(one.step, other.step) / 2 if one.step != other.step else 0.0
    size = min(abs(one.low), abs(other.low)) if max(one.high, other.high) < 1e300 else 0.0
    loose = _ALLOWANCE * size if one.about or other.about else 0.0
    return gap <= max(rounding, loose) * (1 + 1e-9) + 1e-9 * size


def _in_base(figure: Figure) -> Figure:
    scale = units.scale(figure.unit)
    return msgspec.structs.replace(
        figure,
        low=figure.low * scale.factor + scale.offset,
        high=figure.high * scale.factor + scale.offset,
        step=figure.step * scale.factor,
    )


def _as_part(figure: Figure) -> Figure:
    if figure.unit != units.PERCENT:
        return figure
    return msgspec.structs.replace(
        figure, low=figure.low / 100, high=figure.high / 100, step=figure.step / 100
    )


def _digits(text: str) -> Iterator[Figure]:
    for match in _NUMBER.finditer(text):
        value, step = _value(match)
        if match["sign"] in ("-", "−", "–") and not _binds(text, match.start()) or match["inner"]:
            value = -value
        end = match.end()
        unit, end = _unit(text, end)
        if text[end : end + 1].isascii() and text[end : end + 1].isalnum():
            # A part of a code such as 80GSFC21M0002.
            continue
        if match["money"]:
            unit = units.NAMES[match["money"]]
        start = match.start()
        if match["sign"] and _binds(text, start):
            start += 1
        yield _figure(text, start, end, value, step, unit)


def _binds(text: str, place: int) -> bool:
    """Whether a sign at this place joins two things, as in `10-15`, and is no minus."""
    return place > 0 and (text[place - 1].isalnum() or text[place - 1] in ")]%")


def _value(match: re.Match[str]) -> tuple[Fraction, float]:
    """The number and the worth of its last digit."""
    if match["top"]:
        value, step = Fraction(int(match["top"]), max(int(match["bottom"]), 1)), 0.0
    elif match["whole"]:
        top, _, bottom = match["part"].partition("/")
        value, step = int(match["whole"]) + Fraction(int(top), max(int(bottom), 1)), 0.0
    elif match["ratio"]:
        top, _, bottom = match["ratio"].partition("/")
        value, step = Fraction(int(top), max(int(bottom), 1)), 0.0
    else:
        plain = match["plain"].replace(",", "")[:40]
        exponent = int((match["exponent"] or match["power"] or "0").replace("−", "-"))
        value = Fraction(plain) * Fraction(10) ** min(max(exponent, -300), 260)
        step = 10.0 ** (min(max(exponent, -300), 260) - len(plain.partition(".")[2]))
    scale = _SCALES.get(match["scale"] or "", 1)
    return value * scale, step * scale


def _unit(text: str, end: int) -> tuple[str, int]:
    match = units.FOLLOWING.match(text, end)
    if match is None:
        return "", end
    return units.NAMES[match["unit"]], match.end()


def _words(text: str) -> Iterator[Figure]:
    for match in number_words.ENGLISH.finditer(text):
        unit, end = _unit(text, match.end())
        step = 0.0 if match["part"] else 1.0
        yield _figure(text, match.start(), end, number_words.english(match), step, unit)
    for match in number_words.CHINESE.finditer(text):
        counted = len(match[0]) > 1 or units.FOLLOWING.match(text, match.end())
        value = number_words.chinese(match[0]) if counted else None
        if value is not None:
            unit, end = _unit(text, match.end())
            yield _figure(text, match.start(), end, value, 1.0, unit)


def _durations(text: str) -> Iterator[Figure]:
    for match in _CLOCK.finditer(text):
        hours, minutes, seconds = (int(part) for part in match.groups())
        total = Fraction(3600 * hours + 60 * minutes + seconds)
        yield _figure(text, match.start(), match.end(), total, 1.0, "s")


def _figure(text: str, start: int, end: int, value: Fraction, step: float, unit: str) -> Figure:
    before = text[max(0, start - 24) : start]
    number = float(value)
    low = high = number
    if _AT_LEAST.search(before):
        high = float("inf")
    elif _AT_MOST.search(before):
        low = float("-inf")
    about = bool(_ABOUT.search(before)) or text[end : end + 2] == "左右"
    return Figure(low, high, unit, step, about, Span(start, end, text[start:end]))


def _joined(text: str, found: list[Figure]) -> list[Figure]:
    """Ranges (`10-15 minutes`) and sums (`1 h 59 min`) as one figure each."""
    joined: list[Figure] = []
    for figure in found:
        last = joined[-1] if joined else None
        if last is not None and last.bounded and figure.bounded:
            between = text[last.span.end : figure.span.start]
            both = _range(text, last, figure, between) or _sum(text, last, figure, between)
            if both is not None:
                joined[-1] = both
                continue
        joined.append(figure)
    return joined


def _range(text: str, one: Figure, other: Figure, between: str) -> Figure | None:
    if not _RANGE.fullmatch(between) or (one.unit and one.unit != other.unit):
        return None
    spoken = between.strip().lower() == "and"
    if spoken and not re.search(r"between\s?$", text[: one.span.start], re.IGNORECASE):
        return None
    if one.low > other.high:
        return None
    span = Span(one.span.start, other.span.end, text[one.span.start : other.span.end])
    return msgspec.structs.replace(other, low=one.low, span=span, about=one.about)


def _sum(text: str, one: Figure, other: Figure, between: str) -> Figure | None:
    if not (units.known(one.unit) and units.sums(one.unit) and units.sums(other.unit)):
        return None
    if between.strip() not in ("", "and", ",") or one.unit == other.unit:
        return None
    larger, smaller = units.scale(one.unit), units.scale(other.unit)
    if larger.kind != smaller.kind or larger.factor <= smaller.factor:
        return None
    value = one.low * larger.factor / smaller.factor + other.low
    span = Span(one.span.start, other.span.end, text[one.span.start : other.span.end])
    return msgspec.structs.replace(other, low=value, high=value, span=span)


def without(text: str, spans: list[Span]) -> str:
    """The text with these parts blanked, so that all other places stay."""
    for first, second in pairwise([*spans, Span(len(text), len(text), "")]):
        if first.start > second.start:
            raise ValueError("spans must be given in order")
    for span in spans:
        text = text[: span.start] + " " * (span.end - span.start) + text[span.end :]
    return text
