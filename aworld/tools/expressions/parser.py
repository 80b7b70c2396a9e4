"""A small operator-precedence parser for arithmetic and logic."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from aworld.errors import ToolError
from aworld.tools.expressions.tokens import Token, tokens
from aworld.tools.expressions.tree import (
    Binary,
    Call,
    Comparison,
    Juxtaposed,
    Name,
    Node,
    Number,
    Unary,
)

DEEPEST = 120
"""How deep parentheses and operators may nest."""
_LARGEST_EXPONENT = 10_000

_COMPARISONS = frozenset({"==", "!=", "<", "<=", ">", ">="})
_COMPARE_POWER = 5
# How strongly an operator binds: left side, right side. The larger side is taken first.
_INFIX: dict[str, tuple[int, int]] = {
    "iff": (1, 1),
    "implies": (2, 2),
    "or": (3, 4),
    "and": (4, 5),
    "+": (6, 7),
    "-": (6, 7),
    "*": (8, 9),
    "/": (8, 9),
    "//": (8, 9),
    "%": (8, 9),
    "of": (8, 9),
    "**": (13, 12),
}
_NOT_POWER = 5
_SIGN_POWER = 10
_JUXTAPOSED = (9, 10)
_ROOT_POWER = 13


def parse(source: str) -> Node:
    """The tree of an expression.

    Raises:
        ToolError: it is not one; the text says where it stops making sense.
    """
    return parse_tokens(source, tokens(source))


def parse_tokens(source: str, found: Sequence[Token], *, units: bool = False) -> Node:
    """The tree of tokens of `source`, of which the last is of kind `end`.

    `units` reads `N m` as a product and `6 ft 2 in` as a sum.

    Raises:
        ToolError: they are no expression.
    """
    parser = _Parser(source, found, units)
    node = parser.expression(0)
    parser.expect_end()
    return node


class _Parser:
    def __init__(self, source: str, found: Sequence[Token], units: bool) -> None:
        self._source = source
        self._tokens = found
        self._units = units
        self._position = 0
        self._depth = 0

    @property
    def _next(self) -> Token:
        return self._tokens[self._position]

    def _take(self) -> Token:
        token = self._next
        self._position += 1
        return token

    def _fail(self, what: str) -> ToolError:
        token = self._next
        where = "at its end" if token.kind == "end" else f"at {self._source[token.start :][:20]!r}"
        return ToolError(f"{self._source!r} cannot be read {where}: {what}.")

    def expect_end(self) -> None:
        if self._next.kind != "end":
            raise self._fail("an operator is missing")

    def expression(self, power: int) -> Node:
        """What binds at least as strongly as `power`."""
        self._depth += 1
        if self._depth > DEEPEST:
            raise ToolError("The expression nests too deeply. Split it into parts.")
        left = self._prefix()
        while True:
            extended = self._extended(left, power)
            if extended is None:
                self._depth -= 1
                return left
            left = extended

    def _extended(self, left: Node, power: int) -> Node | None:
        """`left` with the next operator and what follows it, or None where it ends."""
        token = self._next
        if token.text in ("!", "%") and token.kind == "sign" and self._is_postfix(token):
            self._take()
            return Unary(left.start, token.end, token.text, left)
        if token.text in _COMPARISONS:
            return self._comparison(left) if power <= _COMPARE_POWER else None
        if token.kind == "sign" and token.text in _INFIX:
            left_power, right_power = _INFIX[token.text]
            if left_power < power:
                return None
            self._take()
            right = self.expression(right_power)
            operator = "*" if token.text == "of" else token.text
            return Binary(left.start, right.end, operator, left, right)
        if token.kind == "name" or token.text in ("(", "√"):
            # 2(3+4), 2π: written side by side means times.
            if _JUXTAPOSED[0] < power or (isinstance(left, Name) and not self._units):
                return None
            right = self.expression(_JUXTAPOSED[1])
            return Juxtaposed(left.start, right.end, "*", left, right)
        if self._units and token.kind == "number" and _is_amount(left):
            return self._amounts(left) if power <= _JUXTAPOSED[0] else None
        return None

    def _amounts(self, left: Node) -> Node:
        """`6 ft 2 in`: an amount and the rest of it."""
        right = self.expression(_JUXTAPOSED[0])
        if not _is_amount(right):
            raise ToolError(
                f"{self._source!r} cannot be read: an operator is missing before "
                f"{self._source[right.start : right.end]!r}."
            )
        return Binary(left.start, right.end, "+", left, right)

    def _comparison(self, left: Node) -> Node:
        operators: list[str] = []
        operands = [left]
        while self._next.text in _COMPARISONS:
            operators.append(self._take().text)
            operands.append(self.expression(_COMPARE_POWER + 1))
        return Comparison(left.start, operands[-1].end, tuple(operators), tuple(operands))

    def _is_postfix(self, token: Token) -> bool:
        """Whether `!` or `%` stands after its operand rather than between two."""
        if token.text == "!":
            return True
        after = self._tokens[self._position + 1]
        if after.text in ("+", "-") and after.kind == "sign":
            raise self._fail("% may mean percent or remainder here; set parentheses")
        return not (after.kind in ("number", "name") or after.text in ("(", "√"))

    def _prefix(self) -> Node:
        token = self._next
        if token.kind == "number":
            return self._number()
        if token.kind == "name":
            return self._name()
        if token.text == "(":
            self._take()
            inside = self.expression(0)
            self._close()
            return inside
        if token.text in ("-", "+", "not", "!", "√"):
            self._take()
            return self._prefixed(token)
        raise self._fail("a number is missing")

    def _prefixed(self, token: Token) -> Node:
        if token.text == "√":
            operand = self.expression(_ROOT_POWER)
            return Call(token.start, operand.end, "sqrt", (operand,))
        if token.text in ("not", "!"):
            operand = self.expression(_NOT_POWER)
            return Unary(token.start, operand.end, "not", operand)
        operand = self.expression(_SIGN_POWER)
        return Unary(token.start, operand.end, token.text, operand)

    def _number(self) -> Node:
        token = self._take()
        _, _, exponent = token.text.lower().partition("e")
        if exponent and abs(int(exponent)) > _LARGEST_EXPONENT:
            raise ToolError(f"The number {token.text!r} is too large or too small to work with.")
        return Number(token.start, token.end, Fraction(token.text))

    def _name(self) -> Node:
        token = self._take()
        if self._next.text != "(":
            return Name(token.start, token.end, token.text)
        self._take()
        arguments: list[Node] = []
        while self._next.text != ")":
            arguments.append(self.expression(0))
            if self._next.text != ",":
                break
            self._take()
        end = self._close()
        return Call(token.start, end, token.text, tuple(arguments))

    def _close(self) -> int:
        if self._next.text != ")":
            raise self._fail("a closing parenthesis is missing")
        return self._take().end


def _is_amount(node: Node) -> bool:
    """A number with a unit, or a sum of such."""
    if isinstance(node, Juxtaposed):
        return isinstance(node.left, Number)
    return isinstance(node, Binary) and node.operator == "+" and _is_amount(node.left)
