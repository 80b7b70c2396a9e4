"""From a condition's text to its tree.

or    := and ("or" and)*
and   := not ("and" not)*
not   := "not" not | "(" or ")" | test
test  := value sign value | value ["not"] "in" "(" literal, … ")" | value "=~" text | value
value := field | literal | count(kind="…", agent="…", tool="…")
"""

from __future__ import annotations

from typing import Final, Literal, NoReturn, cast

from aworld.errors import ConfigurationError
from aworld.events.union import KINDS
from aworld.runtime.condition_fields import FIELDS, FieldType, near
from aworld.runtime.condition_tokens import ConditionError, Token, cut, cut_name
from aworld.runtime.condition_tree import (
    And,
    Compare,
    CompareSign,
    Count,
    Field,
    Has,
    Literals,
    Matches,
    Not,
    Number,
    OneOf,
    Operand,
    Or,
    Text,
    Tree,
    Truth,
)
from aworld.runtime.pattern_search import LinearPattern

_MAX_DEPTH: Final = 50
_ORDER: Final = frozenset({"<", "<=", ">", ">="})
_TEXTUAL: Final = {"contains": "contains", "starts": "starts with", "ends": "ends with"}
_SIGNS: Final = "==, !=, <, <=, >, >=, contains, starts with, ends with, in or =~"
_TIME_UNITS: Final = frozenset({"ms", "s", "min", "h"})
COUNT_FILTERS: Final = ("kind", "agent", "actor", "tool")


def parse_tree(condition: str) -> Tree:
    """The tree of a condition.

    Raises:
        ConditionError: the condition cannot be read, or can never hold.
    """
    return _Parser(condition).parse()


