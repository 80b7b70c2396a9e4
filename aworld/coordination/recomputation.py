"""Finds arithmetic in a result and works it out again with the calculator's parser."""

from __future__ import annotations

import re

import msgspec

from aworld.coordination import units
from aworld.coordination.figures import Figure, agree, figures
from aworld.coordination.sentences import without_code
from aworld.coordination.statement import Span, readable
from aworld.errors import ToolError
from aworld.tools.expressions.functions import FUNCTIONS
from aworld.tools.expressions.numbers import to_float, write
from aworld.tools.quantities.evaluation import work_out
from aworld.tools.quantities.quantity import Quantity, factor_of
from aworld.tools.quantities.reading import read

MOST = 200
"""Equations of one result that are worked out."""
_LONGEST = 300
_EQUALS = re.compile(r"(?<![<>=!:])(?:=|≈|\\approx)(?![=>])")
_BREAK = re.compile(
    r"[;:\n。；：!?]|[.,，](?=\s)|=|≈|\\approx|\b(?:and|is|gives|so|are|then)\b(?!\s*\()"
)
_LATEX = (
    (re.compile(r"\\d?frac\{([^{}]*)\}\{([^{}]*)\}"), r"(\1)/(\2)"),
    (re.compile(r"\\text\{[^{}]*\}|\\[()\[\],;]|\$(?!\s?\d)|&|\*\*(?!\s?\(?[\d-])"), " "),
    (re.compile(r"\\times|\\cdot"), "*"),
    (re.compile(r"\\?\bmod\b"), "%"),
    (re.compile(r"(?<=\d),(?=\d{1,2}(?!\d))"), "."),
    (re.compile(units.CURRENCY_SIGNS), " "),
    (re.compile(r"(?<=[\d)])\s?[x×]\s?(?=[\d(])"), "*"),
)
_WORD = re.compile(r"[^\W\d_]+(?:/[^\W\d_]+)?")
_OPERATOR = re.compile(r"(?<=[\d)%a-zA-Z])\s*(?:[+*/×÷·^−-]|\bof\b|%)\s*(?=[\d(.+-])|\bsqrt\(|√")
_ONLY_ARITHMETIC = re.compile(r"[\d\s.,+\-*/×÷·−^()%]+")


class Recomputed(msgspec.Struct, frozen=True):
    """One equation of a result."""

    holds: bool
    span: Span
    """The equation as it stands there."""
    expression: str
    """Its left side as the calculator read it."""
    value: str
    """What the calculator gives."""
    said: str
    """What the result says."""


def recompute(text: str) -> list[Recomputed]:
    """Every equation of numbers outside code; what cannot be read as one is left out."""
    source = without_code(readable(text))
    found = (_checked(source, sign) for sign in _EQUALS.finditer(source))
    kept: list[Recomputed] = []
    for equation in found:
        if equation is not None:
            kept.append(equation)
        if len(kept) == MOST:
            break
    return kept


def _checked(source: str, sign: re.Match[str]) -> Recomputed | None:
    before = source[max(0, sign.start() - _LONGEST) : sign.start()]
    breaks = list(_BREAK.finditer(before))
    start = sign.start() - len(before) + (breaks[-1].end() if breaks else 0)
    expression = _expression(source[start : sign.start()])
    right = _right(source, sign.end())
    if expression is None or right is None:
        return None
    value = _value(expression)
    if value is None or not _same_kind(value, right):
        return None
    holds = _holds(value, right, rough=sign[0] != "=")
    if not holds and not value.plain:
        # `3 hours * 60 = 180 minutes`: units carried along as words.
        bare = _value(" ".join(_WORD.sub(" ", expression).split()))
        holds = bare is not None and _holds(bare, right, rough=False)
    end = sign.end() + right.span.end
    start += len(source[start:end]) - len(source[start:end].lstrip())
    return Recomputed(
        holds,
        Span(start, end, source[start:end]),
        expression,
        _written(value),
        right.span.text.strip(),
    )


def _holds(value: Quantity, right: Figure, *, rough: bool) -> bool:
    left = _in_unit(value, right)
    exact = msgspec.structs.replace(right, about=False)
    return agree(left, exact) or (rough and _within(left.low, right.low, 0.01))


def _in_unit(value: Quantity, right: Figure) -> Figure:
    number = to_float(value.value)
    if value.plain and right.unit == units.PERCENT:
        return Figure(number, number, "", 0.0, False, right.span)
    if not value.plain:
        scale = units.scale(right.unit)
        number = (number * to_float(factor_of(value.units)) - scale.offset) / scale.factor
    return Figure(number, number, right.unit, 0.0, False, right.span)


def _within(one: float, other: float, part: float) -> bool:
    return abs(one - other) <= part * abs(one)


def _right(source: str, place: int) -> Figure | None:
    """The number behind the sign; an expression there is worked out."""
    after = re.split(r"[=≈\n]|\\approx", source[place : place + 120])[0]
    found = figures(after)
    if not found or not re.fullmatch(r"[\s$€£¥*\\(]*", after[: found[0].span.start]):
        return None
    rest = after[found[0].span.end :]
    if not re.match(r"\s*[+*/×÷^-]\s*[\d(]", rest):
        return found[0]
    run = _ONLY_ARITHMETIC.match(after)
    value = _value(run[0].strip(" .,")) if run else None
    if value is None:
        return None
    number = to_float(value.value)
    return Figure(
        number, number, "", 0.0, False, Span(0, len(run[0]) if run else 0, run[0] if run else "")
    )


def _expression(text: str) -> str | None:
    """The arithmetic at the end of a text, units kept and other words left out."""
    for pattern, instead in _LATEX:
        text = pattern.sub(instead, text)
    named = [word for word in _WORD.findall(text)]
    foreign = [word for word in named if not _belongs(word)]
    if any(len(word) == 1 and word.isascii() for word in foreign):
        return None
    if foreign:
        if re.search(r"\d[-–]\d", text):
            # `pages 10-15` is a range.
            return None
        text = _WORD.sub(lambda m: m[0] if m[0].lower() in ("of", "sqrt") else " ", text)
        text = re.sub(r"\(\s*\)|'[^']*'|\bof\b(?!\s*\d)", " ", text)
    text = " ".join(text.replace("−", "-").split()).strip(" .,'\"*")
    if re.search(r"\d\s*\(", text):
        # `8 (0-4-0)` is a remark, no product.
        return None
    if not _OPERATOR.search(text) or not re.match(r"[\d(.√+-]|sqrt", text):
        return None
    return text


def _belongs(word: str) -> bool:
    return word in units.NAMES or word.lower() in FUNCTIONS or word in ("of", "pi", "e")


def _value(expression: str) -> Quantity | None:
    try:
        return work_out(read(_pint_names(expression)))
    except (ToolError, RecursionError):
        return None


def _pint_names(expression: str) -> str:
    def name(match: re.Match[str]) -> str:
        own = units.NAMES.get(match[0], match[0])
        return own if re.fullmatch(r"[A-Za-z/]+", own) and own not in ("USD", "EUR") else match[0]

    return _WORD.sub(name, expression)


def _same_kind(value: Quantity, right: Figure) -> bool:
    if value.plain:
        return True
    if not right.unit or right.unit == units.PERCENT:
        return False
    return value.dimension == units.scale(right.unit).kind


def _written(value: Quantity) -> str:
    unit = " ".join(value.units)
    return f"{write(value.value)} {unit}".strip()
