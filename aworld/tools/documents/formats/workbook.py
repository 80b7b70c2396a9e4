"""Excel workbooks, streamed row by row: values, formulas, colours, merged and hidden cells."""

from __future__ import annotations

import io
import warnings
import zipfile
from collections.abc import Iterator
from typing import Any, BinaryIO, cast

from lxml import etree
from openpyxl import load_workbook
from openpyxl.utils import get_column_letter, range_boundaries
from openpyxl.utils.exceptions import InvalidFileException

from aworld.tools.documents.formats.cell_marks import CellMarks, Palette, shown_value
from aworld.tools.documents.formats.sheet_rows import Cell, SheetRows
from aworld.tools.documents.model import DocumentError, Opened, Produced, Wanted, one_line
from aworld.tools.documents.zip_guard import check_office, open_zip

_FAULTS = (
    InvalidFileException,
    zipfile.BadZipFile,
    KeyError,
    ValueError,
    TypeError,
    IndexError,
    AttributeError,
    SyntaxError,  # What the standard library's XML parser raises is one.
    OSError,
)
_LONGEST_CELL = 2_000
_LAST = 10**7


class Workbook(Opened):
    """Each sheet is a part; each row that has something is a line: `12: A=Oslo | C=7`."""

    kind = "xlsx"
    title = "Excel workbook"
    unit = "sheet"

    def __init__(self, data: bytes, archive: zipfile.ZipFile, wanted: Wanted) -> None:
        super().__init__()
        warnings.simplefilter("ignore")
        self._archive = archive
        self._book: Any = load_workbook(io.BytesIO(data), read_only=True)
        self._sheets = [
            sheet for sheet in self._book.worksheets if hasattr(sheet, "_worksheet_path")
        ]
        self.labels = [sheet.title for sheet in self._sheets]
        self._palette = Palette(self._book)
        self._bounds = _bounds(wanted.range)
        self._show = wanted.show
        self._marks = CellMarks()
        charts = sum(name.startswith("xl/charts/chart") for name in archive.namelist())
        properties = self._book.properties
        self.facts = {
            "Title": one_line(properties.title or "")[:300],
            "Author": one_line(properties.creator or "")[:100],
            "Charts": f"{charts}, which are not read" if charts else "",
            "Names": _defined_names(self._book),
        }

    def summary(self) -> list[str]:
        """The sheets with their size and what hides them."""
        rows = []
        for number, sheet in enumerate(self._sheets, 1):
            size = "size unknown"
            if sheet.max_row and sheet.max_column:
                size = f"up to {get_column_letter(sheet.max_column)}{sheet.max_row}"
            hidden = "" if sheet.sheet_state == "visible" else f", {sheet.sheet_state}"
            rows.append(f"- sheet {number} {sheet.title!r} ({size}{hidden})")
        return rows

    def lines(self, part: int) -> Iterator[str]:
        """The rows of a sheet, or of the wanted range in it."""
        self._marks = CellMarks()
        first_column, first_row, last_column, last_row = self._bounds
        sheet = self._sheets[part]
        reading = SheetRows(self._book, sheet._shared_strings)
        try:
            with self._archive.open(sheet._worksheet_path) as source:
                for number, row in reading.rows(cast(BinaryIO, source), first_row, last_row):
                    cells = [cell for cell in row if first_column <= cell.column <= last_column]
                    line = " | ".join(filter(None, map(self._cell, cells)))
                    if line:
                        yield f"{number}: {line}"
        except (etree.LxmlError, *_FAULTS) as error:
            raise DocumentError(f"The sheet {sheet.title!r} is damaged: {error}.") from None
        self._marks.finish(reading)

    def appendix(self) -> list[str]:
        """Formulas, colours, merged and hidden cells among the rows that were read."""
        marks, self._marks = self._marks, CellMarks()
        return marks.rows(with_formulas=self._show != "formulas")

    def embedded(self) -> Iterator[Produced]:
        """Pictures."""
        for name in self._archive.namelist():
            if name.startswith("xl/media/"):
                data = self._archive.read(name)
                yield Produced(name.rpartition("/")[2], "application/octet-stream", data)

    def _cell(self, cell: Cell) -> str:
        fill = self._palette.fill(cell.style)
        self._marks.add(cell, fill, self._palette.text(cell.style))
        value = one_line(shown_value(cell.value))
        if cell.formula and (self._show == "formulas" or not value):
            value = one_line(cell.formula)
        if len(value) > _LONGEST_CELL:
            value = f"{value[:_LONGEST_CELL]}… (cut: {len(value)} characters)"
        if self._show == "colours" and fill:
            value = f"{value} [{fill}]".strip()
        return f"{get_column_letter(cell.column)}={value}" if value else ""


def _bounds(cells: str) -> tuple[int, int, int, int]:
    """First column and row, last column and row."""
    if not cells:
        return 1, 1, _LAST, _LAST
    try:
        first_column, first_row, last_column, last_row = range_boundaries(
            cells.rpartition("!")[2].strip().upper()
        )
    except (ValueError, TypeError):
        raise DocumentError(f"{cells!r} is no range of cells. Give one like 'A1:D20'.") from None
    return first_column or 1, first_row or 1, last_column or _LAST, last_row or _LAST


def _defined_names(book: Any) -> str:
    names = [f"{name} = {item.attr_text}" for name, item in book.defined_names.items()]
    return one_line("; ".join(names))[:1000]


def open_document(data: bytes, wanted: Wanted) -> Workbook:
    """Read what all sheets share."""
    archive = open_zip(data, wanted.name)
    check_office(archive, wanted.name)
    try:
        return Workbook(data, archive, wanted)
    except _FAULTS as error:
        raise DocumentError(
            f"{wanted.name!r} is a damaged Excel workbook: {error or type(error).__name__}."
        ) from None
