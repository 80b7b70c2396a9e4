"""Works an expression out: exactly where numbers are rational, in floats where they are not."""

from __future__ import annotations

import math
from fractions import Fraction

from aworld.errors import ToolError
from aworld.tools.expressions.functions import CONSTANTS, FUNCTIONS
from aworld.tools.expressions.numbers import Value, check_size, exact, is_whole, to_float
from aworld.tools.expressions.powers import factorial, power
from aworld.tools.expressions.tree import Binary, Call, Comparison, Name, Node, Number, Unary

_LOGIC = frozenset({"and", "or", "not", "implies", "iff"})


def evaluate(node: Node) -> Value:
    """The number an expression stands for: a Fraction where it is exact, else a float.

    Raises:
        ToolError: it has none: a division by zero, an unknown name, a result too large.
    """
    match node:
        case Number():
            return check_size(node.value)
        case Name():
            return _constant(node.name)
        case Call():
            return _call(node)
        case Unary():
            return _unary(node)
        case Binary() if node.operator not in _LOGIC:
            return _binary(node.operator, evaluate(node.left), evaluate(node.right))
        case Comparison() | Binary():
            raise ToolError("This is a claim, not a calculation. Write an expression of numbers.")
        case _:
            raise ToolError("The expression cannot be worked out.")


def _constant(name: str) -> Value:
    if name.lower() in CONSTANTS:
        return CONSTANTS[name.lower()]
    if name.lower() in FUNCTIONS:
        raise ToolError(f"{name!r} is a function: write {name}(…).")
    raise ToolError(
        f"{name!r} is not a number. Put its value in; known are {', '.join(sorted(CONSTANTS))}."
    )


def _call(node: Call) -> Value:
    function = FUNCTIONS.get(node.name.lower())
    arguments = [evaluate(argument) for argument in node.arguments]
    if function is None:
        if node.name.lower() in CONSTANTS and len(arguments) == 1:
            return _binary("*", CONSTANTS[node.name.lower()], arguments[0])
        raise ToolError(
            f"There is no function {node.name!r}. Known: {', '.join(sorted(FUNCTIONS))}."
        )
    if not function.fewest <= len(arguments) <= function.most:
        raise ToolError(f"{node.name} takes {function.counted()}, not {len(arguments)}.")
    try:
        return check_size(function.work(arguments))
    except (ValueError, OverflowError) as error:
        raise ToolError(f"{node.name} has no value here: {error}.") from None


def _unary(node: Unary) -> Value:
    if node.operator in _LOGIC:
        raise ToolError("This is a claim, not a calculation. Write an expression of numbers.")
    value = evaluate(node.operand)
    match node.operator:
        case "-":
            return -value
        case "!":
            return factorial(value)
        case "%":
            return _binary("/", value, Fraction(100))
        case _:
            return value


def _binary(operator: str, left: Value, right: Value) -> Value:
    if operator in ("/", "//", "%") and right == 0:
        raise ToolError("Division by zero: the number after the sign is 0.")
    if operator == "**":
        return power(left, right)
    if isinstance(left, Fraction) and isinstance(right, Fraction):
        return check_size(_exact(operator, left, right))
    return check_size(_inexact(operator, to_float(left), to_float(right)))


def _exact(operator: str, left: Fraction, right: Fraction) -> Fraction:
    match operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/":
            return left / right
        case "//":
            return Fraction(left // right)
        case _:
            return left % right


def _inexact(operator: str, left: float, right: float) -> Value:
    match operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return exact(0) if 0 in (left, right) else left * right
        case "/":
            return left / right
        case "//":
            return exact(math.floor(left / right))
        case _:
            return left % right


__all__ = ["Value", "evaluate", "is_whole"]
