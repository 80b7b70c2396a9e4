"""Whether a claim about numbers holds. Exact, and without any library."""

from __future__ import annotations

import operator
from collections.abc import Callable

import msgspec

from aworld.errors import ToolError
from aworld.tools.expressions.arithmetic import Value, evaluate
from aworld.tools.expressions.numbers import write
from aworld.tools.expressions.predicates import holds, is_predicate
from aworld.tools.expressions.tree import Binary, Call, Comparison, Name, Node, Number, Unary


class Verdict(msgspec.Struct, frozen=True):
    """Whether a claim holds."""

    holds: bool
    why: str = ""
    """Where it does not: what is so instead."""


class Undecided(Exception):
    """Irrational numbers lie too close together for floats to tell."""


_COMPARE: dict[str, Callable[[Value, Value], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_CLOSE = 1e-9


def join(connective: str, left: bool, right: bool) -> bool:
    """The truth of two claims joined."""
    match connective:
        case "and":
            return left and right
        case "or":
            return left or right
        case "implies":
            return not left or right
        case _:
            return left == right


def check_numbers(node: Node, source: str) -> Verdict:
    """Check a claim without variables.

    Raises:
        Undecided: floats cannot tell.
        ToolError: it is no claim, or a part of it has no value.
    """
    match node:
        case Comparison():
            return _chain(node, source)
        case Unary(operator="not"):
            inner = check_numbers(node.operand, source)
            said = source[node.operand.start : node.operand.end].strip()
            return Verdict(not inner.holds, f"{said} holds" if inner.holds else "")
        case Binary(operator="and" | "or" | "implies" | "iff"):
            return _joined(node, source)
        case Call() if is_predicate(node):
            said = source[node.start : node.end].strip()
            values = [evaluate(argument) for argument in node.arguments]
            so = holds(node.name, values)
            return Verdict(so, "" if so else f"{said} is not so")
        case Name() if node.name.lower() in ("true", "false"):
            true = node.name.lower() == "true"
            return Verdict(true, "" if true else "false is false")
        case _:
            part = source[node.start : node.end]
            raise ToolError(f"{part!r} is a number, not a claim. Compare it, like '{part} == 4'.")


def _joined(node: Binary, source: str) -> Verdict:
    left, right = check_numbers(node.left, source), check_numbers(node.right, source)
    if join(node.operator, left.holds, right.holds):
        return Verdict(True)
    if node.operator in ("and", "or"):
        failed = [verdict.why for verdict in (left, right) if not verdict.holds]
        return Verdict(False, "; ".join(failed))
    holding, failing = (node.left, right) if left.holds else (node.right, left)
    said = source[holding.start : holding.end].strip()
    return Verdict(False, f"{said} holds, but {failing.why}")


def _chain(node: Comparison, source: str) -> Verdict:
    values = [evaluate(operand) for operand in node.operands]
    for index, sign in enumerate(node.operators):
        left, right = values[index], values[index + 1]
        if not compare(sign, left, right):
            return Verdict(False, _explain(node, index, left, right, source))
    return Verdict(True)


def compare(sign: str, left: Value, right: Value) -> bool:
    """Whether a comparison of two numbers holds.

    Raises:
        Undecided: at least one is a float, and they are nearly equal.
    """
    if isinstance(left, float) or isinstance(right, float):
        distance = abs(float(left) - float(right))
        if distance <= _CLOSE * max(1.0, abs(float(left)), abs(float(right))):
            raise Undecided
    return _COMPARE[sign](left, right)


def _explain(node: Comparison, index: int, left: Value, right: Value, source: str) -> str:
    """`23*47 is 1081`, or both sides where neither is a plain number."""
    parts = []
    for operand, value in zip(node.operands[index : index + 2], (left, right), strict=True):
        if not _is_literal(operand):
            parts.append(f"{source[operand.start : operand.end].strip()} is {write(value)}")
    if parts:
        return " and ".join(parts)
    return f"{write(left)} {node.operators[index]} {write(right)} does not hold"


def _is_literal(node: Node) -> bool:
    return isinstance(node, Number) or (
        isinstance(node, Unary) and node.operator == "-" and isinstance(node.operand, Number)
    )
