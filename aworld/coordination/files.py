"""Two agents that write one file with different content."""

from __future__ import annotations

import difflib
import posixpath
import re

import msgspec

from aworld.coordination.statement import Conflict, Side, Span

MOST_LINES = 500
"""Lines of a file that are matched in their order; of longer files only which lines are shared."""


class Write(msgspec.Struct, frozen=True):
    """One file written by one agent."""

    path: str
    """In the team's workspace; `/` or `\\` between folders."""
    content: str
    actor: str = ""
    seq: int = -1


def compare(one: Write, other: Write) -> Conflict | None:
    """The conflict of two writes; None where path or content says that there is none.

    Line ends and empty lines at the end count as the same. One agent writing a file again is an
    edit, no conflict, where both writes name their agent.
    """
    if place(one.path) != place(other.path) or (one.actor and one.actor == other.actor):
        return None
    first, second = _lines(one.content), _lines(other.content)
    if first == second:
        return None
    line = next(
        (n for n, (a, b) in enumerate(zip(first, second, strict=False)) if a != b),
        min(len(first), len(second)),
    )
    return Conflict(
        about=place(one.path),
        rule="file",
        sides=(
            Side(one.actor, one.seq, _line(one.content, line)),
            Side(other.actor, other.seq, _line(other.content, line)),
        ),
        why=f"Both wrote {place(one.path)!r}; they differ from line {line + 1} on, "
        f"{_share(first, second)} of the lines are the same.",
    )


def place(path: str) -> str:
    """The path in its one spelling: `out/./plan.txt` is `out/plan.txt`."""
    clean = posixpath.normpath(path.replace("\\", "/").strip())
    return clean.removeprefix("/workspace/").removeprefix("/")


def _lines(content: str) -> list[str]:
    return content.replace("\r\n", "\n").replace("\r", "\n").rstrip().split("\n")


def _line(content: str, number: int) -> Span:
    starts = [0, *(match.end() for match in re.finditer(r"\r\n|\r|\n", content))]
    if number >= len(starts):
        return Span(len(content), len(content), "")
    end = re.compile(r"[\r\n]|\Z").search(content, starts[number])
    stop = min(end.start() if end else len(content), starts[number] + 500)
    return Span(starts[number], stop, content[starts[number] : stop])


def _share(first: list[str], second: list[str]) -> str:
    if max(len(first), len(second)) > MOST_LINES:
        same = len(set(first) & set(second)) / max(len(first), len(second))
    else:
        same = difflib.SequenceMatcher(None, first, second, autojunk=False).ratio()
    return f"{same:.0%}"
