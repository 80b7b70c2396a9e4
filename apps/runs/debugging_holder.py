"""Who debugs a run: a fold of the run's labels.

Every process reads the labels in the same order, so two people who take a run at the same moment
agree on who was first.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from aworld.storage.base import Label

LABEL = "debugger"
HOLD_US = 60_000_000
"""How long a hold lasts without a command."""


class Holder(NamedTuple):
    """Who debugs a run, until when (UTC microseconds)."""

    by: str
    until: int


def holder_of(labels: Iterable[Label], now: int) -> Holder | None:
    """Who holds a run with these labels."""
    held: Holder | None = None
    for label in labels:
        if label.name != LABEL:
            continue
        free = held is None or held.until <= label.at or held.by == label.by
        if free:
            held = Holder(label.by, label.at + HOLD_US) if label.value else None
    return held if held is not None and held.until > now else None
