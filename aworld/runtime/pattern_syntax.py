"""Reads a regular expression into a tree: Python's syntax, without what cannot be run in linear
time.

Look-around and back references are refused: no automaton knows them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, Literal, NamedTuple, NoReturn

from aworld.errors import ConfigurationError

MAX_PATTERN: Final = 300
"""Characters."""
_MAX_DEPTH: Final = 20

Test = Callable[[str], bool]
"""Whether one character fits."""
Place = Literal["begin", "end", "line_begin", "line_end", "word_edge", "no_word_edge"]


class Char(NamedTuple):
    """One character."""

    test: Test


class At(NamedTuple):
    """A place between two characters."""

    place: Place


class Sequence(NamedTuple):
    """One after the other."""

    parts: tuple[Pattern, ...]


class Choice(NamedTuple):
    """One of these."""

    options: tuple[Pattern, ...]


class Repeat(NamedTuple):
    """The same `low` to `high` times; `high` None means any number."""

    part: Pattern
    low: int
    high: int | None


Pattern = Char | At | Sequence | Choice | Repeat

_COUNTS = re.compile(r"\{(?=[\d,])(\d*)(?:(,)(\d*))?\}")
_FLAGS = re.compile(r"\(\?([imsu]+)\)")
_GROUP = re.compile(r"\?(?::|P<[A-Za-z_]\w*>)")
_HEX = {"x": re.compile(r"[0-9A-Fa-f]{2}"), "u": re.compile(r"[0-9A-Fa-f]{4}")}
_PLAIN_ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "v": "\v", "a": "\a"}
_PLACES: Final[dict[str, Place]] = {
    "A": "begin",
    "Z": "end",
    "b": "word_edge",
    "B": "no_word_edge",
}


def is_word(char: str) -> bool:
    """Whether `\\w` fits."""
    return char.isalnum() or char == "_"


_CLASSES: Final[dict[str, Test]] = {
    "d": str.isdecimal,
    "w": is_word,
    "s": str.isspace,
    "D": lambda char: not char.isdecimal(),
    "W": lambda char: not is_word(char),
    "S": lambda char: not char.isspace(),
}


def read_pattern(text: str) -> Pattern:
    """The tree of a regular expression.

    Raises:
        ConfigurationError: it is too long, malformed, or uses look-around or back references.
    """
    if len(text) > MAX_PATTERN:
        raise ConfigurationError(
            f"The pattern has {len(text)} characters; {MAX_PATTERN} are allowed."
        )
    return _Reader(text).read()


class _Reader:
    """One pass over the pattern, top down."""

    def __init__(self, text: str) -> None:
        flags = _FLAGS.match(text)
        self._flags = flags[1] if flags else ""
        self._text = text
        self._at = flags.end() if flags else 0
        self._depth = 0

    def read(self) -> Pattern:
        tree = self._choice()
        if self._at < len(self._text):
            self._fail("this ')' closes nothing")
        return tree

    def _choice(self) -> Pattern:
        options = [self._sequence()]
        while self._take("|"):
            options.append(self._sequence())
        return options[0] if len(options) == 1 else Choice(tuple(options))

    def _sequence(self) -> Pattern:
        parts: list[Pattern] = []
        while self._at < len(self._text) and self._text[self._at] not in "|)":
            parts.append(self._repeated())
        return parts[0] if len(parts) == 1 else Sequence(tuple(parts))

    def _repeated(self) -> Pattern:
        begin = self._at
        part = self._one()
        counts = self._counts()
        if counts is None:
            return part
        if isinstance(part, At):
            self._fail("there is nothing to repeat", begin)
        self._take("?")  # As few as possible matches the same texts.
        if self._take("+"):
            self._fail("possessive repetition cannot be used", self._at - 1)
        if self._counts() is not None:
            self._fail("a repetition cannot be repeated; put it in parentheses")
        return Repeat(part, *counts)

    def _counts(self) -> tuple[int, int | None] | None:
        for sign, counts in (("*", (0, None)), ("+", (1, None)), ("?", (0, 1))):
            if self._take(sign):
                return counts
        found = _COUNTS.match(self._text, self._at)
        if found is None:
            return None
        low = int(found[1] or 0)
        high = (int(found[3]) if found[3] else None) if found[2] else low
        if high is not None and high < low:
            self._fail(f"{found[0]} asks for at most fewer than at least")
        self._at = found.end()
        return low, high

    def _one(self) -> Pattern:
        char = self._next()
        if char == "(":
            return self._group()
        if char == "[":
            return self._set()
        if char == ".":
            return Char((lambda _: True) if "s" in self._flags else _no_line_end)
        if char == "^":
            return At("line_begin" if "m" in self._flags else "begin")
        if char == "$":
            return At("line_end" if "m" in self._flags else "end")
        if char == "\\":
            return self._escape()
        if char in "*+?" or (char == "{" and self._back_counts()):
            self._fail("there is nothing to repeat", self._at - 1)
        return self._char(_equal(char))

    def _back_counts(self) -> bool:
        return _COUNTS.match(self._text, self._at - 1) is not None

    def _group(self) -> Pattern:
        begin = self._at - 1
        if self._text.startswith("?", self._at):
            opened = _GROUP.match(self._text, self._at)
            if opened is None:
                self._fail("only plain groups, (?:…) and (?P<name>…) can be used", begin)
            self._at = opened.end()
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            self._fail(f"groups lie more than {_MAX_DEPTH} deep in each other", begin)
        inside = self._choice()
        self._depth -= 1
        if not self._take(")"):
            self._fail("this '(' is not closed", begin)
        return Sequence((inside,)) if isinstance(inside, At) else inside

    def _escape(self) -> Pattern:
        char = self._next("a character after the backslash")
        if char in _PLACES:
            return At(_PLACES[char])
        if char in _CLASSES:
            return self._char(_CLASSES[char])
        return self._char(_equal(self._escaped(char)))

    def _escaped(self, char: str) -> str:
        if char in _PLAIN_ESCAPES:
            return _PLAIN_ESCAPES[char]
        if char in _HEX:
            digits = _HEX[char].match(self._text, self._at)
            if digits is None:
                self._fail(f"\\{char} is followed by too few hexadecimal digits")
            self._at = digits.end()
            return chr(int(digits[0], 16))
        if char.isdigit():
            self._fail("back references cannot be used", self._at - 2)
        if char.isascii() and char.isalpha():
            self._fail(f"\\{char} means nothing", self._at - 2)
        return char

    def _set(self) -> Pattern:
        begin = self._at - 1
        negated = self._take("^")
        tests: list[Test] = []
        while True:
            if self._at >= len(self._text):
                self._fail("this '[' is not closed", begin)
            if tests and self._take("]"):
                break
            tests.append(self._set_member())
        return self._char(_any_of(tests), negated)

    def _set_member(self) -> Test:
        first = self._set_character()
        if not isinstance(first, str):
            return first
        ends = self._text[self._at + 1 : self._at + 2]
        if not self._text.startswith("-", self._at) or ends in {"", "]"}:
            return _equal(first)
        self._at += 1
        last = self._set_character()
        if not isinstance(last, str) or last < first:
            self._fail("this range has no end after its beginning")
        return _between(first, last)

    def _set_character(self) -> str | Test:
        char = self._next()
        if char != "\\":
            return char
        char = self._next("a character after the backslash")
        if char in _CLASSES:
            return _CLASSES[char]
        return "\b" if char == "b" else self._escaped(char)

    def _char(self, test: Test, negated: bool = False) -> Char:
        if "i" in self._flags:
            test = _any_case(test)
        if negated:
            whole = test
            return Char(lambda char: not whole(char))
        return Char(test)

    def _next(self, expected: str = "something") -> str:
        if self._at >= len(self._text):
            self._fail(f"expected {expected}, found the end")
        self._at += 1
        return self._text[self._at - 1]

    def _take(self, sign: str) -> bool:
        if not self._text.startswith(sign, self._at):
            return False
        self._at += 1
        return True

    def _fail(self, why: str, at: int | None = None) -> NoReturn:
        at = self._at if at is None else at
        raise ConfigurationError(
            f"The pattern {self._text!r} cannot be read at its character {at + 1}: {why}."
        )


def _no_line_end(char: str) -> bool:
    return char != "\n"


def _equal(wanted: str) -> Test:
    return lambda char: char == wanted


def _between(first: str, last: str) -> Test:
    return lambda char: first <= char <= last


def _any_of(tests: list[Test]) -> Test:
    return lambda char: any(test(char) for test in tests)


def _any_case(test: Test) -> Test:
    return lambda char: test(char) or test(char.lower()[:1]) or test(char.upper()[:1])
