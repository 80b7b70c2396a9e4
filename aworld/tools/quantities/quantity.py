"""A number with units, and what can be done with two of them."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import msgspec

from aworld.errors import ToolError
from aworld.tools.expressions.numbers import Value, check_size, to_float
from aworld.tools.expressions.powers import power
from aworld.tools.quantities.units import Dimension, Unit, dimension_name, find_unit

_SUPERSCRIPT_LIMIT = 64
"""The largest exponent that a unit may have."""


class Quantity(msgspec.Struct, frozen=True):
    """`value` of the product of `units`; without units it is a plain number."""

    value: Value
    units: Mapping[str, Fraction] = {}
    """Exponents by the unit's name as it was written, none of them 0."""
    bare: bool = False
    """Whether it is a unit alone, such as the `km` of `3 km`, and nothing measured."""

    @property
    def plain(self) -> bool:
        """Whether it has no units."""
        return not self.units

    @property
    def dimension(self) -> Dimension:
        """What kind of thing it measures."""
        total: dict[str, Fraction] = {}
        for name, exponent in self.units.items():
            for part, own in find_unit(name).dimension:
                total[part] = total.get(part, Fraction(0)) + own * exponent
        return tuple(sorted((part, exponent) for part, exponent in total.items() if exponent))


def scale(quantity: Quantity) -> Unit | None:
    """The unit whose zero is its own, such as `degC`, where the quantity stands on its scale."""
    if len(quantity.units) != 1:
        return None
    ((name, exponent),) = quantity.units.items()
    unit = find_unit(name)
    return unit if unit.on_scale and exponent == 1 else None


def _turns(quantity: Quantity) -> bool:
    return any(find_unit(name).turns for name in quantity.units)


def factor_of(units: Mapping[str, Fraction]) -> Value:
    """What one of the product of units is in base units."""
    total: Value = Fraction(1)
    for name, exponent in units.items():
        total = times(total, power(find_unit(name).factor, exponent))
    return total


def times(left: Value, right: Value) -> Value:
    """The product, exact where both are."""
    if isinstance(left, Fraction) and isinstance(right, Fraction):
        return check_size(left * right)
    return check_size(to_float(left) * to_float(right))


def over(left: Value, right: Value) -> Value:
    """The quotient, exact where both are.

    Raises:
        ToolError: the divisor is 0.
    """
    if right == 0:
        raise ToolError("Division by zero: the number after the sign is 0.")
    if isinstance(left, Fraction) and isinstance(right, Fraction):
        return check_size(left / right)
    return check_size(to_float(left) / to_float(right))


def plus(left: Value, right: Value) -> Value:
    """The sum, exact where both are."""
    if isinstance(left, Fraction) and isinstance(right, Fraction):
        return check_size(left + right)
    return check_size(to_float(left) + to_float(right))


def convert(quantity: Quantity, target: Quantity, shown: str) -> Quantity:
    """The same in other units; `shown` is how the target was written.

    Raises:
        ToolError: they measure different things.
    """
    if quantity.dimension != target.dimension:
        raise ToolError(
            f"This cannot be given in {shown!r}: it is {dimension_name(quantity.dimension)}, and "
            f"{shown!r} measures {dimension_name(target.dimension)}."
        )
    if _turns(quantity) != _turns(target) and "time" in dict(target.dimension):
        raise ToolError(
            f"{write_units(quantity.units)} and {shown!r} differ by an angle: a turn is 2 pi "
            "radians and one cycle. Write the turns as a plain number, such as 60/minute."
        )
    start, end = scale(quantity), scale(target)
    value = times(quantity.value, factor_of(quantity.units))
    if start is not None or end is not None:
        value = plus(value, start.offset if start else Fraction(0))
        value = plus(value, -end.offset if end else Fraction(0))
    return Quantity(over(value, times(factor_of(target.units), target.value)), target.units)


def add(left: Quantity, right: Quantity, sign: int) -> Quantity:
    """The sum or difference, in the units of the left side.

    Raises:
        ToolError: they measure different things, or stand on a scale with a zero of its own.
    """
    if left.dimension != right.dimension:
        raise ToolError(
            f"One side is {dimension_name(left.dimension)}, the other "
            f"{dimension_name(right.dimension)}: those cannot be "
            f"{'added' if sign > 0 else 'subtracted'}."
        )
    units = left.units
    if left.plain or right.plain:
        # An angle and a number: both are counted as plain numbers.
        left, right, units = to_number(left), to_number(right), {}
    start, end = scale(left), scale(right)
    if start is not None or end is not None:
        return _on_scales(left, right, sign)
    other = over(times(right.value, factor_of(right.units)), factor_of(left.units))
    return Quantity(plus(left.value, other if sign > 0 else -other), units)


