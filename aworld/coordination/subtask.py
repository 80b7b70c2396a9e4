"""A sub-task as it is compared and weighted."""

from __future__ import annotations

from typing import Any

import msgspec


class SubTask(msgspec.Struct, frozen=True):
    """One piece of work that someone wants done."""

    content: str
    """What is to be done, in words; for a tool call the tool's name."""
    arguments: dict[str, Any] = {}
    """Of a tool call or a structured task; compared by value."""
    seq: int = -1
    """Of the event that asked for it; -1 where there is none."""
    role: str = ""
    """Whose kind of work it is, such as `coder`."""
    cost: float = 0.0
    """What it is expected to cost, in any unit that all sub-tasks share; 0 where nobody knows."""
