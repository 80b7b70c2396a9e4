"""What a server offers, as it said it, and the names its tools have here.

Model APIs take letters, digits, `_` and `-` in at most 64 characters as a function's name, so the
tool `get_time` of the server `clock` is `mcp__clock__get_time`.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Sequence

import msgspec

from aworld.tools.base import Effect

PREFIX = "mcp__"
MOST_NAME = 64
MOST_TOOLS = 1000
"""Of one server; a listing that goes on is cut there, and says so."""


class ListedTool(msgspec.Struct, frozen=True, omit_defaults=True):
    """A tool as its server describes it."""

    name: str
    """The server's own name."""
    title: str = ""
    description: str = ""
    parameters: dict[str, object] = {}
    """JSON Schema of the arguments object."""
    effect: Effect = "unsafe"
    """From the server's annotations, which are its word only."""
    problem: str = ""
    """Why agents cannot be given it; "" where they can."""


class Listing(msgspec.Struct, frozen=True, omit_defaults=True):
    """All tools of a server, and who it says it is."""

    tools: tuple[ListedTool, ...] = ()
    server: str = ""
    """Name and version."""
    protocol: str = ""
    """The version of MCP that both speak."""
    instructions: str = ""
    cut: bool = False
    """Whether there are more tools than are kept."""


def tool_names(server: str, own_names: Sequence[str]) -> dict[str, str]:
    """Own name → name here, unique among a server's tools.

    A name depends on the server's names only, not on their order: one that had to be changed and
    then equals another, or is too long, ends in a few digits of its hash.
    """
    plain = {own: re.sub(r"[^A-Za-z0-9_-]", "_", own) for own in own_names}
    times = Counter(plain.values())
    room = MOST_NAME - len(PREFIX) - len(server) - 2
    names: dict[str, str] = {}
    for own, name in plain.items():
        kept = own == name and len(name) <= room
        unique = times[name] == 1 and len(name) <= room
        digits = hashlib.sha256(own.encode("utf-8", "replace")).hexdigest()[:6]
        end = name if kept or unique else f"{name[: room - 7]}_{digits}"
        names[own] = f"{PREFIX}{server}__{end}"
    return names


def server_of(name: str) -> str:
    """The server in a tool's name; "" where the name is of another form."""
    if not name.startswith(PREFIX):
        return ""
    server, separator, _ = name.removeprefix(PREFIX).partition("__")
    return server if separator else ""
