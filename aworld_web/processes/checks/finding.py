"""What one check found."""

from __future__ import annotations

from typing import Literal

import msgspec

__all__ = ["Finding", "State"]

State = Literal["ok", "note", "missing"]
"""`note`: works without, with less; `missing`: `aworld up` will not do what it should."""


class Finding(msgspec.Struct, frozen=True):
    """One thing that was looked at."""

    name: str
    state: State
    detail: str
    """What is there."""
    cure: str = ""
    """What to do; "" where nothing has to be done."""
