"""Powers, roots and factorials: what grows fast, so each is measured before it is worked out."""

from __future__ import annotations

import math
from fractions import Fraction

from aworld.errors import ToolError
from aworld.tools.expressions.numbers import (
    MOST_DIGITS,
    Value,
    check_size,
    is_whole,
    to_float,
    too_large,
)

_LARGEST_FACTORIAL = 3000
_MOST_BITS = int(MOST_DIGITS * math.log2(10))


def power(base: Value, exponent: Value) -> Value:
    """`base ** exponent`, exact where both and the result are rational.

    Raises:
        ToolError: too large, not real, or zero to a negative power.
    """
    if base == 0 and exponent < 0:
        raise ToolError("Division by zero: 0 has no negative power.")
    if isinstance(base, Fraction) and isinstance(exponent, Fraction):
        if exponent.denominator == 1:
            return _whole_power(base, exponent.numerator)
        found = root(base, exponent.denominator) if exponent.denominator <= 64 else None
        if found is not None:
            return _whole_power(found, exponent.numerator)
    if base < 0:
        raise ToolError("A negative number has no real power with this exponent.")
    try:
        return check_size(to_float(base) ** to_float(exponent))
    except OverflowError:
        raise ToolError("The result is too large to work with.") from None


def _whole_power(base: Fraction, exponent: int) -> Fraction:
    if base in (0, 1):
        return Fraction(1) if exponent == 0 else base
    if base == -1:
        return Fraction(-1 if exponent % 2 else 1)
    largest = max(base.numerator.bit_length(), base.denominator.bit_length())
    if (largest - 1) * abs(exponent) > _MOST_BITS:
        raise too_large()
    return base**exponent


def root(value: Fraction, degree: int) -> Fraction | None:
    """The exact root, or None where it is irrational.

    Raises:
        ToolError: an even root of a negative number.
    """
    if value < 0:
        if degree % 2 == 0:
            raise ToolError("A negative number has no real root of an even degree.")
        positive = root(-value, degree)
        return None if positive is None else -positive
    numerator = _whole_root(value.numerator, degree)
    denominator = _whole_root(value.denominator, degree)
    if numerator is None or denominator is None:
        return None
    return Fraction(numerator, denominator)


def _whole_root(value: int, degree: int) -> int | None:
    """Newton's method from above, so that it ends on the floor of the root."""
    if value < 2 or degree == 1:
        return value
    guess: int = 1 << -(-value.bit_length() // degree)
    while True:
        better = ((degree - 1) * guess + value // guess ** (degree - 1)) // degree
        if better >= guess:
            return guess if guess**degree == value else None
        guess = better


def any_root(value: Value, degree: int) -> Value:
    """A square or cube root, exact where it can be."""
    if isinstance(value, Fraction):
        found = root(value, degree)
        if found is not None:
            return found
    elif value < 0 and degree % 2 == 0:
        raise ToolError("A negative number has no real root of an even degree.")
    number = to_float(value)
    return math.sqrt(number) if degree == 2 else math.cbrt(number)


def factorial(value: Value) -> Fraction:
    """`n!`.

    Raises:
        ToolError: n is not a whole number from 0 on, or too large.
    """
    if not is_whole(value) or value < 0:
        raise ToolError("A factorial needs a whole number that is not negative.")
    if value > _LARGEST_FACTORIAL:
        raise ToolError(f"A factorial of more than {_LARGEST_FACTORIAL} is too large.")
    return Fraction(math.factorial(int(value)))
