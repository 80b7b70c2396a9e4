"""What a document is to those who read it: parts (pages, sheets, slides) that have lines."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import ClassVar, Final

import msgspec

LENGTHS: Final = struct.Struct(">II")
"""What begins a frame between worker and process: the lengths of its head and of its body."""

MOST_BYTES = 64 * 1024 * 1024
"""Size of a document, and of all that is unpacked from one."""
MOST_CHARACTERS = 18_000
"""Of a document's text that one call shows: less than a page of `tools.pages`."""
LONGEST_LINE = 4_000
"""A longer line is cut, and says so."""


Cell = str | int | float | bool | None
"""What stands in a cell that is written."""


class DocumentError(Exception):
    """It cannot be done; the text is a sentence for the model."""


class Wanted(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is asked of a document."""

    action: str = "read"
    """`read`, `info`, `find`, `extract`, `passages`, `write`."""
    name: str = ""
    """The file's name: its suffix settles what its content leaves open."""
    pages: str = ""
    """`3`, `2-5,9`, `7-` or a name; "" means all."""
    range: str = ""
    """Cells, such as `A1:D20`."""
    show: str = ""
    """`values`, `formulas`, `colours`, `layout`."""
    first_line: int = 1
    lines: int = 0
    """0 means all."""
    text: str = ""
    """To find; or the text to write."""
    password: str = ""
    base_url: str = ""
    """What a page's relative links are relative to."""
    sheets: dict[str, list[list[Cell]]] = {}
    """To write: rows by sheet; "" is the name of a sheet that was given none."""
    most_characters: int = MOST_CHARACTERS


class Produced(msgspec.Struct, frozen=True):
    """A file or picture that came out."""

    name: str
    media_type: str
    data: bytes


class Reply(msgspec.Struct, frozen=True):
    """What came of it."""

    text: str = ""
    kind: str = ""
    data: dict[str, object] = {}
    files: tuple[Produced, ...] = ()


class Opened:
    """A document whose parts can be read one by one. Parts count from 0."""

    kind: ClassVar[str]
    title: ClassVar[str]
    """What the kind is called, such as `PDF`."""
    unit: str = ""
    """What its parts are called; "" where there is only one."""

    def __init__(self) -> None:
        self.labels: list[str] = [""]
        """The name of each part; "" for one that has a number only."""
        self.facts: dict[str, str] = {}
        """What is known of the whole: title, size, encoding."""
        self.notes: list[str] = []
        """What the reader should know, such as that something was left out."""

    def summary(self) -> list[str]:
        """Lines on the parts, before any part is read."""
        return []

    def shown_by_default(self) -> range:
        """Parts that are read where none was asked for."""
        return range(len(self.labels))

    def lines(self, part: int) -> Iterator[str]:
        """The text of a part. Line breaks inside a line do not occur."""
        raise NotImplementedError

    def appendix(self) -> list[str]:
        """What belongs to the lines that were just read, such as colours of cells."""
        return []

    def pictures(self, part: int) -> list[Produced]:
        """Pictures that stand for a part's text, for a model that can see."""
        return []

    def embedded(self) -> Iterator[Produced]:
        """All files inside, to be extracted."""
        return iter(())


def label_of(opened: Opened, part: int) -> str:
    """How a part is called: `page 3`, `sheet 'Costs'`."""
    if not opened.unit:
        return ""
    name = opened.labels[part]
    return f"{opened.unit} {name!r}" if name else f"{opened.unit} {part + 1}"


def one_line(text: str) -> str:
    """A text on one line."""
    return " ".join(text.split())


def table_row(cells: list[str]) -> str:
    """Cells of a row as markdown has them."""
    return "| " + " | ".join(one_line(cell).replace("|", "\\|") for cell in cells) + " |"
