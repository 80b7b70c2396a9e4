"""The reward that tests wrote: `reward.txt` with a number, or `reward.json`.

The folder was writable inside, so what is in it is read with suspicion: no links, no pipes, no
long files.
"""

from __future__ import annotations

import math
import os
import stat
from pathlib import Path
from typing import NamedTuple

import msgspec

_MOST_BYTES = 1_000_000


class Reward(NamedTuple):
    """What was found."""

    score: float | None
    """0.0 to 1.0; None where there is none."""
    parts: dict[str, float]
    """All of `reward.json`."""
    problem: str = ""
    """Why there is none."""


def read_reward(folder: Path) -> Reward:
    """The reward in the verifier's folder."""
    for name in ("reward.txt", "reward.json"):
        data = _contents(folder / name)
        if data is not None:
            try:
                return _number(data) if name == "reward.txt" else _parts(data)
            except (ValueError, msgspec.MsgspecError):
                shown = data[:100].decode("utf-8", "replace")
                return Reward(None, {}, f"{name} holds {shown!r}, which is no reward")
    return Reward(None, {}, "the tests wrote neither reward.txt nor reward.json")


def _number(data: bytes) -> Reward:
    return _checked(float(data.decode("ascii").strip()), {})


def _parts(data: bytes) -> Reward:
    """One number, or several by name: `reward` counts where it is there, else their mean."""
    found = msgspec.json.decode(data, type=float | dict[str, float])
    if isinstance(found, float):
        return _checked(found, {})
    if not found:
        raise ValueError("no parts")
    return _checked(found.get("reward", sum(found.values()) / len(found)), found)


def _checked(score: float, parts: dict[str, float]) -> Reward:
    if not math.isfinite(score) or not 0.0 <= score <= 1.0:
        raise ValueError("out of range")
    return Reward(score, parts)


def _contents(file: Path) -> bytes | None:
    try:
        descriptor = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    with os.fdopen(descriptor, "rb") as opened:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return None
        return opened.read(_MOST_BYTES)
