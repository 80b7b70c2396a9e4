"""What a role is: a prompt, the tools it takes by itself, and for judges how to read a verdict."""

from __future__ import annotations

from collections.abc import Callable

import msgspec


class Verdict(msgspec.Struct, frozen=True):
    """What a verifier said."""

    passed: bool | None
    """None where the text holds no verdict: ask again, never take it for either."""
    text: str
    """The reason it gave; the whole text where there is no verdict."""


class Role(msgspec.Struct, frozen=True):
    """One role. Each lives in a file of its own beside this one, as `ROLE`."""

    name: str
    instructions: str
    tools: tuple[str, ...] = ()
    """Tools it gets where its agent names none."""
    judge: Callable[[str], Verdict] | None = None
    """Reads a verdict from its final text; None for roles that answer instead of judging."""
