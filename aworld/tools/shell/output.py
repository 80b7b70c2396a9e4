"""What a command wrote, as a model can read it."""

from __future__ import annotations

import re

HEAD = 10_000
TAIL = 8_000
"""Bytes kept of the beginning and of the end: both fit on one page of a result."""

# Colours, movements of the cursor, titles of windows: sequences that a terminal would obey.
_SEQUENCES = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[ -/]*[0-~]"
)
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\x80-\x9f]")
_OVERWRITTEN = re.compile(r"[^\n]*\r(?!\n|$)")


class CutOutput:
    """The first and the last bytes of a stream of any length."""

    def __init__(self, head: int = HEAD, tail: int = TAIL) -> None:
        self._most_head = head
        self._most_tail = tail
        self._head = bytearray()
        self._tail = bytearray()
        self.total = 0
        """Bytes that came."""

    def add(self, piece: bytes) -> None:
        """Take what comes next."""
        self.total += len(piece)
        room = self._most_head - len(self._head)
        self._head += piece[:room]
        self._tail += piece[room:] if room < len(piece) else b""
        if len(self._tail) > 2 * self._most_tail:
            del self._tail[: -self._most_tail]

    @property
    def cut(self) -> int:
        """Bytes left out in the middle."""
        return max(0, self.total - self._most_head - self._most_tail)

    def text(self) -> str:
        """The whole, or both ends with the count between them."""
        if not self.cut:
            return readable(bytes(self._head + self._tail))
        head, tail = readable(bytes(self._head)), readable(bytes(self._tail[-self._most_tail :]))
        return f"{head}\n… cut: {self.cut} of {self.total} bytes are left out here …\n{tail}"


def readable(data: bytes) -> str:
    """Text without what only a terminal understands; a progress bar shows its last state."""
    text = _SEQUENCES.sub("", data.decode("utf-8", "replace")).replace("\r\n", "\n")
    text = _OVERWRITTEN.sub("", text)
    return _CONTROLS.sub("", text)
