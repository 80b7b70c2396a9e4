"""The nodes of an expression."""

from __future__ import annotations

from fractions import Fraction

import msgspec


class Node(msgspec.Struct, frozen=True):
    """A part of an expression, and where it stands in the source (character offsets)."""

    start: int
    end: int


class Number(Node, frozen=True):
    """A literal, exact."""

    value: Fraction


class Name(Node, frozen=True):
    """A constant or a variable."""

    name: str


class Call(Node, frozen=True):
    """A function of its arguments."""

    name: str
    arguments: tuple[Node, ...]


class Unary(Node, frozen=True):
    """`-`, `+`, `not`, or after its operand `!` (factorial) and `%` (percent)."""

    operator: str
    operand: Node


class Binary(Node, frozen=True):
    """`+ - * / // % **` or `and or implies iff`."""

    operator: str
    left: Node
    right: Node


class Juxtaposed(Binary, frozen=True):
    """A product written without a sign: `2(3+4)`, `3 km`."""


class Comparison(Node, frozen=True):
    """`a < b <= c`: each operator stands between two neighbours of `operands`."""

    operators: tuple[str, ...]
    operands: tuple[Node, ...]


def children(node: Node) -> tuple[Node, ...]:
    """The parts of a node."""
    match node:
        case Call():
            return node.arguments
        case Unary():
            return (node.operand,)
        case Binary():
            return (node.left, node.right)
        case Comparison():
            return node.operands
        case _:
            return ()


def names(node: Node) -> set[str]:
    """All names in it."""
    found = {node.name} if isinstance(node, Name) else set()
    return found.union(*map(names, children(node)))


def functions(node: Node) -> set[str]:
    """The names of all functions called in it, in lower case."""
    found = {node.name.lower()} if isinstance(node, Call) else set()
    return found.union(*map(functions, children(node)))


def has_comparison(node: Node) -> bool:
    """Whether anything is compared in it."""
    return isinstance(node, Comparison) or any(map(has_comparison, children(node)))


def claims_of(node: Node) -> list[Node]:
    """The parts that are joined by and, or, not, implies, iff."""
    match node:
        case Unary(operator="not"):
            return claims_of(node.operand)
        case Binary(operator="and" | "or" | "implies" | "iff"):
            return [*claims_of(node.left), *claims_of(node.right)]
        case _:
            return [node]
