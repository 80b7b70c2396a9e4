"""The numbers expressions work with, their limits, and how they are written."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from aworld.errors import ToolError

Value = Fraction | float
"""Exact, or a float where the true value is irrational."""

MOST_DIGITS = 10_000
"""Decimal digits that a number may have on the way."""
SHOWN_DIGITS = 1_000
"""Decimal digits that a result is written out with."""
_MOST_BITS = int(MOST_DIGITS * math.log2(10))
_SIGNIFICANT = 6


def exact(value: int) -> Fraction:
    """A whole number."""
    return Fraction(value)


def is_whole(value: Value) -> bool:
    """Whether it is an exact whole number."""
    return isinstance(value, Fraction) and value.denominator == 1


def to_float(value: Value) -> float:
    """As a float.

    Raises:
        ToolError: it is too large for one.
    """
    try:
        return float(value)
    except OverflowError:
        raise ToolError("The number is too large to go on with inexactly.") from None


def check_size(value: Value) -> Value:
    """The value itself.

    Raises:
        ToolError: it has too many digits, or is no finite number.
    """
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ToolError("The result is too large, or is not a number.")
        return value
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > _MOST_BITS:
        raise too_large()
    return value


def too_large() -> ToolError:
    """The error of a number with too many digits."""
    return ToolError(f"The result is too large: it would have more than {MOST_DIGITS} digits.")


def write(value: Value) -> str:
    """As people write it: `1081`, `0.3`, `0.333333…` where the digits go on for ever."""
    if isinstance(value, float):
        return _shorter(f"{value:.15g}")
    if value.denominator == 1:
        return _whole(value.numerator)
    return _decimal(value)


def as_data(value: Value) -> dict[str, Any]:
    """`{value: number, exact: "1/3"}`, either null: `value` where a JSON number could not hold it,
    `exact` where the number is irrational or has too many digits."""
    if isinstance(value, float):
        return {"value": value, "exact": None}
    return {"value": _json_number(value), "exact": _fraction(value)}


def _json_number(value: Fraction) -> int | float | None:
    if value.denominator == 1:
        return value.numerator if abs(value.numerator) < 2**53 else None
    try:
        return float(value)
    except OverflowError:
        return None


def _fraction(value: Fraction) -> str | None:
    parts = [_digits(abs(value.numerator)), _digits(value.denominator)]
    if max(map(len, parts)) > SHOWN_DIGITS:
        return None
    sign = "-" if value < 0 else ""
    return sign + (parts[0] if value.denominator == 1 else "/".join(parts))


def _whole(value: int) -> str:
    digits = _digits(abs(value))
    sign = "-" if value < 0 else ""
    if len(digits) <= SHOWN_DIGITS:
        return sign + digits
    return f"{sign}{digits[0]}.{digits[1:12]}…e+{len(digits) - 1} ({len(digits)} digits)"


def _digits(value: int) -> str:
    # Python refuses to write out more than 4300 digits at once.
    if value.bit_length() < 14_000:
        return str(value)
    half = value.bit_length() * 3 // 20
    high, low = divmod(value, 10**half)
    return _digits(high) + _digits(low).zfill(half)


def _decimal(value: Fraction) -> str:
    sign = "-" if value < 0 else ""
    whole, rest = divmod(abs(value), 1)
    places = _finite_places(rest.denominator)
    if places is not None and places <= 30:
        return f"{sign}{_whole(whole)}.{rest.numerator * 10**places // rest.denominator:0{places}}"
    # Zeros after the point do not count, so that small numbers keep their significant digits.
    leading = _leading_zeros(rest) if whole == 0 else 0
    if leading > 30:
        return f"{sign}{_small(rest, leading)}"
    count = leading + _SIGNIFICANT
    digits = rest.numerator * 10**count // rest.denominator
    return f"{sign}{_whole(whole)}.{digits:0{count}}…"


def _leading_zeros(value: Fraction) -> int:
    """Zeros after the point of a number between 0 and 1."""
    bits = value.denominator.bit_length() - value.numerator.bit_length() - 1
    zeros = max(0, int(bits / math.log2(10)) - 1)
    while value.numerator * 10 ** (zeros + 1) < value.denominator:
        zeros += 1
    return zeros


def _small(value: Fraction, leading: int) -> str:
    """With a power of ten: `3.33333…e-41`."""
    digits, rest = divmod(value.numerator * 10 ** (leading + _SIGNIFICANT), value.denominator)
    written = str(digits)
    decimals = written[1:] if rest else written[1:].rstrip("0")
    more = "…" if rest else ""
    return f"{written[0]}{'.' if decimals else ''}{decimals}{more}e-{leading + 1}"


def _finite_places(denominator: int) -> int | None:
    """How many decimal places a fraction needs, or None where they never end."""
    twos = fives = 0
    while denominator % 2 == 0:
        denominator //= 2
        twos += 1
    while denominator % 5 == 0:
        denominator //= 5
        fives += 1
    return max(twos, fives) if denominator == 1 else None


def _shorter(digits: str) -> str:
    return digits.replace("e+0", "e+").replace("e-0", "e-")
