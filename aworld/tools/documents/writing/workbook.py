"""Excel workbooks: new ones, and cells of one that is there."""

from __future__ import annotations

import io
import re
import zipfile
from typing import Any

from aworld.tools.documents.model import DocumentError, Produced, Wanted
from aworld.tools.documents.writing.tables import Rows, tables_of
from aworld.tools.documents.zip_guard import check_office, open_zip

_MEDIA = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
_WIDEST = 60
_LARGEST = 20 * 1024 * 1024
"""Unpacked bytes of a workbook that is changed: all of it is held in memory, ten times as large."""


def make(wanted: Wanted, before: bytes) -> Produced:
    """With `range`, write into that place and keep the rest; without, all anew."""
    from openpyxl.utils.exceptions import IllegalCharacterError

    tables = tables_of(wanted)
    try:
        if wanted.range and before:
            return _saved(_changed(wanted, before, tables), wanted.name)
        return _saved(_new(tables), wanted.name)
    except IllegalCharacterError as error:
        raise DocumentError(f"A cell has a character that Excel cannot hold: {error}.") from None
    except ValueError as error:
        raise DocumentError(f"{wanted.name!r} cannot be written: {error}.") from None


def _new(tables: dict[str, Rows]) -> Any:
    from openpyxl import Workbook
    from openpyxl.styles import Font
    from openpyxl.utils import get_column_letter

    book = Workbook()
    book.remove(book.active)
    for number, (name, rows) in enumerate(tables.items(), 1):
        sheet = book.create_sheet(_title(name, number))
        for row in rows:
            sheet.append(row)
        widths: dict[int, int] = {}
        for row in rows[:1000]:
            for column, cell in enumerate(row, 1):
                widths[column] = min(_WIDEST, max(widths.get(column, 8), len(str(cell)) + 2))
        for column, width in widths.items():
            sheet.column_dimensions[get_column_letter(column)].width = width
        if len(rows) > 1 and all(isinstance(cell, str) for cell in rows[0]):
            for cell in sheet[1]:
                cell.font = Font(bold=True)
            sheet.freeze_panes = "A2"
    return book


def _changed(wanted: Wanted, before: bytes, tables: dict[str, Rows]) -> Any:
    from openpyxl import load_workbook
    from openpyxl.utils import range_boundaries

    archive = open_zip(before, wanted.name)
    check_office(archive, wanted.name)
    if sum(member.file_size for member in archive.infolist()) > _LARGEST:
        raise DocumentError(f"{wanted.name!r} is too large to be changed here. Do it with code.")
    try:
        book = load_workbook(io.BytesIO(before))
    except (zipfile.BadZipFile, KeyError, ValueError, TypeError, OSError) as error:
        raise DocumentError(
            f"{wanted.name!r} is no workbook that can be changed: {error}."
        ) from None
    left, top, _, _ = range_boundaries(wanted.range.rpartition("!")[2].upper())
    for name, rows in tables.items():
        title = name or wanted.pages
        if title and title not in book.sheetnames:
            book.create_sheet(_title(title, 1))
        sheet = book[title] if title else book.active
        for down, row in enumerate(rows):
            for across, cell in enumerate(row):
                sheet.cell((top or 1) + down, (left or 1) + across).value = cell
    return book


def _title(name: str, number: int) -> str:
    """A name that Excel takes: no signs of its own, at most 31 characters."""
    return re.sub(r"[\\/*?:\[\]]", " ", name)[:31].strip() or f"Sheet{number}"


def _saved(book: Any, name: str) -> Produced:
    out = io.BytesIO()
    book.save(out)
    return Produced(name, _MEDIA, out.getvalue())
