"""Works an expression with units out."""

from __future__ import annotations

import math
from fractions import Fraction

from aworld.errors import ToolError
from aworld.tools.expressions.functions import CONSTANTS, FUNCTIONS
from aworld.tools.expressions.numbers import Value, check_size, exact, to_float
from aworld.tools.expressions.powers import factorial
from aworld.tools.expressions.tree import (
    Binary,
    Call,
    Juxtaposed,
    Name,
    Node,
    Number,
    Unary,
)
from aworld.tools.quantities.quantity import (
    Quantity,
    add,
    convert,
    factor_of,
    multiply,
    over,
    raise_to,
    scale,
    times,
    to_number,
)
from aworld.tools.quantities.reading import Reading
from aworld.tools.quantities.units import dimension_name, find_unit

_CLAIM = "This is a claim, not a calculation. Write an expression of numbers."
# Functions whose result is of the same kind as what they are given.
_SAME_KIND = frozenset({"abs", "min", "max", "sum", "round", "floor", "ceil"})
_ROOTS = {"sqrt": Fraction(1, 2), "cbrt": Fraction(1, 3)}


def work_out(reading: Reading) -> Quantity:
    """The quantity, in the units it is wanted in.

    Raises:
        ToolError: it has no value, or the units do not fit.
    """
    found = _Evaluation(reading.source).quantity(reading.node)
    if reading.target is None:
        return found
    target = _Evaluation(reading.source).quantity(reading.target)
    if not target.bare and not target.plain and target.value != 1:
        raise ToolError("Give the result's units without a number, such as 'in km/h'.")
    shown = reading.source[reading.target.start : reading.target.end].strip()
    return convert(found, target, shown)


class _Evaluation:
    def __init__(self, source: str) -> None:
        self._source = source

    def quantity(self, node: Node) -> Quantity:
        """What a node stands for."""
        match node:
            case Number():
                return Quantity(check_size(node.value))
            case Name():
                return _named(node.name)
            case Call():
                return self._call(node)
            case Unary():
                return self._unary(node)
            case Binary():
                return self._binary(node)
            case _:
                raise ToolError(_CLAIM)

    def _unary(self, node: Unary) -> Quantity:
        operand = self.quantity(node.operand)
        match node.operator:
            case "+":
                return operand
            case "-":
                return Quantity(-operand.value, operand.units)
            case "%":
                return multiply(operand, Quantity(exact(100)), -1)
            case "!" if operand.plain:
                return Quantity(factorial(operand.value))
            case "!":
                raise ToolError("A factorial is of a plain number.")
            case _:
                raise ToolError(_CLAIM)

    def _binary(self, node: Binary) -> Quantity:
        left, right = self.quantity(node.left), self.quantity(node.right)
        match node.operator:
            case "+" | "-":
                return add(left, right, 1 if node.operator == "+" else -1)
            case "*":
                return multiply(left, right, 1)
            case "/":
                self._refuse_two_readings(node, left, right)
                return multiply(left, right, -1)
            case "//" | "%":
                return _whole_and_rest(node.operator, left, right)
            case "**":
                return raise_to(left, right)
            case _:
                raise ToolError(_CLAIM)

    def _refuse_two_readings(self, node: Binary, left: Quantity, right: Quantity) -> None:
        half = isinstance(node.right, Juxtaposed) and isinstance(node.right.left, Number)
        if half and left.plain and not right.plain:
            above, below = (self._source[n.start : n.end].strip() for n in (node.left, node.right))
            number, _, unit = below.partition(" ")
            raise ToolError(
                f"'{above}/{below}' may mean ({above}/{number}) {unit} or {above}/({below}). Set "
                "parentheses."
            )

    def _call(self, node: Call) -> Quantity:
        name = node.name.lower()
        given = [self.quantity(argument) for argument in node.arguments]
        function = FUNCTIONS.get(name)
        if function is None:
            return self._product(node, given)
        if name in _ROOTS and len(given) == 1 and not given[0].plain:
            return raise_to(given[0], Quantity(_ROOTS[name]))
        if not function.fewest <= len(given) <= function.most:
            raise ToolError(f"{node.name} takes {function.counted()}, not {len(given)}.")
        units = given[0].units
        if name in _SAME_KIND:
            first = given[0]
            places = given[1:] if name == "round" else []
            alike = [_in_units_of(first, other) for other in given[: len(given) - len(places)]]
            values = [*alike, *(_number(place, name) for place in places)]
        else:
            values, units = [_number(one, name) for one in given], {}
        try:
            return Quantity(check_size(function.work(values)), units)
        except (ValueError, OverflowError) as error:
            raise ToolError(f"{node.name} has no value here: {error}.") from None

    def _product(self, node: Call, given: list[Quantity]) -> Quantity:
        """`km(3)`, which is no function."""
        try:
            first = _named(node.name)
        except ToolError:
            raise ToolError(
                f"There is no function {node.name!r}. Known: {', '.join(sorted(FUNCTIONS))}."
            ) from None
        if len(given) != 1:
            raise ToolError(f"{node.name!r} is no function.")
        return multiply(first, given[0], 1)


def _named(name: str) -> Quantity:
    """A constant or a unit."""
    if name.lower() in CONSTANTS:
        return Quantity(CONSTANTS[name.lower()])
    return Quantity(exact(1), {find_unit(name).name: Fraction(1)}, bare=True)


def _number(quantity: Quantity, function: str) -> Value:
    """A plain number, or an angle as one."""
    if quantity.dimension:
        raise ToolError(
            f"{function} takes plain numbers, not {dimension_name(quantity.dimension)}."
        )
    return to_number(quantity).value


def _in_units_of(first: Quantity, other: Quantity) -> Value:
    if first.plain and other.plain:
        return other.value
    return convert(other, Quantity(exact(1), first.units), "the first one's units").value


def _whole_and_rest(operator: str, left: Quantity, right: Quantity) -> Quantity:
    """How often one goes into the other, and what is left of it."""
    if scale(left) is not None or scale(right) is not None:
        raise ToolError("A temperature in degC or degF cannot be divided. Convert it to K first.")
    if left.dimension != right.dimension:
        raise ToolError(
            f"One side is {dimension_name(left.dimension)}, the other "
            f"{dimension_name(right.dimension)}: write / for their quotient."
        )
    divisor = over(times(right.value, factor_of(right.units)), factor_of(left.units))
    quotient = over(left.value, divisor)
    count = exact(math.floor(quotient))
    if operator == "//":
        return Quantity(count)
    if isinstance(left.value, Fraction) and isinstance(divisor, Fraction):
        return Quantity(left.value - count * divisor, left.units)
    return Quantity(to_float(left.value) - to_float(count) * to_float(divisor), left.units)
