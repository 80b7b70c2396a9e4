"""CSV and TSV: the delimiter and the encoding are found out."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator

from aworld.tools.documents.encodings import decode
from aworld.tools.documents.model import DocumentError, Opened, Wanted, table_row

_DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar", ":": "colon"}
_SAMPLE_ROWS = 50
_LONGEST_FIELD = 1024 * 1024


class Delimited(Opened):
    """A table; line n is row n."""

    kind = "csv"
    title = "CSV table"

    def __init__(self, data: bytes, name: str) -> None:
        super().__init__()
        self._text, encoding = decode(data)
        self._text = self._text.replace("\0", "")
        self._name = name
        self._delimiter = delimiter_of(self._text)
        first = next(self._rows(), [])
        self.facts = {
            "Delimiter": _DELIMITERS[self._delimiter],
            "Encoding": encoding,
            "Rows": str(sum(1 for _ in self._rows())),
            "Columns": str(len(first)),
        }

    def lines(self, part: int) -> Iterator[str]:
        """One row a line."""
        for row in self._rows():
            yield table_row(row)

    def _rows(self) -> Iterator[list[str]]:
        csv.field_size_limit(_LONGEST_FIELD)
        try:
            yield from csv.reader(io.StringIO(self._text, newline=""), delimiter=self._delimiter)
        except csv.Error as error:
            raise DocumentError(
                f"{self._name!r} is no table that can be read ({error}). Rename it to .txt to read "
                "it as text."
            ) from None


def delimiter_of(text: str) -> str:
    """The delimiter that divides most rows into the same number of fields, and more than one."""
    sample = "".join(text[: 64 * 1024].splitlines(keepends=True)[:_SAMPLE_ROWS])
    best, best_score = ",", 0.0
    for delimiter in _DELIMITERS:
        try:
            widths = [len(row) for row in csv.reader(io.StringIO(sample), delimiter=delimiter)]
        except csv.Error:
            continue
        width, often = Counter(widths).most_common(1)[0] if widths else (1, 0)
        # Times and addresses have colons too: a colon must do clearly better.
        weight = 0.5 if delimiter == ":" else 1.0
        score = weight * (often / len(widths)) * min(width, 8) if width > 1 else 0.0
        if score > best_score:
            best, best_score = delimiter, score
    return best


def open_document(data: bytes, wanted: Wanted) -> Delimited:
    """Decode and look at the first rows."""
    return Delimited(data, wanted.name)
