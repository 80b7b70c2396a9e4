"""A spreadsheet file opened twice, for its values and for its looks, with OSWorld's sheet names."""

from __future__ import annotations

from typing import Any

from openpyxl import load_workbook


class Book:
    """An xlsx file."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.looks: Any = load_workbook(path)
        self._values: Any = load_workbook(path, data_only=True)
        self.names: list[str] = self.looks.sheetnames

    def sheet(self, name: str) -> Any:
        """A sheet with formulas, styles and settings; None where there is none."""
        return self.looks[name] if name in self.names else None

    def values(self, name: str) -> Any:
        """A sheet with the results that formulas had when it was saved."""
        return self._values[name] if name in self.names else None

    def value(self, name: str, coordinate: str) -> Any:
        """A cell's value as it is stored: a number as a float, a text; None where it is empty."""
        sheet = self.values(name)
        found = None if sheet is None else sheet[coordinate].value
        if isinstance(found, bool) or found is None:
            return None if found is None else float(found)
        if isinstance(found, int | float):
            return float(found)
        if isinstance(found, str):
            return found
        return _serial(found)


def _serial(moment: Any) -> float:
    """A date or time as the number that the file holds."""
    from openpyxl.utils.datetime import to_excel

    return float(to_excel(moment))


class Pair:
    """The result's book and the expected one, None where the task has none."""

    def __init__(self, result: Book, expected: Book | None) -> None:
        self.result = result
        self.expected = expected

    def find(self, index: int | str) -> tuple[Book, str]:
        """OSWorld's index of a sheet: a number or `RI0` by place in the result, `RNname` by name;
        `EI`, `EN` in the expected one. A place beyond the end has the name "".

        Raises:
            ValueError: it is no index, or there is no expected book.
        """
        text = f"RI{index}" if isinstance(index, int) else index
        side, way, which = text[:1], text[1:2], text[2:]
        book = {"R": self.result, "E": self.expected}.get(side)
        if book is None or way not in ("I", "N"):
            raise ValueError(f"{index!r} names no sheet")
        if way == "N":
            return book, which
        place = int(which)
        return book, book.names[place] if -len(book.names) <= place < len(book.names) else ""
