"""Polynomials in whole-number variables, as far as claims need them: signs far out, remainders."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from aworld.tools.expressions.tree import Binary, Name, Node, Number, Unary

Polynomial = dict[tuple[int, ...], Fraction]
"""Coefficients, none of them 0, by the exponents of the variables."""

_LARGEST_DEGREE = 40
_MOST_TERMS = 400


def polynomial(node: Node, names: Sequence[str]) -> Polynomial | None:
    """The expression as a polynomial, or None where it is none."""
    match node:
        case Number():
            return {(0,) * len(names): node.value} if node.value else {}
        case Name() if node.name in names:
            return {tuple(int(name == node.name) for name in names): Fraction(1)}
        case Unary(operator="-" | "+"):
            inner = polynomial(node.operand, names)
            return scaled(inner, -1) if inner is not None and node.operator == "-" else inner
        case Binary(operator="**"):
            return _power(node, names)
        case Binary(operator="+" | "-" | "*" | "/"):
            return _joined(node, names)
        case _:
            return None


def _joined(node: Binary, names: Sequence[str]) -> Polynomial | None:
    left, right = polynomial(node.left, names), polynomial(node.right, names)
    if left is None or right is None:
        return None
    if node.operator == "+":
        return added(left, right)
    if node.operator == "-":
        return added(left, scaled(right, -1))
    if node.operator == "*":
        return _product(left, right)
    divisor = constant(right)
    return scaled(left, 1 / divisor) if divisor else None


def _power(node: Binary, names: Sequence[str]) -> Polynomial | None:
    base, exponent = polynomial(node.left, names), polynomial(node.right, names)
    number = None if exponent is None else constant(exponent)
    if base is None or number is None or number.denominator != 1:
        return None
    if not 0 <= number <= _LARGEST_DEGREE:
        return None
    result: Polynomial | None = {(0,) * len(names): Fraction(1)}
    for _ in range(int(number)):
        result = None if result is None else _product(result, base)
    return result


def added(left: Polynomial, right: Polynomial) -> Polynomial:
    """The sum."""
    total = {key: left.get(key, Fraction(0)) + right.get(key, Fraction(0)) for key in left | right}
    return {key: value for key, value in total.items() if value}


def scaled(terms: Polynomial, factor: Fraction | int) -> Polynomial:
    """The product with a number."""
    return {key: value * factor for key, value in terms.items() if factor}


def _product(left: Polynomial, right: Polynomial) -> Polynomial | None:
    if len(left) * len(right) > _MOST_TERMS:
        return None
    total: Polynomial = {}
    for first, a in left.items():
        for second, b in right.items():
            key = tuple(x + y for x, y in zip(first, second, strict=True))
            total[key] = total.get(key, Fraction(0)) + a * b
    found = {key: value for key, value in total.items() if value}
    return None if any(sum(key) > _LARGEST_DEGREE for key in found) else found


def constant(terms: Polynomial) -> Fraction | None:
    """The number that it is, or None where it has variables."""
    if not terms:
        return Fraction(0)
    ((key, value), *more) = terms.items()
    return value if not more and not any(key) else None


def is_integral(terms: Polynomial) -> bool:
    """Whether all its coefficients are whole."""
    return all(value.denominator == 1 for value in terms.values())


def root_bound(terms: Polynomial) -> int:
    """For one variable: no root lies further from 0 (Cauchy's bound)."""
    if not terms:
        return 0
    leading = terms[max(terms)]
    return math.ceil(1 + max(abs(value / leading) for value in terms.values()))


def remainder(terms: Polynomial, values: Sequence[int], modulus: int) -> int:
    """Its value modulo a number; its coefficients are whole."""
    total = 0
    for key, value in terms.items():
        product = int(value)
        for base, exponent in zip(values, key, strict=True):
            product = product * pow(base, exponent, modulus) % modulus
        total += product
    return total % modulus
