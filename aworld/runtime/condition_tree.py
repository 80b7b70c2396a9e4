"""A condition as a tree, and its text again. Reading the text of a tree gives the same tree."""

from __future__ import annotations

from types import UnionType
from typing import Final, Literal

import msgspec

CompareSign = Literal["==", "!=", "<", "<=", ">", ">=", "contains", "starts with", "ends with"]


class Text(msgspec.Struct, frozen=True, tag=True):
    """A quoted text."""

    value: str


class Number(msgspec.Struct, frozen=True, tag=True):
    """A number as it was written, such as `-1.5`, and its unit: `ms`, `s`, `min`, `h`, `k`, ""."""

    digits: str
    unit: str = ""


class Truth(msgspec.Struct, frozen=True, tag=True):
    """`true` or `false`."""

    value: bool


class Field(msgspec.Struct, frozen=True, tag=True):
    """A field by name; `path` leads into `arguments` and `payload`."""

    name: str
    path: tuple[str | int, ...] = ()


class Count(msgspec.Struct, frozen=True, tag=True):
    """How many events of a sort there have been: `count(kind="tool.failed", actor="solver")`."""

    filters: tuple[tuple[str, str], ...] = ()


Literals = Text | Number | Truth
Operand = Text | Number | Truth | Field | Count


class Compare(msgspec.Struct, frozen=True, tag=True):
    """`left sign right`."""

    sign: CompareSign
    left: Operand
    right: Operand


class OneOf(msgspec.Struct, frozen=True, tag=True):
    """`left in (a, b)`."""

    left: Operand
    items: tuple[Literals, ...]


class Matches(msgspec.Struct, frozen=True, tag=True):
    """`left =~ "pattern"`."""

    left: Operand
    pattern: str


class Has(msgspec.Struct, frozen=True, tag=True):
    """A value by itself: it is there, and is neither empty, 0 nor false."""

    operand: Field | Count | Truth


class Not(msgspec.Struct, frozen=True, tag=True):
    """`not part`."""

    part: Tree


class And(msgspec.Struct, frozen=True, tag=True):
    """Two or more parts that must all hold."""

    parts: tuple[Tree, ...]


class Or(msgspec.Struct, frozen=True, tag=True):
    """Two or more parts of which one must hold."""

    parts: tuple[Tree, ...]


Tree = Compare | OneOf | Matches | Has | Not | And | Or

_ESCAPES: Final = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t"}


def print_tree(tree: Tree) -> str:
    """The condition's text."""
    if isinstance(tree, Or):
        return " or ".join(_inner(part, Or) for part in tree.parts)
    if isinstance(tree, And):
        return " and ".join(_inner(part, And | Or) for part in tree.parts)
    if isinstance(tree, Not):
        return f"not {_inner(tree.part, And | Or)}"
    if isinstance(tree, Compare):
        return f"{print_operand(tree.left)} {tree.sign} {print_operand(tree.right)}"
    if isinstance(tree, OneOf):
        items = ", ".join(print_operand(item) for item in tree.items)
        return f"{print_operand(tree.left)} in ({items})"
    if isinstance(tree, Matches):
        return f"{print_operand(tree.left)} =~ {quoted(tree.pattern)}"
    return print_operand(tree.operand)


def print_operand(operand: Operand) -> str:
    """A value's text."""
    if isinstance(operand, Text):
        return quoted(operand.value)
    if isinstance(operand, Number):
        return operand.digits + operand.unit
    if isinstance(operand, Truth):
        return "true" if operand.value else "false"
    if isinstance(operand, Count):
        return f"count({', '.join(f'{name}={quoted(text)}' for name, text in operand.filters)})"
    return operand.name + "".join(_path_part(part) for part in operand.path)


def quoted(text: str) -> str:
    """A text between double quotes."""
    return '"' + "".join(_ESCAPES.get(char, char) for char in text) + '"'


def walk(tree: Tree | Operand) -> list[Tree | Operand]:
    """The tree and all that lies in it."""
    found: list[Tree | Operand] = [tree]
    if isinstance(tree, And | Or):
        parts: tuple[Tree | Operand, ...] = tree.parts
    elif isinstance(tree, Not):
        parts = (tree.part,)
    elif isinstance(tree, Compare):
        parts = (tree.left, tree.right)
    elif isinstance(tree, OneOf | Matches):
        parts = (tree.left,)
    elif isinstance(tree, Has):
        parts = (tree.operand,)
    else:
        parts = ()
    for part in parts:
        found.extend(walk(part))
    return found


def _inner(part: Tree, looser: type | UnionType) -> str:
    text = print_tree(part)
    return f"({text})" if isinstance(part, looser) else text


def _path_part(part: str | int) -> str:
    if isinstance(part, int):
        return f"[{part}]"
    plain = part and all(char.isalnum() or char in "_-" for char in part)
    return f".{part}" if plain else f"[{quoted(part)}]"
