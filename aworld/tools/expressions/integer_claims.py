"""Decides claims about all whole numbers, where that can be done; says when it cannot.

What is decided surely:
- one variable, polynomials compared and remainders by fixed numbers: beyond all roots no sign
  changes and remainders repeat, so finitely many numbers speak for all;
- several variables, remainders by fixed numbers only: they repeat in each variable;
- an equation without a solution modulo some number has none at all.
Otherwise numbers near 0 are tried: one that is against it refutes the claim, none proves nothing.
"""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from aworld.errors import ToolError
from aworld.tools.expressions.claims import Undecided, check_numbers
from aworld.tools.expressions.polynomials import (
    Polynomial,
    added,
    is_integral,
    polynomial,
    remainder,
    root_bound,
    scaled,
)
from aworld.tools.expressions.predicates import is_predicate
from aworld.tools.expressions.tree import (
    Binary,
    Call,
    Comparison,
    Name,
    Node,
    Number,
    Unary,
    children,
)

SECONDS = 10.0
"""Time that trying numbers may take."""
_MOST_TRIED = 200_000
_NEAR = {1: 1000, 2: 60, 3: 12, 4: 6}
"""How far from 0 numbers are tried, by the number of variables."""
_MODULI = range(2, 50)
_MOST_REMAINDERS = 20_000

Row = dict[str, int]


class Answer(NamedTuple):
    """What was found out about a claim on all whole numbers."""

    holds: bool | None
    """None where it is open."""
    against: Row | None = None
    """Numbers that refute it."""
    why: str = ""


def check_all(node: Node, names: Sequence[str], source: str) -> Answer:
    """Whether a claim holds for all whole numbers."""
    trial = _Trial(node, source)
    period = _period(node, names)
    if period is not None:
        bounds = [root_bound(terms) for terms in period.polynomials]
        reach = max(bounds, default=0) + period.length
        everything = (2 * reach + 1) if len(names) == 1 else period.length ** len(names)
        complete = len(names) == 1 or not period.polynomials
        if complete and everything <= _MOST_TRIED:
            # Several variables with remainders alone: one of each remainder is enough.
            low, high = (-reach, reach) if len(names) == 1 else (0, period.length - 1)
            found = trial.first_against(_rows(names, range(low, high + 1)))
            if not trial.open:
                return Answer(found is None, found)
    modulus = _no_solution_modulo(node, names)
    if modulus:
        return Answer(True, None, f"there is no solution even modulo {modulus}")
    near = _NEAR.get(len(names), 3)
    found = trial.first_against(_rows(names, sorted(range(-near, near + 1), key=abs)))
    return Answer(False, found) if found is not None else Answer(None)


def check_listed(node: Node, names: Sequence[str], listed: Sequence[int], source: str) -> Answer:
    """Whether a claim holds for all of some numbers.

    Raises:
        ToolError: there are too many to try, or it cannot be told for one of them.
    """
    if len(listed) ** len(names) > _MOST_TRIED:
        raise ToolError(f"There are more than {_MOST_TRIED} cases to try. Take a smaller range.")
    trial = _Trial(node, source)
    found = trial.first_against(_rows(names, listed))
    if found is not None:
        return Answer(False, found)
    if trial.open:
        raise ToolError(f"The claim could not be decided {trial.open.rstrip('.')}.")
    return Answer(True)


class _Trial:
    """Works the claim out for chosen numbers."""

    def __init__(self, node: Node, source: str) -> None:
        self._node = node
        self._source = source
        self.open = ""
        """Why it could not be told for some of them; "" where it could."""

    def first_against(self, rows: Iterable[Row]) -> Row | None:
        """The first numbers for which the claim does not hold."""
        until = time.monotonic() + SECONDS
        for count, row in enumerate(rows):
            if count > _MOST_TRIED or time.monotonic() > until:
                self.open = f"because there was no time for more than {count} cases"
                return None
            try:
                if not check_numbers(with_values(self._node, row), self._source).holds:
                    return row
            except (Undecided, ToolError) as error:
                # A division by zero, for one: that is no case of the claim.
                said = str(error) or "floats cannot tell"
                shown = ", ".join(f"{name} = {value}" for name, value in row.items())
                self.open = self.open or f"for {shown}: {said}"
        return None


