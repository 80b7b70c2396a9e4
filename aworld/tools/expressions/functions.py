"""The functions and constants an expression may name."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

import msgspec

from aworld.errors import ToolError
from aworld.tools.expressions.numbers import Value, exact, is_whole, to_float
from aworld.tools.expressions.powers import any_root, factorial, power

CONSTANTS: dict[str, Value] = {
    "pi": math.pi,
    "π": math.pi,
    "e": math.e,
    "tau": math.tau,
    "phi": (1 + math.sqrt(5)) / 2,
}

_LARGEST_CHOICE = 10_000


class Function(msgspec.Struct, frozen=True):
    """How a function works out its arguments, and how many it takes."""

    work: Callable[[Sequence[Value]], Value]
    fewest: int = 1
    most: int = 1

    def counted(self) -> str:
        """`1 number`, `2 to 3 numbers`."""
        if self.fewest == self.most:
            return f"{self.fewest} number{'s' if self.fewest > 1 else ''}"
        return f"{self.fewest} to {self.most} numbers"


def _float(function: Callable[[float], float], **exact_at: int) -> Function:
    """A function that is irrational almost everywhere; at the argument `at` it is `value`."""

    def work(arguments: Sequence[Value]) -> Value:
        if exact_at and arguments[0] == exact_at["at"]:
            return exact(exact_at["value"])
        return function(to_float(arguments[0]))

    return Function(work)


def _round(arguments: Sequence[Value]) -> Value:
    places = _whole(arguments[1], "round's number of places") if len(arguments) > 1 else 0
    if abs(places) > 1000:
        raise ToolError("round's number of places must lie between -1000 and 1000.")
    number = arguments[0]
    return Fraction(round(Fraction(number), places))


def _log(arguments: Sequence[Value]) -> Value:
    number = arguments[0]
    if number <= 0:
        raise ToolError("A logarithm needs a number above 0.")
    if len(arguments) == 1:
        return exact(0) if number == 1 else _natural(number)
    base = arguments[1]
    if base <= 0 or base == 1:
        raise ToolError("A logarithm's base must be above 0 and not 1.")
    found = _natural(number) / _natural(base)
    nearest = round(found)
    if isinstance(number, Fraction) and isinstance(base, Fraction):
        # Exact where the number is a whole power of the base.
        close = abs(found - nearest) < 1e-6
        if close and power(base, exact(nearest)) == number:
            return exact(nearest)
    return found


def _natural(value: Value) -> float:
    if isinstance(value, Fraction):
        return math.log(value.numerator) - math.log(value.denominator)
    return math.log(value)


def _whole(value: Value, what: str) -> int:
    if not is_whole(value):
        raise ToolError(f"{what} must be a whole number.")
    return int(value)


def _on_whole(name: str, function: Callable[..., int], most: int | None = None) -> Function:
    """A function of whole numbers."""

    def work(arguments: Sequence[Value]) -> Value:
        numbers = [_whole(argument, f"Each number of {name}") for argument in arguments]
        if most is not None and any(abs(number) > most for number in numbers):
            raise ToolError(f"{name} works with numbers up to {most}.")
        return exact(function(*numbers))

    return Function(work, 2, 2 if most is not None else 100)


def _power_mod(arguments: Sequence[Value]) -> Value:
    if len(arguments) == 2:
        return power(arguments[0], arguments[1])
    base, exponent, modulus = (_whole(argument, "Each number of pow") for argument in arguments)
    if modulus == 0:
        raise ToolError("Division by zero: the modulus is 0.")
    return exact(pow(base, exponent, modulus))


def _remainder(arguments: Sequence[Value]) -> Value:
    left, right = arguments
    if right == 0:
        raise ToolError("Division by zero: the number after the sign is 0.")
    if isinstance(left, Fraction) and isinstance(right, Fraction):
        return left % right
    return to_float(left) % to_float(right)


FUNCTIONS: dict[str, Function] = {
    "sqrt": Function(lambda a: any_root(a[0], 2)),
    "cbrt": Function(lambda a: any_root(a[0], 3)),
    "abs": Function(lambda a: max(a[0], -a[0])),
    "round": Function(_round, 1, 2),
    "floor": Function(lambda a: exact(math.floor(a[0]))),
    "ceil": Function(lambda a: exact(math.ceil(a[0]))),
    "min": Function(min, 1, 1000),
    "max": Function(max, 1, 1000),
    "sum": Function(lambda a: sum(a, exact(0)), 1, 1000),
    "factorial": Function(lambda a: factorial(a[0])),
    "gcd": _on_whole("gcd", math.gcd),
    "lcm": _on_whole("lcm", math.lcm),
    "comb": _on_whole("comb", math.comb, _LARGEST_CHOICE),
    "perm": _on_whole("perm", math.perm, _LARGEST_CHOICE),
    "mod": Function(_remainder, 2, 2),
    "pow": Function(_power_mod, 2, 3),
    "log": Function(_log, 1, 2),
    "ln": Function(_log),
    "log2": Function(lambda a: _log((a[0], exact(2)))),
    "log10": Function(lambda a: _log((a[0], exact(10)))),
    "exp": _float(math.exp, at=0, value=1),
    "sin": _float(math.sin, at=0, value=0),
    "cos": _float(math.cos, at=0, value=1),
    "tan": _float(math.tan, at=0, value=0),
    "asin": _float(math.asin, at=0, value=0),
    "acos": _float(math.acos, at=1, value=0),
    "atan": _float(math.atan, at=0, value=0),
    "degrees": _float(math.degrees, at=0, value=0),
    "radians": _float(math.radians, at=0, value=0),
}
