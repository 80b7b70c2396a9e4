"""Server-sent events: bytes as they arrive, the data of each event as it is complete."""

from __future__ import annotations


class SseDecoder:
    """Cuts a stream of bytes into events.

    It works on bytes up to the event's end, so a character or a line break that is split between
    two pieces comes out whole.
    """

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._data: list[bytes] = []

    def feed(self, piece: bytes) -> list[bytes]:
        """The data of each event that this piece completes."""
        if b"\n" not in piece:
            # A line may be long; joining it at every piece would cost the square of its length.
            self._parts.append(piece)
            return []
        lines = b"".join((*self._parts, piece)).split(b"\n")
        self._parts = [lines.pop()]
        events: list[bytes] = []
        for line in lines:
            line = line.removesuffix(b"\r")
            if line.startswith(b"data:"):
                self._data.append(line[5:].removeprefix(b" "))
            elif not line and self._data:
                events.append(b"\n".join(self._data))
                self._data.clear()
            # Comments (keep-alive) and the fields event, id and retry mean nothing here.
        return events

    def close(self) -> list[bytes]:
        """What is left at the end of a stream whose last event lacks its empty line."""
        return self.feed(b"\n\n") if any(self._parts) or self._data else []
