"""What units are worth, by name. Pint has the definitions; it is loaded when one is asked for."""

from __future__ import annotations

import difflib
import functools
import re
import threading
from fractions import Fraction
from typing import Any

import msgspec

from aworld.errors import ToolError
from aworld.tools.expressions.numbers import Value

Dimension = tuple[tuple[str, Fraction], ...]
"""Base dimensions with their exponents, sorted: `(("length", 1), ("time", -1))`."""

_CURRENCIES = re.compile(
    r"usd|eur|gbp|jpy|cny|rmb|inr|chf|cad|aud|krw|brl|rub|btc|dollars?|euros?|yen|yuan|renminbi|"
    r"rupees?|cents?|bitcoins?"
)
# Written often, and unknown to Pint or something else to it.
_ALSO = {"secs": "second", "mins": "minute", "hrs": "hour", "gal": "gallon", "lbs": "pound"}
# A factor with more digits than any definition has is of an irrational number, such as π.
_MOST_DIGITS = 30
_lock = threading.Lock()


class Unit(msgspec.Struct, frozen=True):
    """A unit: what one of it is in base units (metre, kilogram, second …)."""

    name: str
    """As it was written."""
    factor: Value
    """Exact, or a float where the definition is irrational."""
    dimension: Dimension
    offset: Value = Fraction(0)
    """Where its zero lies, in base units: 273.15 for `degC`."""
    on_scale: bool = False
    """Whether its zero is not the base unit's."""
    turns: bool = False
    """Whether it counts angles: `rpm` does, `Hz` does not."""


@functools.cache
def find_unit(name: str) -> Unit:
    """A unit by name or symbol, with a prefix or without.

    Raises:
        ToolError: there is none; the text names the nearest.
    """
    with _lock:
        registry = _registry()
        parsed = registry.parse_unit_name(_ALSO.get(name, name))
        if not parsed:
            raise _unknown(name)
        full = "".join(parsed[0][:2])
        try:
            # A scale is told from two of its points, a logarithm from a third.
            zero, one, two = (
                registry.Quantity(Fraction(n), full).to_root_units() for n in range(3)
            )
        except (ArithmeticError, ValueError, TypeError, AttributeError):
            raise ToolError(f"{name!r} cannot be worked with: it has no fixed size.") from None
    factor = Fraction(one.magnitude) - Fraction(zero.magnitude)
    if Fraction(two.magnitude) - Fraction(one.magnitude) != factor:
        raise ToolError(f"{name!r} is a logarithmic unit; those cannot be worked with here.")
    offset = _sound(Fraction(zero.magnitude))
    roots = {str(root): Fraction(power) for root, power in one.unit_items()}
    dimension = {str(part).strip("[]"): power for part, power in one.dimensionality.items()}
    if "bit" in roots:
        dimension["information"] = roots["bit"]
    parts = sorted((part, Fraction(power)) for part, power in dimension.items())
    return Unit(name, _sound(factor), tuple(parts), offset, bool(offset), "radian" in roots)


def dimension_name(dimension: Dimension) -> str:
    """`a length`, `length/time`, `a plain number`."""
    if not dimension:
        return "a plain number"
    if len(dimension) == 1 and dimension[0][1] == 1:
        return f"a {dimension[0][0]}"
    return _KNOWN.get(dimension) or "*".join(
        part if power == 1 else f"{part}^{power}" for part, power in dimension
    )


def _sound(number: Fraction) -> Value:
    """The number, as a float where it stands for an irrational one: π has fifty digits there."""
    for half in (number.numerator, number.denominator):
        bare = abs(half)
        for prime in (10, 2, 5):
            while bare and bare % prime == 0:
                bare //= prime
        if len(str(bare)) > _MOST_DIGITS:
            return float(number)
    return number


@functools.cache
def _registry() -> Any:
    import pint

    return pint.UnitRegistry(non_int_type=Fraction, cache_folder=None)


def _unknown(name: str) -> ToolError:
    if _CURRENCIES.fullmatch(name.lower()):
        return ToolError(
            f"{name!r} is a currency, and those are not units: rates change every day. Multiply "
            "by the rate you know."
        )
    near = _nearest(name)
    hint = f" Did you mean {near!r}?" if near else " Write km, kg, hour, mile, degC and the like."
    return ToolError(f"{name!r} is not a number or a unit.{hint}")


def _nearest(name: str) -> str:
    """A unit that is written alike, or ""."""
    registry = _registry()
    for other in (name.lower(), name.upper(), name[:1].lower() + name[1:], name.capitalize()):
        if other != name and registry.parse_unit_name(other):
            return other
    known = [unit for unit in registry._units if len(unit) > 2 and unit.isascii()]
    stem = name.lower()
    near = difflib.get_close_matches(stem, known, n=1, cutoff=0.75)
    return near[0] if near else ""


def _of(**powers: int) -> Dimension:
    return tuple(sorted((part, Fraction(power)) for part, power in powers.items()))


_KNOWN = {
    _of(length=2): "an area",
    _of(length=3): "a volume",
    _of(length=1, time=-1): "a speed",
    _of(length=1, time=-2): "an acceleration",
    _of(time=-1): "a frequency",
    _of(mass=1, length=1, time=-2): "a force",
    _of(mass=1, length=2, time=-2): "an energy",
    _of(mass=1, length=2, time=-3): "a power",
    _of(mass=1, length=-1, time=-2): "a pressure",
    _of(mass=1, length=-3): "a density",
}
