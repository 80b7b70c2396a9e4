"""One task as its maker gives it."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import msgspec


class Made(msgspec.Struct, frozen=True):
    """A question with its one right answer."""

    name: str
    """Its task id, and its attachment's name without the ending."""
    question: str
    answer: str
    steps: Sequence[str]
    """How a person gets there."""
    tools: Sequence[str]
    ending: str = ""
    """Of the attachment, such as `xlsx`; "" where there is none."""
    content: bytes = b""
    """The attachment."""


Maker = Callable[[random.Random], Made]
"""Gets a generator of random numbers of its own, seeded by the task's name."""


def number(value: float, places: int = 0) -> str:
    """A number as an answer: no separators, this many decimals."""
    return f"{value:.{places}f}"
