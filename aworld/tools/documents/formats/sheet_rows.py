"""The rows of a sheet's XML, streamed.

openpyxl gives either values or formulas, and reads what is skipped as slowly as what is wanted;
here one pass gives both, and rows above the wanted ones cost next to nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, BinaryIO, NamedTuple

from lxml import etree
from openpyxl.formula.translate import Translator, TranslatorError
from openpyxl.utils import get_column_letter
from openpyxl.utils.cell import coordinate_to_tuple
from openpyxl.utils.datetime import from_excel

_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_STRICT = "{http://purl.oclc.org/ooxml/spreadsheetml/main}"
_WANTED = ("row", "mergeCell", "conditionalFormatting", "col")
_TAGS = [f"{space}{name}" for space in (_MAIN, _STRICT) for name in _WANTED]


class Cell(NamedTuple):
    """A cell that has something: a value, a formula or a style."""

    row: int
    column: int
    value: Any
    """Text, number, truth value, date; None where there is none."""
    formula: str
    style: int


class SheetRows:
    """One reading of a sheet."""

    def __init__(self, book: Any, shared_strings: Any) -> None:
        self._book = book
        self._strings = shared_strings
        self._shared: dict[str, Translator] = {}
        self.merged: list[str] = []
        self.hidden_rows: list[int] = []
        self.hidden_columns: list[str] = []
        self.conditional = False

    def rows(self, source: BinaryIO, first: int, last: int) -> Iterator[tuple[int, list[Cell]]]:
        """`(number, cells)` of the rows from `first` to `last`; what stands behind the rows is
        known when the last row has been given."""
        number = 0
        events = etree.iterparse(source, tag=_TAGS, resolve_entities=False, no_network=True)
        for _, element in events:
            if element.tag.endswith("}row"):
                number = int(element.get("r") or number + 1)
                if number > last:
                    return
                if number >= first:
                    if element.get("hidden") in ("1", "true"):
                        self.hidden_rows.append(number)
                    yield number, self._cells(element, number)
                elif self._has_shared_formula(element):
                    self._cells(element, number)
            else:
                self._note(element)
            element.clear()
            while element.getprevious() is not None:
                del element.getparent()[0]

    def _cells(self, row: Any, number: int) -> list[Cell]:
        cells: list[Cell] = []
        column = 0
        for element in row:
            where = element.get("r")
            column = coordinate_to_tuple(where)[1] if where else column + 1
            style = int(element.get("s") or 0)
            value, formula = self._content(element, style, f"{get_column_letter(column)}{number}")
            cells.append(Cell(number, column, value, formula, style))
        return cells

    def _content(self, element: Any, style: int, where: str) -> tuple[Any, str]:
        kind = element.get("t", "n")
        value: Any = None
        formula = ""
        for child in element:
            name = child.tag.rpartition("}")[2]
            if name == "v":
                value = self._value(kind, child.text, style)
            elif name == "f":
                formula = self._formula(child, where)
            elif name == "is":
                value = "".join(child.itertext("{*}t"))
        return value, formula

    def _value(self, kind: str, text: str | None, style: int) -> Any:
        if not text:
            return None
        if kind == "s":
            return self._strings[int(text)]
        if kind == "b":
            return text in ("1", "true")
        if kind != "n":
            return text
        number = float(text)
        if style in self._book._date_formats:
            try:
                duration = style in self._book._timedelta_formats
                return from_excel(number, self._book.epoch, timedelta=duration)
            except (ValueError, OverflowError):
                return number
        return int(number) if number.is_integer() and abs(number) < 1e15 else number

    def _formula(self, element: Any, where: str) -> str:
        """A formula; one that is shared stands at its first cell and is moved to the others."""
        text = f"={element.text}" if element.text else ""
        shared = element.get("si")
        if element.get("t") != "shared" or shared is None:
            return text
        if text:
            self._shared[shared] = Translator(text, where)
            return text
        known = self._shared.get(shared)
        try:
            return str(known.translate_formula(where)) if known is not None else "="
        except TranslatorError:
            return "="

    def _has_shared_formula(self, row: Any) -> bool:
        return any(child.get("t") == "shared" for child in row.iter("{*}f"))

    def _note(self, element: Any) -> None:
        name = element.tag.rpartition("}")[2]
        if name == "mergeCell":
            self.merged.append(element.get("ref") or "")
        elif name == "conditionalFormatting":
            self.conditional = True
        elif element.get("hidden") in ("1", "true"):
            left, right = int(element.get("min") or 1), int(element.get("max") or 1)
            self.hidden_columns.append(f"{get_column_letter(left)}:{get_column_letter(right)}")
