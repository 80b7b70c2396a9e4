"""What agents said, and where in it two of them disagree."""

from __future__ import annotations

from typing import Literal

import msgspec

LONGEST = 20_000
"""Characters of a statement that are read; of a longer one its first and last half of this."""

Rule = Literal[
    "number", "date", "time", "yes_no", "list", "name", "data", "negation", "opposites",
    "quantifier", "file",
]  # fmt: skip
"""Which comparison found the conflict."""


class Span(msgspec.Struct, frozen=True):
    """A part of a text: `text[start:end]`, in characters."""

    start: int
    end: int
    text: str


class Statement(msgspec.Struct, frozen=True):
    """What one agent said, once."""

    text: str
    actor: str = ""
    seq: int = -1
    """Of the event that holds it; -1 where there is none."""


class Side(msgspec.Struct, frozen=True):
    """One of two statements in conflict."""

    actor: str
    seq: int
    span: Span
    """The passage that cannot hold beside the other."""


class Conflict(msgspec.Struct, frozen=True):
    """Two statements that cannot both hold."""

    about: str
    """What they are about, in a few words: the question, or the words both share."""
    rule: Rule
    sides: tuple[Side, Side]
    why: str
    """A sentence that names both values."""


def side(statement: Statement, span: Span) -> Side:
    """The statement with the passage as evidence."""
    return Side(statement.actor, statement.seq, span)


def readable(text: str) -> str:
    """The text as long as it may be, its cut-out middle replaced by spaces so that places stay."""
    if len(text) <= LONGEST:
        return text
    half = LONGEST // 2
    return text[:half] + "\n" + " " * (len(text) - LONGEST - 1) + text[-half:]