class _Parser:
    """One pass over the tokens, top down."""

    def __init__(self, condition: str) -> None:
        self._condition = condition
        self._tokens = cut(condition)
        self._next = 0
        self._depth = 0

    def parse(self) -> Tree:
        tree = self._or()
        if self._token.type != "end":
            self._expected("`and`, `or` or the end")
        return tree

    def _or(self) -> Tree:
        parts = [self._and()]
        while self._take_word("or"):
            parts.append(self._and())
        return parts[0] if len(parts) == 1 else Or(tuple(parts))

    def _and(self) -> Tree:
        parts = [self._not()]
        while self._take_word("and"):
            parts.append(self._not())
        return parts[0] if len(parts) == 1 else And(tuple(parts))

    def _not(self) -> Tree:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            self._fail(f"parts lie more than {_MAX_DEPTH} deep in each other.")
        try:
            if self._take_word("not"):
                return Not(self._not())
            if self._take_sign("("):
                inside = self._or()
                if not self._take_sign(")"):
                    self._expected("`)`")
                return inside
            return self._test()
        finally:
            self._depth -= 1

    def _test(self) -> Tree:
        left = self._value()
        token = self._token
        if self._take_sign("=~"):
            return self._matches(left, token)
        if self._take_word("in"):
            return self._one_of(left)
        if self._is_word("not") and self._word_after("in"):
            self._next += 2
            return Not(self._one_of(left))
        sign = self._sign()
        if sign is not None:
            right_at = self._token
            right = self._value()
            self._check(sign, left, right, token, right_at)
            return Compare(sign, left, right)
        if isinstance(left, Text | Number):
            self._expected(_SIGNS, token)
        return Has(left)

    def _matches(self, left: Operand, sign: Token) -> Tree:
        pattern = self._token
        if pattern.type != "text":
            self._expected("a pattern in quotes")
        self._next += 1
        if self._type_of(left) not in {"text", "any"}:
            self._fail("only a text can be compared with a pattern.", sign)
        try:
            LinearPattern(pattern.value)
        except ConfigurationError as error:
            self._fail(str(error), pattern)
        return Matches(left, pattern.value)

    def _one_of(self, left: Operand) -> OneOf:
        if not self._take_sign("("):
            self._expected("`(` and a list")
        items: list[Literals] = []
        while True:
            token = self._token
            item = self._value()
            if isinstance(item, Field | Count):
                self._expected("a text, a number, true or false", token)
            self._check("==", left, item, token, token)
            items.append(item)
            if self._take_sign(")"):
                return OneOf(left, tuple(items))
            if not self._take_sign(","):
                self._expected("`,` or `)`")

    def _value(self) -> Operand:
        token = self._token
        if token.type == "text":
            self._next += 1
            return Text(token.value)
        if token.type == "number":
            self._next += 1
            digits = token.value.rstrip("kmsinh")
            return Number(digits, token.value[len(digits) :])
        if token.type != "name" or token.value.lower() in {"and", "or", "not", "in"}:
            self._expected("a field, a text, a number, true or false")
        self._next += 1
        if token.value.lower() in {"true", "false"}:
            return Truth(token.value.lower() == "true")
        if self._token.type == "sign" and self._token.value == "(":
            return self._count(token)
        return self._field(token)

    def _field(self, token: Token) -> Field:
        name, path = cut_name(token.value)
        if token.value in FIELDS:
            return Field(token.value)
        info = FIELDS.get(name)
        if info is not None and info.has_path:
            return Field(name, path)
        if info is not None:
            self._fail(f"{name!r} has no parts. Only arguments and payload have.", token)
        self._fail(f"there is no field {token.value!r}.{near(token.value, list(FIELDS))}", token)

    def _count(self, name: Token) -> Count:
        if name.value != "count":
            self._fail(f"there is no function {name.value!r}; only count(…).", name)
        self._next += 1
        filters: list[tuple[str, str]] = []
        while not self._take_sign(")"):
            if filters and not self._take_sign(","):
                self._expected("`,` or `)`")
            filters.append(self._filter({name for name, _ in filters}))
        return Count(tuple(filters))

    def _filter(self, taken: set[str]) -> tuple[str, str]:
        name = self._token
        if name.type != "name" or name.value not in COUNT_FILTERS:
            guess = near(name.value, list(COUNT_FILTERS))
            self._fail(f"expected one of {', '.join(COUNT_FILTERS)}, found {name}.{guess}")
        if ("agent" if name.value == "actor" else name.value) in {
            "agent" if one == "actor" else one for one in taken
        }:
            self._fail(f"{name.value} is there twice.")
        self._next += 1
        if not self._take_sign("="):
            self._expected("`=`")
        value = self._token
        if value.type != "text":
            self._expected("a text in quotes")
        self._next += 1
        if name.value == "kind":
            self._check_kind(value, may_glob=True)
        return name.value, value.value

    # -- what can never hold ---------------------------------------------------------------------

    def _check(
        self, sign: CompareSign, left: Operand, right: Operand, at: Token, right_at: Token
    ) -> None:
        mine, other = self._type_of(left), self._type_of(right)
        if sign in _TEXTUAL.values():
            if mine not in {"text", "list", "any"} or other not in {"text", "any"}:
                self._fail(f"`{sign}` needs a text on both sides.", at)
        elif "any" not in {mine, other} and mine != other:
            self._fail(f"a {mine} is compared with {right_at}, a {other}: that never holds.", at)
        elif "list" in {mine, other} or (sign in _ORDER and "truth" in {mine, other}):
            wrong = "lists" if "list" in {mine, other} else "true and false"
            self._fail(f"`{sign}` cannot be used on {wrong}.", at)
        for one, another in ((left, right), (right, left)):
            if isinstance(one, Number) and one.unit in _TIME_UNITS and not _is_time(another):
                self._fail(f"{one.digits}{one.unit} is a time, and the other side is none.", at)
        if left == Field("kind") and sign == "==":
            self._check_kind(right_at, may_glob=False)

    def _check_kind(self, token: Token, *, may_glob: bool) -> None:
        if may_glob and "*" in token.value:
            return
        if token.type == "text" and token.value not in KINDS:
            guess = near(token.value, list(KINDS))
            self._fail(f"there is no kind {token.value!r}.{guess}", token)

    def _type_of(self, operand: Operand) -> FieldType:
        if isinstance(operand, Field):
            return "any" if operand.path else FIELDS[operand.name].type
        if isinstance(operand, Text):
            return "text"
        return "truth" if isinstance(operand, Truth) else "number"

    # -- tokens ----------------------------------------------------------------------------------

    @property
    def _token(self) -> Token:
        return self._tokens[self._next]

    def _sign(self) -> CompareSign | None:
        token = self._token
        if token.type == "sign" and token.value in {"==", "!=", "<", "<=", ">", ">="}:
            self._next += 1
            return cast(CompareSign, token.value)
        word = token.value.lower()
        if token.type != "name" or word not in _TEXTUAL:
            if token.type == "sign" and token.value == "=":
                self._fail("expected `==`, found '='.")
            return None
        self._next += 1
        if word != "contains" and not self._take_word("with"):
            self._expected("`with`")
        return cast(Literal["contains", "starts with", "ends with"], _TEXTUAL[word])

    def _is_word(self, word: str) -> bool:
        return self._token.type == "name" and self._token.value.lower() == word

    def _word_after(self, word: str) -> bool:
        after = self._tokens[self._next + 1]
        return after.type == "name" and after.value.lower() == word

    def _take_word(self, word: str) -> bool:
        if not self._is_word(word):
            return False
        self._next += 1
        return True

    def _take_sign(self, sign: str) -> bool:
        if self._token.type != "sign" or self._token.value != sign:
            return False
        self._next += 1
        return True

    def _expected(self, what: str, token: Token | None = None) -> NoReturn:
        token = token or self._token
        self._fail(f"expected {what}, found {token}.", token)

    def _fail(self, why: str, token: Token | None = None) -> NoReturn:
        raise ConditionError(self._condition, (token or self._token).at, why)


def _is_time(operand: Operand) -> bool:
    return isinstance(operand, Field) and bool(FIELDS[operand.name].unit)
