"""Cuts a condition's text into words, numbers, texts and signs."""

from __future__ import annotations

import re
from typing import Final, Literal, NamedTuple

from aworld.errors import ConfigurationError

MAX_CONDITION: Final = 2_000
"""Characters."""
_MAX_DIGITS: Final = 15

TokenType = Literal["name", "number", "text", "sign", "end"]


class ConditionError(ConfigurationError):
    """A condition cannot be read. `position` counts its characters from 0."""

    def __init__(self, condition: str, position: int, why: str) -> None:
        shown = condition if len(condition) <= 200 else condition[:200] + "…"
        super().__init__(
            f"The condition {shown!r} cannot be read at character {position + 1}: {why}"
        )
        self.position = position
        self.why = why


class Token(NamedTuple):
    """A piece of the text."""

    type: TokenType
    value: str
    """A name with its path, a number with its unit, what stands between quotes, or a sign."""
    at: int

    def __str__(self) -> str:
        if self.type == "end":
            return "the end"
        return f"the text {self.value!r}" if self.type == "text" else repr(self.value)


_QUOTED: Final = r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'"
_TOKEN = re.compile(
    rf"""(?P<name>[^\W\d]\w*(?:\.[\w-]+|\[\d+\]|\[(?:{_QUOTED})\])*)
    |(?P<number>-?\d+(?:\.\d+)?(?:ms|min|s|h|k)?(?!\w))
    |(?P<text>{_QUOTED})
    |(?P<sign>=~|==|!=|<=|>=|<|>|\(|\)|,|=)""",
    re.VERBOSE | re.DOTALL,
)
_SPACE = re.compile(r"\s*")
_PATH_PART = re.compile(rf"\.([\w-]+)|\[(\d+)\]|\[({_QUOTED})\]", re.DOTALL)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPED: Final = {"\\": "\\", '"': '"', "'": "'", "n": "\n", "t": "\t"}


def cut(condition: str) -> list[Token]:
    """The tokens of a condition; the last is its end.

    Raises:
        ConditionError: it is too long, or something in it is no token.
    """
    if len(condition) > MAX_CONDITION:
        raise ConditionError(
            condition,
            MAX_CONDITION,
            f"it has {len(condition)} characters; {MAX_CONDITION} are allowed.",
        )
    tokens: list[Token] = []
    at = _skip(condition, 0)
    while at < len(condition):
        found = _TOKEN.match(condition, at)
        if found is None:
            raise ConditionError(condition, at, _no_token(condition, at))
        tokens.append(_token(condition, found))
        at = _skip(condition, found.end())
    tokens.append(Token("end", "", len(condition)))
    return tokens


def cut_name(name: str) -> tuple[str, tuple[str | int, ...]]:
    """The first word of a name, and the path behind it."""
    first = _PATH_PART.search(name)
    head = name if first is None else name[: first.start()]
    path: list[str | int] = []
    for word, index, key in _PATH_PART.findall(name[len(head) :]):
        path.append(int(index) if index else word or unquoted(key))
    return head, tuple(path)


def unquoted(text: str) -> str:
    """What stands between quotes. A backslash before anything but `\\\\ \" ' n t` stands for
    itself, so that patterns need not double it."""
    return _ESCAPE.sub(lambda found: _ESCAPED.get(found[1], found[0]), text[1:-1])


def _token(condition: str, found: re.Match[str]) -> Token:
    value, at = found[0], found.start()
    if found["number"] and sum(char.isdigit() for char in value) > _MAX_DIGITS:
        raise ConditionError(condition, at, f"a number may have {_MAX_DIGITS} digits.")
    if found["text"]:
        return Token("text", unquoted(value), at)
    kind: TokenType = "name" if found["name"] else "number" if found["number"] else "sign"
    return Token(kind, value, at)


def _no_token(condition: str, at: int) -> str:
    char = condition[at]
    if char in "\"'":
        return f"this text has no closing {char}."
    if char.isdigit():
        return "this is no number. Units are ms, s, min, h, and k for thousands."
    if condition.startswith(("&&", "||", "!"), at):
        return f"{char!r} is not known here. Write `and`, `or`, `not`."
    return f"{char!r} is not known here."


def _skip(condition: str, at: int) -> int:
    found = _SPACE.match(condition, at)
    return found.end() if found else at
