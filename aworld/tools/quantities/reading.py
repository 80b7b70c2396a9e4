"""Reads `60 mile/hour in km/h`: an expression with units, and what it is to be given in."""

from __future__ import annotations

from typing import NamedTuple

from aworld.errors import ToolError
from aworld.tools.expressions.functions import CONSTANTS, FUNCTIONS
from aworld.tools.expressions.parser import parse_tokens
from aworld.tools.expressions.tokens import Token, tokens
from aworld.tools.expressions.tree import Node

_SIGNS = {"°C": "degC", "°F": "degF", "°K": "K", "℃": "degC", "℉": "degF", "°": " degree "}
_MONEY = "$€£¥₹₩₿"
_INTO = frozenset({"in", "to", "into", "as"})


class Reading(NamedTuple):
    """What is to be worked out."""

    source: str
    """With signs such as ° spelled out; the nodes' places are in it."""
    node: Node
    target: Node | None
    """Units that the result is wanted in."""


def has_names(source: str) -> bool:
    """Whether it names something that is neither a constant nor a function."""
    found = tokens(_spelled(source))
    for token, after in zip(found, found[1:], strict=False):
        if token.kind == "name" and token.text.lower() not in CONSTANTS:
            called = after.text == "(" and token.text.lower() in FUNCTIONS
            if not called:
                return True
    return any(sign in source for sign in _SIGNS)


def read(source: str) -> Reading:
    """The expression and its target.

    Raises:
        ToolError: it cannot be read.
    """
    spelled = _spelled(source)
    found = [_per(token) for token in tokens(spelled)]
    split = _conversion(found)
    if split is None:
        return Reading(spelled, parse_tokens(spelled, found, units=True), None)
    end = found[split].start
    before = [*found[:split], Token("end", "", end, end)]
    return Reading(
        spelled,
        parse_tokens(spelled[:end], before, units=True),
        parse_tokens(spelled, found[split + 1 :], units=True),
    )


def _spelled(source: str) -> str:
    for sign in _MONEY:
        if sign in source:
            raise ToolError(
                f"{sign!r} is a currency, and those are not units: leave it out, and multiply by "
                "the rate you know."
            )
    for sign, name in _SIGNS.items():
        source = source.replace(sign, name)
    return source


def _per(token: Token) -> Token:
    """`km per hour` is `km/hour`."""
    if token.kind == "name" and token.text.lower() == "per":
        return Token("sign", "/", token.start, token.end)
    return token


def _conversion(found: list[Token]) -> int | None:
    """Where `in` or `to` stands that is not an inch: before units, after something."""
    for place in range(len(found) - 2, 0, -1):
        token, after = found[place], found[place + 1]
        word = token.kind == "name" and token.text.lower() in _INTO
        arrow = token.text == "implies"
        reciprocal = after.text == "1" and found[place + 2].text == "/"
        if (word or arrow) and (after.kind == "name" or after.text == "(" or reciprocal):
            return place
    return None
