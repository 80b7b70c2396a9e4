"""The process that decides claims with sympy: a tree as JSON in, `{holds, why}` out.

It builds sympy's objects from the tree; text never reaches sympy's own parser, which would run it.
"""

from __future__ import annotations

import functools
import itertools
import sys
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import sympy as sp

_SAMPLES = (0, 1, -1, 2, -2, sp.Rational(1, 2), sp.Rational(-1, 2), 3, -3, 5, -7, 10, 100, -100)
_MOST_SAMPLES = 1500
_MOST_BYTES = 2 * 1024**3
_TRUTH = {"true": sp.true, "false": sp.false}
_CONSTANTS = {"pi": sp.pi, "π": sp.pi, "e": sp.E, "tau": 2 * sp.pi, "phi": (1 + sp.sqrt(5)) / 2}
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "sqrt": sp.sqrt,
    "cbrt": lambda x: sp.real_root(x, 3),
    "abs": sp.Abs,
    "floor": sp.floor,
    "ceil": sp.ceiling,
    "min": sp.Min,
    "max": sp.Max,
    "sum": lambda *a: sp.Add(*a),
    "factorial": sp.factorial,
    "gcd": sp.gcd,
    "lcm": sp.lcm,
    "comb": sp.binomial,
    "mod": sp.Mod,
    "pow": sp.Pow,
    "log": sp.log,
    "ln": sp.log,
    "log2": lambda x: sp.log(x, 2),
    "log10": lambda x: sp.log(x, 10),
    "exp": sp.exp,
    "sin": sp.sin,
    "cos": sp.cos,
    "tan": sp.tan,
    "asin": sp.asin,
    "acos": sp.acos,
    "atan": sp.atan,
    "degrees": sp.deg,
    "radians": sp.rad,
}
_RELATIONS: dict[str, Callable[..., Any]] = {
    "==": sp.Eq,
    "!=": sp.Ne,
    "<": sp.Lt,
    "<=": sp.Le,
    ">": sp.Gt,
    ">=": sp.Ge,
}
_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "//": lambda a, b: sp.floor(a / b),
    "%": sp.Mod,
    "**": sp.Pow,
    "and": sp.And,
    "or": sp.Or,
    "implies": sp.Implies,
    "iff": sp.Equivalent,
}


class Unknown(Exception):
    """Something that algebra does not know."""


def build(tree: list[Any]) -> Any:
    """sympy's object for a tree."""
    head, *parts = tree
    if head == "number":
        return sp.Rational(int(parts[0]), int(parts[1]))
    if head == "name":
        return _name(parts[0])
    if head == "call":
        function = _FUNCTIONS.get(parts[0])
        if function is None:
            raise Unknown(f"the function {parts[0]!r} is not known here")
        return function(*map(build, parts[1:]))
    if head == "unary":
        return _unary(parts[0], build(parts[1]))
    if head == "binary":
        return _OPERATORS[parts[0]](build(parts[1]), build(parts[2]))
    signs, *operands = parts
    sides = list(map(build, operands))
    pairs = zip(signs, itertools.pairwise(sides), strict=True)
    return sp.And(*(_RELATIONS[sign](*pair) for sign, pair in pairs))


def _name(name: str) -> Any:
    known: dict[str, Any] = _TRUTH | _CONSTANTS
    return known.get(name.lower(), sp.Symbol(name, real=True))


def _unary(operator: str, operand: Any) -> Any:
    match operator:
        case "not":
            return sp.Not(operand)
        case "-":
            return -operand
        case "!":
            return sp.factorial(operand)
        case "%":
            return operand / 100
        case _:
            return operand


def decide(claim: Any) -> tuple[bool | None, str]:
    """Whether it holds for all real numbers; None where that cannot be told."""
    known = _known(claim)
    if known is not None:
        return known, "" if known else "the two sides differ"
    variables = sorted(claim.free_symbols, key=str)
    for values in _samples(variables):
        if _at(claim, values) is False:
            shown = ", ".join(f"{name} = {value}" for name, value in values.items())
            return False, f"not for {shown}" if shown else "the two sides differ"
    known, why = _at_roots(claim, variables)
    if known is not None:
        return known, why
    if _holds_everywhere(claim, variables):
        return True, ""
    return None, "no counterexample was found, and no proof either"


