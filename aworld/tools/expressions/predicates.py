"""Claims that are written as functions: `even(n)`, `odd(n)`, `divides(3, n)`, `is_prime(n)`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from aworld.errors import ToolError
from aworld.tools.expressions.numbers import Value, is_whole
from aworld.tools.expressions.tree import Binary, Call, Comparison, Node, Number, Unary

_LARGEST_PRIME = 3_317_044_064_679_887_385_961_981
"""Below this the bases that are tried are known to be enough."""
_BASES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41)


def _is_prime(number: int) -> bool:
    """Miller and Rabin's test, exact below 3.3e24 (Sorenson and Webster 2015)."""
    if number < 2:
        return False
    if number >= _LARGEST_PRIME:
        raise ToolError("Whether so large a number is prime cannot be decided here.")
    for prime in _BASES:
        if number % prime == 0:
            return number == prime
    odd, twos = number - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    return all(_passes(number, base, odd, twos) for base in _BASES)


def _passes(number: int, base: int, odd: int, twos: int) -> bool:
    power = pow(base, odd, number)
    if power in (1, number - 1):
        return True
    for _ in range(twos - 1):
        power = power * power % number
        if power == number - 1:
            return True
    return False


def _even(number: int) -> bool:
    return number % 2 == 0


def _odd(number: int) -> bool:
    return number % 2 == 1


def _divides(divisor: int, number: int) -> bool:
    return number == 0 if divisor == 0 else number % divisor == 0


PREDICATES: dict[str, tuple[Callable[..., bool], int]] = {
    "even": (_even, 1),
    "odd": (_odd, 1),
    "divides": (_divides, 2),
    "is_prime": (_is_prime, 1),
    "prime": (_is_prime, 1),
}
"""Each with the number of whole numbers that it takes."""


def is_predicate(node: Node) -> bool:
    """Whether a node is one of these."""
    return isinstance(node, Call) and node.name.lower() in PREDICATES


def holds(name: str, values: Sequence[Value]) -> bool:
    """Whether it is so.

    Raises:
        ToolError: it takes other numbers.
    """
    work, count = PREDICATES[name.lower()]
    if len(values) != count or not all(map(is_whole, values)):
        numbers = f"{count} whole number{'s' if count > 1 else ''}"
        raise ToolError(f"{name} takes {numbers}.")
    return work(*map(int, values))


def as_remainders(node: Node) -> Node:
    """The same with `even`, `odd` and `divides` as remainders, which algebra knows."""
    match node:
        case Call() if node.name.lower() in ("even", "odd") and len(node.arguments) == 1:
            rest = int(node.name.lower() == "odd")
            return _remainder(node, node.arguments[0], _number(node, 2), rest)
        case Call() if node.name.lower() == "divides" and len(node.arguments) == 2:
            return _remainder(node, node.arguments[1], node.arguments[0], 0)
        case Unary():
            return Unary(node.start, node.end, node.operator, as_remainders(node.operand))
        case Binary():
            left, right = as_remainders(node.left), as_remainders(node.right)
            return Binary(node.start, node.end, node.operator, left, right)
        case _:
            return node


def _remainder(node: Node, number: Node, divisor: Node, rest: int) -> Comparison:
    left = Binary(node.start, node.end, "%", number, divisor)
    return Comparison(node.start, node.end, ("==",), (left, _number(node, rest)))


def _number(node: Node, value: int) -> Number:
    return Number(node.start, node.end, Fraction(value))
