"""Patterns that name calls: `shell`, `files(write *)`, `browser(navigate https://*.example.com/*)`.

Before the parenthesis stands the tool, within it how its arguments begin: their values, in the
order of the tool's schema, with blanks between. `*` stands for any text; nothing else is special.
Capitals and the width of blanks make no difference, so that a call cannot slip past by them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from aworld.errors import ConfigurationError

_PATTERN = re.compile(r"\s*([A-Za-z0-9_*-]+)\s*(?:\((.*)\))?\s*", re.DOTALL)
_BEGINNINGS = 8
"""So many of the first arguments may stand alone before the rest."""


class CallPattern(NamedTuple):
    """One pattern, ready to be compared."""

    text: str
    """As it was written."""
    tool: str
    arguments: str | None
    """None where any arguments are meant."""

    def fits(self, tool: str, words: Sequence[str]) -> bool:
        """Whether a call is meant; `words` are what `call_words` makes of its arguments."""
        if not _fits(self.tool, tool.casefold()):
            return False
        if self.arguments is None:
            return True
        return any(_fits(self.arguments, beginning) for beginning in _beginnings(words))


def read_pattern(text: str) -> CallPattern:
    """A pattern from its text.

    Raises:
        ConfigurationError: it is none.
    """
    found = _PATTERN.fullmatch(text)
    if found is None:
        raise ConfigurationError(
            f"{text!r} names no calls. Write a tool's name, such as 'shell', or how its arguments "
            "begin, such as 'files(write *)'; * stands for any text."
        )
    arguments = None if found[2] is None else _plain(found[2])
    return CallPattern(text.strip(), found[1].casefold(), arguments or None)


def call_words(arguments: Mapping[str, Any], schema: Mapping[str, Any]) -> list[str]:
    """The values of a call's arguments as words: in the order of the schema, what was left out by
    its default, then what the schema does not know."""
    properties = schema.get("properties", {})
    words: list[str] = []
    for name, described in properties.items():
        default = described.get("default") if isinstance(described, dict) else None
        value = arguments.get(name, default)
        if value is not None:
            words.append(_word(value))
    unknown = sorted(name for name in arguments if name not in properties)
    return [*words, *(_word(arguments[name]) for name in unknown)]


def _word(value: object) -> str:
    text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    return _plain(text)


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _beginnings(words: Sequence[str]) -> Iterator[str]:
    """`write`, `write a.txt`, … and all of it."""
    for count in range(min(len(words), _BEGINNINGS) + 1):
        yield " ".join(filter(None, words[:count]))
    if len(words) > _BEGINNINGS:
        yield " ".join(filter(None, words))


def _fits(pattern: str, text: str) -> bool:
    """Whether the whole text is meant. Linear in both: what a model writes may be long."""
    if pattern.endswith(" *") and _fits(pattern[:-2], text):
        return True  # `write *` means a bare `write` too.
    first, *rest = pattern.split("*")
    if not rest:
        return text == first
    if not text.startswith(first):
        return False
    at = len(first)
    for part in rest[:-1]:
        found = text.find(part, at)
        if found < 0:
            return False
        at = found + len(part)
    return len(text) - len(rest[-1]) >= at and text.endswith(rest[-1])