def _on_scales(left: Quantity, right: Quantity, sign: int) -> Quantity:
    """The difference of two temperatures; anything else could mean two things."""
    if sign > 0 or scale(left) is None or scale(right) is None:
        raise ToolError(
            "A temperature in degC or degF cannot be added to: say whether the other is a "
            "temperature or a difference, by converting to K first."
        )
    kelvin = Quantity(Fraction(1), {"K": Fraction(1)})
    first, second = convert(left, kelvin, "K"), convert(right, kelvin, "K")
    return Quantity(plus(first.value, -second.value), kelvin.units)


def multiply(left: Quantity, right: Quantity, sign: int) -> Quantity:
    """The product (`sign` 1) or quotient (-1); units of one kind become one unit.

    Raises:
        ToolError: a temperature in degC or degF is multiplied, or the divisor is 0.
    """
    for side, other in ((left, right), (right, left)):
        # `20 degC` is a number times a bare unit; `2 * 20 degC` could mean two things.
        unit_alone = side.bare or other.bare
        if scale(side) is not None and not unit_alone:
            raise ToolError(
                "A temperature in degC or degF cannot be multiplied or divided. Convert it to K "
                "first."
            )
    work = times if sign > 0 else over
    value = work(left.value, right.value)
    units = dict(left.units)
    for name, exponent in right.units.items():
        factor, known = _merged(name, units)
        value = times(value, power(factor, sign * exponent))
        units[known] = units.get(known, Fraction(0)) + sign * exponent
    kept = {name: exponent for name, exponent in units.items() if exponent}
    bare = left.bare and right.bare
    return Quantity(value, kept, bare) if bare else _dropped(Quantity(value, kept))


def _merged(name: str, units: Mapping[str, Fraction]) -> tuple[Value, str]:
    """Which of the units measures the same, and how many of it one `name` is."""
    unit = find_unit(name)
    for known in units:
        other = find_unit(known)
        if known != name and other.dimension == unit.dimension and unit.dimension:
            return over(unit.factor, other.factor), known
    return Fraction(1), name


def _dropped(quantity: Quantity) -> Quantity:
    """A plain number where all units cancel: `GB/MB`, `km/m`."""
    if len(quantity.units) > 1 and not quantity.dimension:
        return to_number(quantity)
    return quantity


def to_number(quantity: Quantity) -> Quantity:
    """A quantity without dimension as a plain number: `180 degree` is π."""
    return Quantity(times(quantity.value, factor_of(quantity.units)))


def raise_to(base: Quantity, exponent: Quantity) -> Quantity:
    """`base ** exponent`.

    Raises:
        ToolError: the exponent has units, or is too large for a unit.
    """
    if not exponent.plain and exponent.dimension:
        raise ToolError(f"An exponent is {dimension_name(())}, not {write_units(exponent.units)}.")
    number = to_number(exponent).value
    if base.plain:
        return Quantity(power(base.value, number))
    if not isinstance(number, Fraction) or abs(number) > _SUPERSCRIPT_LIMIT:
        raise ToolError(f"A unit cannot be raised to {to_float(number):g}.")
    if scale(base) is not None and not base.bare:
        raise ToolError("A temperature in degC or degF has no power. Convert it to K first.")
    units = {name: own * number for name, own in base.units.items() if own * number}
    return Quantity(power(base.value, number), units, base.bare)


def write_units(units: Mapping[str, Fraction]) -> str:
    """`km`, `m/s^2`, `1/s`, `kg*m/(s*K)`."""
    above = [_powered(name, exponent) for name, exponent in units.items() if exponent > 0]
    below = [_powered(name, -exponent) for name, exponent in units.items() if exponent < 0]
    top = "*".join(above) or "1"
    if not below:
        return top
    return f"{top}/{below[0]}" if len(below) == 1 else f"{top}/({'*'.join(below)})"


def _powered(name: str, exponent: Fraction) -> str:
    if exponent == 1:
        return name
    return f"{name}^{exponent}" if exponent.denominator == 1 else f"{name}^({exponent})"
