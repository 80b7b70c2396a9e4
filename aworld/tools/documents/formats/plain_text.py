"""Plain text, and whatever is read as such: source code, logs, PDB files."""

from __future__ import annotations

from collections.abc import Iterator

from aworld.tools.documents.encodings import decode
from aworld.tools.documents.model import Opened, Wanted


class PlainText(Opened):
    """Lines as they stand."""

    kind = "text"
    title = "text"

    def __init__(self, data: bytes) -> None:
        super().__init__()
        text, encoding = decode(data)
        self._lines = text.splitlines()
        self.facts = {"Encoding": encoding, "Lines": str(len(self._lines))}
        if "\ufffd" in text:
            self.notes.append("some bytes are no text in this encoding; they are shown as \ufffd.")

    def lines(self, part: int) -> Iterator[str]:
        """All of them."""
        return iter(self._lines)


def open_document(data: bytes, wanted: Wanted) -> PlainText:
    """Decode."""
    return PlainText(data)