def _rows(names: Sequence[str], numbers: Iterable[int]) -> Iterator[Row]:
    for row in itertools.product(numbers, repeat=len(names)):
        yield dict(zip(names, row, strict=True))


def with_values(node: Node, values: Mapping[str, int]) -> Node:
    """The claim about these numbers."""
    match node:
        case Name() if node.name in values:
            return Number(node.start, node.end, Fraction(values[node.name]))
        case Call():
            arguments = tuple(with_values(part, values) for part in node.arguments)
            return Call(node.start, node.end, node.name, arguments)
        case Unary():
            return Unary(node.start, node.end, node.operator, with_values(node.operand, values))
        case Binary():
            left, right = with_values(node.left, values), with_values(node.right, values)
            return Binary(node.start, node.end, node.operator, left, right)
        case Comparison():
            operands = tuple(with_values(part, values) for part in node.operands)
            return Comparison(node.start, node.end, node.operators, operands)
        case _:
            return node


class _Period(NamedTuple):
    """How a claim goes on beyond the roots of its polynomials."""

    length: int
    polynomials: list[Polynomial]


def _period(node: Node, names: Sequence[str]) -> _Period | None:
    """None where the claim has parts that neither are polynomials nor repeat."""
    if isinstance(node, Comparison):
        length = _repeats(node, names)
        if length is not None:
            return _Period(length, [])
        sides = [polynomial(operand, names) for operand in node.operands]
        found = [side for side in sides if side is not None]
        if len(found) < len(sides):
            return None
        differences = [added(a, scaled(b, -1)) for a, b in itertools.pairwise(found)]
        return _Period(1, differences)
    if is_predicate(node) or not isinstance(node, Unary | Binary):
        return None
    parts = [_period(part, names) for part in children(node)]
    known = [part for part in parts if part is not None]
    if len(known) < len(parts):
        return None
    polynomials = [terms for part in known for terms in part.polynomials]
    return _Period(math.lcm(*(part.length for part in known)), polynomials)


def _repeats(node: Node, names: Sequence[str]) -> int | None:
    """After how many steps of any variable an expression of remainders repeats."""
    match node:
        case Number():
            return 1
        case Binary(operator="%"):
            terms, by = polynomial(node.left, names), node.right
            whole = isinstance(by, Number) and by.value.denominator == 1 and by.value > 0
            if terms is None or not whole or not is_integral(terms):
                return None
            assert isinstance(by, Number)
            return int(by.value)
        case Unary() | Binary() | Comparison():
            lengths = [_repeats(part, names) for part in children(node)]
            known = [length for length in lengths if length is not None]
            return math.lcm(*known) if len(known) == len(lengths) else None
        case _:
            return None


def _no_solution_modulo(node: Node, names: Sequence[str]) -> int:
    """A number modulo which an equation that the claim denies has no solution; 0 for none."""
    for terms in _denied(node, names):
        denominators = math.lcm(*(value.denominator for value in terms.values()))
        whole = scaled(terms, denominators)
        for modulus in _MODULI:
            if modulus ** len(names) > _MOST_REMAINDERS:
                break
            rows = itertools.product(range(modulus), repeat=len(names))
            if all(remainder(whole, row, modulus) for row in rows):
                return modulus
    return 0


def _denied(node: Node, names: Sequence[str], denying: bool = False) -> Iterator[Polynomial]:
    """Equations of which the claim holds wherever one of them does not."""
    match node:
        case Unary(operator="not"):
            yield from _denied(node.operand, names, not denying)
        case Binary(operator="or") if not denying:
            yield from _denied(node.left, names)
            yield from _denied(node.right, names)
        case Binary(operator="and") if denying:
            yield from _denied(node.left, names, True)
            yield from _denied(node.right, names, True)
        case Binary(operator="implies") if not denying:
            yield from _denied(node.left, names, True)
            yield from _denied(node.right, names)
        case Comparison(operators=(sign,)) if sign == ("==" if denying else "!="):
            left, right = (polynomial(operand, names) for operand in node.operands)
            if left is not None and right is not None:
                yield added(left, scaled(right, -1))
        case _:
            return
