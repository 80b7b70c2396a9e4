"""What cells have besides values: colours, formulas, merging; told in ranges, not cell by cell."""

from __future__ import annotations

import datetime
from typing import Any
from xml.etree import ElementTree

from openpyxl.styles.colors import COLOR_INDEX
from openpyxl.utils import get_column_letter

from aworld.tools.documents.colours import name_of, tinted
from aworld.tools.documents.formats.sheet_rows import Cell, SheetRows
from aworld.tools.documents.model import one_line

_DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
# The order in which Excel counts a theme's colours is not that of the file.
_THEME = ("lt1", "dk1", "lt2", "dk2", "accent1", "accent2", "accent3", "accent4", "accent5",
          "accent6", "hlink", "folHlink")  # fmt: skip
_MOST_CELLS = 50_000
_MOST_RANGES = 120
_MOST_FORMULAS = 100

Cells = dict[int, list[int]]
"""Row → columns."""


class Palette:
    """The colours of a workbook's styles."""

    def __init__(self, book: Any) -> None:
        self._book = book
        self._theme = _theme(book.loaded_theme)
        self._fills: dict[int, str] = {}
        self._texts: dict[int, str] = {}

    def fill(self, style: int) -> str:
        """A style's fill as `#RRGGBB name`; "" for none."""
        if style not in self._fills:
            fill = self._book._fills[self._book._cell_styles[style].fillId]
            plain = getattr(fill, "fill_type", None)
            colour = self._rgb(fill.fgColor) if plain not in (None, "none") else ""
            if not plain and getattr(fill, "stop", None):
                colour = self._rgb(fill.stop[0].color)
            self._fills[style] = f"{colour} {name_of(colour)}" if colour else ""
        return self._fills[style]

    def text(self, style: int) -> str:
        """The colour of a style's text; "" for black, or what nobody chose."""
        if style not in self._texts:
            font = self._book._fonts[self._book._cell_styles[style].fontId]
            colour = self._rgb(font.color) if font.color is not None else ""
            chosen = colour and colour != "#000000"
            self._texts[style] = f"{colour} {name_of(colour)}" if chosen else ""
        return self._texts[style]

    def _rgb(self, colour: Any) -> str:
        """`#RRGGBB`, or "" where it is the window's own."""
        found = ""
        if colour.type == "rgb" and isinstance(colour.rgb, str):
            found = colour.rgb[-6:]
        elif colour.type == "theme" and 0 <= colour.theme < len(self._theme):
            found = self._theme[colour.theme]
        elif colour.type == "indexed" and colour.indexed < len(COLOR_INDEX):
            found = COLOR_INDEX[colour.indexed][-6:]
        try:
            int(found, 16)
        except ValueError:
            return ""
        return tinted(f"#{found}", colour.tint or 0.0) if len(found) == 6 else ""


def _theme(xml: bytes | None) -> list[str]:
    """`RRGGBB` of each theme colour."""
    try:
        scheme = ElementTree.fromstring(xml or b"<x/>").find(f".//{_DRAWING}clrScheme")
    except ElementTree.ParseError:
        scheme = None
    if scheme is None:
        return []
    found = []
    for name in _THEME:
        chosen = scheme.find(f"{_DRAWING}{name}")
        colour = chosen[0] if chosen is not None and len(chosen) else None
        found.append("" if colour is None else colour.get("lastClr") or colour.get("val") or "")
    return found


class CellMarks:
    """Collects while rows are read."""

    def __init__(self) -> None:
        self._fills: dict[str, Cells] = {}
        self._texts: dict[str, Cells] = {}
        self._formulas: list[str] = []
        self._count = 0
        self._ends: list[str] = []
        self._uncalculated = False

    def add(self, cell: Cell, fill: str, text: str) -> None:
        """Note a cell."""
        self._count += 1
        if self._count > _MOST_CELLS:
            return
        if cell.formula and cell.value is None:
            self._uncalculated = True
        for colours, colour in ((self._fills, fill), (self._texts, text)):
            if colour:
                colours.setdefault(colour, {}).setdefault(cell.row, []).append(cell.column)
        if cell.formula and len(self._formulas) <= _MOST_FORMULAS:
            where = f"{get_column_letter(cell.column)}{cell.row}"
            self._formulas.append(f"{where}: {one_line(cell.formula)}")

    def finish(self, reading: SheetRows) -> None:
        """What is known of a sheet when its rows have been read."""
        hidden = [str(row) for row in reading.hidden_rows]
        for title, names in (
            ("Merged cells", reading.merged),
            ("Hidden rows", hidden),
            ("Hidden columns", reading.hidden_columns),
        ):
            if names:
                self._ends.append(f"{title}: {_listed(names[:_MOST_RANGES], len(names))}")
        if reading.conditional:
            self._ends.append(
                "Conditional formatting is there; the colours that it gives are not worked out."
            )

    def rows(self, *, with_formulas: bool) -> list[str]:
        """Lines that tell it."""
        rows: list[str] = []
        if with_formulas and self._formulas:
            cut = "; …" if len(self._formulas) > _MOST_FORMULAS else ""
            rows.append(f"Formulas: {'; '.join(self._formulas[:_MOST_FORMULAS])}{cut}")
        if self._uncalculated:
            rows.append("Cells that were never calculated show their formula as value.")
        for title, colours in (("Fill", self._fills), ("Text", self._texts)):
            for colour, cells in colours.items():
                ranges = ranges_of(cells)
                rows.append(f"{title} {colour}: {_listed(ranges[:_MOST_RANGES], len(ranges))}")
        if self._count > _MOST_CELLS:
            rows.append(f"Colours and formulas: of the first {_MOST_CELLS} cells. Give a range.")
        return rows + self._ends


def ranges_of(cells: Cells) -> list[str]:
    """Cells as ranges: neighbours in a row, then equal runs below each other."""
    open_runs: dict[tuple[int, int], int] = {}
    ranges: list[str] = []
    last_row = 0

    def close(runs: dict[tuple[int, int], int], row: int) -> None:
        for (left, right), top in runs.items():
            start = f"{get_column_letter(left)}{top}"
            end = f"{get_column_letter(right)}{row}"
            ranges.append(start if start == end else f"{start}:{end}")

    for row, columns in sorted(cells.items()):
        runs = _runs(columns)
        ended = {r: t for r, t in open_runs.items() if row != last_row + 1 or r not in runs}
        close(ended, last_row)
        kept = {run: top for run, top in open_runs.items() if run not in ended}
        open_runs = {run: kept.get(run, row) for run in runs}
        last_row = row
    close(open_runs, last_row)
    return ranges


def _runs(columns: list[int]) -> list[tuple[int, int]]:
    runs: list[tuple[int, int]] = []
    for column in sorted(set(columns)):
        if runs and runs[-1][1] == column - 1:
            runs[-1] = (runs[-1][0], column)
        else:
            runs.append((column, column))
    return runs


def shown_value(value: Any) -> str:
    """A cell's value as it is read aloud: no `.0`, no midnight."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float):
        return f"{value:.15g}"
    if isinstance(value, datetime.datetime):
        midnight = value.time() == datetime.time()
        return value.date().isoformat() if midnight else value.isoformat(" ")
    return str(value)


def _listed(ranges: list[str], count: int) -> str:
    more = f", … ({count} in all)" if count > len(ranges) else ""
    return ", ".join(ranges) + more
