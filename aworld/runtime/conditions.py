"""Conditions on an event and the run so far, in a small language of their own: never Python.

    condition = parse_condition('tool == "calculator" and error contains "zero"')
    condition.matches(run.about(event))

A condition is read once into a tree and compiled to closures. It cannot loop, call or change
anything. A field that an event does not have, and values of two types, compare false; nothing is
ever raised while matching.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, Final

from aworld.runtime.condition_fields import FIELDS, Get, getter
from aworld.runtime.condition_parser import parse_tree
from aworld.runtime.condition_tokens import ConditionError
from aworld.runtime.condition_tree import (
    And,
    Compare,
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
    print_tree,
    walk,
)
from aworld.runtime.pattern_search import LinearPattern
from aworld.runtime.run_facts import CountQuery, Facts

__all__ = ["Condition", "ConditionError", "parse_condition"]

Holds = Callable[[Facts], bool]
_Test = Callable[[Any, Any], bool]

_IN_MS: Final = {"ms": 1, "s": 1_000, "min": 60_000, "h": 3_600_000}


class Condition:
    """A condition that was read. Two with the same tree are equal; `str` gives its text."""

    def __init__(self, tree: Tree) -> None:
        """Raises ConfigurationError where a pattern in it cannot be used."""
        self.tree = tree
        self._holds = _compiled(tree)

    def matches(self, facts: Facts) -> bool:
        """Whether it holds. Raises nothing of its own; a payload that must be fetched from the
        blob store may be missing there (NotFound)."""
        return self._holds(facts)

    @property
    def of_run(self) -> bool:
        """Whether it asks about the run so far, not about the event alone."""
        return any(
            isinstance(part, Count) or (isinstance(part, Field) and FIELDS[part.name].of_run)
            for part in walk(self.tree)
        )

    def names(self, *fields: str) -> list[str]:
        """The texts that these fields must equal or be one of, such as every agent it names."""
        found: list[str] = []
        for part in walk(self.tree):
            if isinstance(part, Count):
                found.extend(text for name, text in part.filters if name in fields)
            elif isinstance(part, OneOf) and _is_one(part.left, fields):
                found.extend(item.value for item in part.items if isinstance(item, Text))
            elif isinstance(part, Compare) and part.sign in {"==", "!="}:
                for one, other in ((part.left, part.right), (part.right, part.left)):
                    if _is_one(one, fields) and isinstance(other, Text):
                        found.append(other.value)
        return found

    def __str__(self) -> str:
        return print_tree(self.tree)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Condition) and other.tree == self.tree

    def __hash__(self) -> int:
        return hash(self.tree)


def parse_condition(text: str) -> Condition:
    """Read a condition.

    Raises:
        ConfigurationError: it cannot be read or can never hold; says where and what was expected.
            It is a `ConditionError`, which has the position as a number.
    """
    return Condition(parse_tree(text))


# -- compiling -----------------------------------------------------------------------------------


def _compiled(tree: Tree) -> Holds:
    if isinstance(tree, And | Or):
        return _joined(tree)
    if isinstance(tree, Not):
        part = _compiled(tree.part)
        return lambda facts: not part(facts)
    if isinstance(tree, Compare):
        return _compare(tree)
    if isinstance(tree, OneOf):
        return _one_of(tree)
    if isinstance(tree, Matches):
        return _matches(tree)
    return _has(tree)


def _joined(tree: And | Or) -> Holds:
    parts = tuple(_compiled(part) for part in tree.parts)
    decides = isinstance(tree, Or)

    def holds(facts: Facts) -> bool:
        for part in parts:
            if part(facts) is decides:
                return decides
        return not decides

    return holds


def _compare(tree: Compare) -> Holds:
    left = _value(tree.left, tree.right)
    right = _value(tree.right, tree.left)
    test = _TESTS[tree.sign]
    if isinstance(tree.right, Text):
        return _compare_text(left, test, tree)
    return lambda facts: test(left(facts), right(facts))


def _compare_text(left: Get, test: _Test, tree: Compare) -> Holds:
    """The commonest comparison, without asking again what type the quoted text has."""
    assert isinstance(tree.right, Text)
    wanted = tree.right.value
    if tree.sign == "==":
        return lambda facts: bool(left(facts) == wanted)
    return lambda facts: test(left(facts), wanted)


def _one_of(tree: OneOf) -> Holds:
    left = _value(tree.left, tree.items[0])
    wanted = [_literal(item, tree.left) for item in tree.items]

    def holds(facts: Facts) -> bool:
        value = left(facts)
        return any(_equal(value, item) for item in wanted)

    return holds


def _matches(tree: Matches) -> Holds:
    left = _value(tree.left, tree.left)
    pattern = LinearPattern(tree.pattern)

    def holds(facts: Facts) -> bool:
        value = left(facts)
        return isinstance(value, str) and pattern.search(value)

    return holds


def _has(tree: Has) -> Holds:
    value = _value(tree.operand, tree.operand)
    return lambda facts: bool(value(facts))


def _value(operand: Operand, beside: Operand) -> Get:
    """Reads an operand; a time takes the unit of the field beside it."""
    if isinstance(operand, Field):
        return getter(operand.name, operand.path)
    if isinstance(operand, Count):
        query = count_query(operand)
        return lambda facts: facts.run.count(query)
    literal = _literal(operand, beside)
    return lambda facts: literal


def _literal(literal: Literals, beside: Operand) -> str | bool | float:
    if not isinstance(literal, Number):
        return literal.value
    number = float(literal.digits) if "." in literal.digits else int(literal.digits)
    if literal.unit == "k":
        return number * 1000
    if not literal.unit:
        return number
    unit = FIELDS[beside.name].unit if isinstance(beside, Field) else "ms"
    return number * _IN_MS[literal.unit] / _IN_MS[unit]


def count_query(count: Count) -> CountQuery:
    """What a `count(…)` counts."""
    filters = dict(count.filters)
    actor = filters.get("agent", filters.get("actor", ""))
    return CountQuery(filters.get("kind", ""), actor, filters.get("tool", ""))


# -- comparing -----------------------------------------------------------------------------------


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _comparable(left: Any, right: Any) -> bool:
    """Two texts, two numbers, or two truths."""
    if isinstance(left, str):
        return isinstance(right, str)
    if isinstance(left, bool):
        return isinstance(right, bool)
    return _is_number(left) and _is_number(right)


def _equal(left: Any, right: Any) -> bool:
    return _comparable(left, right) and bool(left == right)


def _differs(left: Any, right: Any) -> bool:
    return _comparable(left, right) and bool(left != right)


def _ordered(compare: _Test) -> _Test:
    def test(left: Any, right: Any) -> bool:
        return not isinstance(left, bool) and _comparable(left, right) and compare(left, right)

    return test


def _contains(left: Any, right: Any) -> bool:
    if not isinstance(right, str):
        return False
    if isinstance(left, str):
        return right.casefold() in left.casefold()
    # Of a list its members, of an object its keys.
    return isinstance(left, list | tuple | dict) and right in left


def _starts(left: Any, right: Any) -> bool:
    both = isinstance(left, str) and isinstance(right, str)
    return both and left.casefold().startswith(right.casefold())


def _ends(left: Any, right: Any) -> bool:
    both = isinstance(left, str) and isinstance(right, str)
    return both and left.casefold().endswith(right.casefold())


_TESTS: Final[dict[str, _Test]] = {
    "==": _equal,
    "!=": _differs,
    "<": _ordered(operator.lt),
    "<=": _ordered(operator.le),
    ">": _ordered(operator.gt),
    ">=": _ordered(operator.ge),
    "contains": _contains,
    "starts with": _starts,
    "ends with": _ends,
}


def _is_one(operand: Operand, fields: tuple[str, ...]) -> bool:
    return isinstance(operand, Field) and not operand.path and operand.name in fields