def _at_roots(claim: Any, variables: list[Any]) -> tuple[bool | None, str]:
    """Whether two sides in one variable are nowhere equal, where all their real roots are found."""
    if len(variables) != 1 or not isinstance(claim, sp.Ne):
        return None, ""
    try:
        roots = sp.solveset(claim.lhs - claim.rhs, variables[0], sp.S.Reals)
    except (NotImplementedError, TypeError, ValueError):
        return None, ""
    if roots is sp.S.EmptySet:
        return True, ""
    if isinstance(roots, sp.FiniteSet):
        return False, f"not for {variables[0]} = {min(roots.args, key=sp.default_sort_key)}"
    return None, ""


def _known(claim: Any) -> bool | None:
    if claim in (sp.true, sp.false):
        return bool(claim)
    return None


def _samples(variables: list[Any]) -> Iterator[dict[Any, Any]]:
    rows = itertools.product(_SAMPLES, repeat=len(variables))
    for row in itertools.islice(rows, _MOST_SAMPLES):
        yield dict(zip(variables, map(sp.sympify, row), strict=True))


def _at(claim: Any, values: dict[Any, Any]) -> bool | None:
    """The claim at one place; None where it has no value there."""
    try:
        there = claim.subs(values)
        known = _known(there)
        return _known(there.replace(_is_relation, _settle)) if known is None else known
    except (TypeError, ValueError, ZeroDivisionError):
        return None


def _is_relation(part: Any) -> bool:
    return isinstance(part, sp.core.relational.Relational)


def _settle(relation: Any) -> Any:
    """A relation decided by the sign of its simplified difference, where that is known."""
    difference = sp.simplify(relation.lhs - relation.rhs)
    return relation.func(difference, 0)


def _holds_everywhere(claim: Any, variables: list[Any]) -> bool:
    """Whether a proof is found: by simplifying, or for one variable by solving."""
    settled = claim.replace(_is_relation, _settle)
    if _known(settled) or _known(sp.simplify(settled)):
        return True
    if _all_definite(settled):
        return True
    return len(variables) == 1 and _never(sp.to_cnf(sp.Not(settled)), variables[0])


def _never(counterclaim: Any, variable: Any) -> bool:
    """Whether a claim about one variable holds nowhere."""
    try:
        if _is_relation(counterclaim):
            return bool(sp.reduce_inequalities([counterclaim], [variable]) == sp.false)
        return bool(counterclaim.as_set().is_empty)
    except (NotImplementedError, TypeError, ValueError, AttributeError):
        return False


def _all_definite(claim: Any) -> bool:
    """A conjunction of inequalities whose sides are squares, or sums of them."""
    parts = claim.args if isinstance(claim, sp.And) else (claim,)
    return all(_definite(part) for part in parts)


def _definite(part: Any) -> bool:
    if not isinstance(part, sp.Ge | sp.Le | sp.Gt | sp.Lt) or part.rhs != 0:
        return False
    side = part.lhs if isinstance(part, sp.Ge | sp.Gt) else -part.lhs
    candidates: tuple[Any, ...] = (side, sp.factor(side), sp.expand(side), _squares(side))
    if isinstance(part, sp.Ge | sp.Le):
        return any(candidate.is_nonnegative for candidate in candidates)
    return any(candidate.is_positive for candidate in candidates)


@functools.cache
def _squares(side: Any) -> Any:
    """A quadratic form written as a sum of squares, by completing the square."""
    for variable in sorted(side.free_symbols, key=str):
        polynomial = sp.Poly(side, variable) if side.is_polynomial(variable) else None
        if polynomial is None or polynomial.degree() != 2:
            continue
        a, b, c = polynomial.all_coeffs()
        if a.is_positive:
            rest = sp.factor(c - b**2 / (4 * a))
            return a * (variable + b / (2 * a)) ** 2 + rest
    return side


def main() -> None:
    """Say that sympy is loaded, read a tree from standard input, write the verdict."""
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_MOST_BYTES, _MOST_BYTES))
    tree = msgspec.json.decode(sys.stdin.buffer.read())
    try:
        holds, why = decide(build(tree))
    except MemoryError:
        holds, why = None, "its numbers are too large"
    except (Unknown, TypeError, ValueError, NotImplementedError) as error:
        holds, why = None, str(error) or type(error).__name__
    sys.stdout.write(msgspec.json.encode({"holds": holds, "why": why}).decode())


if __name__ == "__main__":
    main()
