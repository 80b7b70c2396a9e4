"""The rows that were given to write."""

from __future__ import annotations

from aworld.tools.documents.markdown_blocks import Table, blocks_of
from aworld.tools.documents.model import Cell, DocumentError, Wanted

Rows = list[list[Cell]]


def tables_of(wanted: Wanted) -> dict[str, Rows]:
    """Rows by the name of their sheet: those that were given, or the tables in a markdown text.

    Raises:
        DocumentError: there is none.
    """
    if wanted.sheets:
        return dict(wanted.sheets)
    found: list[Rows] = [
        [[number_of(cell) for cell in row] for row in block.rows]
        for block in blocks_of(wanted.text)
        if isinstance(block, Table)
    ]
    if not found:
        raise DocumentError(
            f"{wanted.name!r} needs rows, or a text with a table in markdown; there was neither."
        )
    return {("" if number == 1 else f"Sheet{number}"): rows for number, rows in enumerate(found, 1)}


def one_table(wanted: Wanted) -> Rows:
    """The only table.

    Raises:
        DocumentError: there is none, or several.
    """
    tables = tables_of(wanted)
    if len(tables) > 1:
        raise DocumentError(
            f"{wanted.name!r} can hold one table; {len(tables)} were given. Write an .xlsx, or "
            "several files."
        )
    return next(iter(tables.values()))


def number_of(text: str) -> Cell:
    """A number where the text is one in its shortest form, so that `007` and `1e5` stay text."""
    for kind in (int, float):
        try:
            value = kind(text)
        except ValueError:
            continue
        if str(value) == text.strip():
            return value
    return text


def plain(cell: Cell) -> str:
    """A cell as text."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "TRUE" if cell else "FALSE"
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 1e15:
        return str(int(cell))
    return str(cell)
