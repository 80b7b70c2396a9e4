"""The children's lines on the parent's terminal, each with the name of who said it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import TextIO

__all__ = ["Console", "LineSplitter"]

_COLOURS = (36, 35, 34, 32, 33, 96, 95, 94)
"""ANSI foreground colours, one a process, in the order in which they first speak."""
_WIDTH = 9
LONGEST = 8192
"""Characters of a line that are shown; the rest is counted."""


class Console:
    """Writes whole lines, prefixed; in colour on a terminal unless NO_COLOR is set."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stdout
        self._colourful = self._stream.isatty() and not os.environ.get("NO_COLOR")
        self._colours: dict[str, int] = {}

    def line(self, name: str, text: str) -> None:
        """One line said by `name`; a terminal that went away is no fault."""
        prefix = f"{name:<{_WIDTH}} │"
        if self._colourful:
            colour = self._colours.setdefault(name, _COLOURS[len(self._colours) % len(_COLOURS)])
            prefix = f"\x1b[{colour}m{prefix}\x1b[0m"
        try:
            self._stream.write(f"{prefix} {text}\n")
            self._stream.flush()
        except (BrokenPipeError, ValueError, OSError):
            return


class LineSplitter:
    """Bytes in pieces of any size → lines of text; what is too long is cut and counted."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes) -> Iterator[str]:
        """The lines that are whole now."""
        *whole, self._rest = (self._rest + data).split(b"\n")
        for line in whole:
            yield _text(line)
        if len(self._rest) > 16 * LONGEST:
            yield self.finish()

    def finish(self) -> str:
        """What is left without an end of line."""
        rest, self._rest = self._rest, b""
        return _text(rest)


def _text(line: bytes) -> str:
    text = line.decode("utf-8", errors="replace").rstrip("\r")
    if len(text) > LONGEST:
        return f"{text[:LONGEST]} … ({len(text) - LONGEST} characters more)"
    return text
