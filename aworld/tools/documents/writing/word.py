"""Word documents from markdown."""

from __future__ import annotations

import io
from typing import Any

from aworld.tools.documents.markdown_blocks import (
    Block,
    Code,
    Heading,
    Item,
    Paragraph,
    Quote,
    Table,
    blocks_of,
    spans_of,
)
from aworld.tools.documents.model import DocumentError, Produced, Wanted
from aworld.tools.documents.writing.tables import plain

_MEDIA = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


def make(wanted: Wanted, before: bytes) -> Produced:
    """Headings, lists, tables, listings and links; rows become tables at the end."""
    from docx import Document

    document = Document()
    blocks = blocks_of(wanted.text)
    for name, rows in wanted.sheets.items():
        blocks += [Heading(2, name)] if name else []
        blocks.append(Table([[plain(cell) for cell in row] for row in rows], True))
    try:
        for block in blocks:
            _add(document, block)
    except ValueError as error:
        raise DocumentError(f"The text has a character that Word cannot hold: {error}.") from None
    out = io.BytesIO()
    document.save(out)
    return Produced(wanted.name, _MEDIA, out.getvalue())


def _add(document: Any, block: Block) -> None:
    match block:
        case Heading():
            _spans(document.add_heading(level=min(block.level, 9)), block.text)
        case Paragraph():
            _spans(document.add_paragraph(), block.text)
        case Item():
            style = "List Number" if block.ordered else "List Bullet"
            depth = f" {min(block.depth + 1, 3)}" if block.depth else ""
            _spans(document.add_paragraph(style=style + depth), block.text)
        case Quote():
            _spans(document.add_paragraph(style="Intense Quote"), block.text)
        case Code():
            run = document.add_paragraph().add_run(block.text)
            run.font.name = "Courier New"
        case Table():
            _table(document, block)
        case _:
            document.add_paragraph("―" * 20)


def _table(document: Any, block: Table) -> None:
    if not block.rows or not block.rows[0]:
        return
    width = max(map(len, block.rows))
    table = document.add_table(rows=0, cols=width, style="Table Grid")
    for number, row in enumerate(block.rows):
        cells = table.add_row().cells
        for cell, text in zip(cells, row, strict=False):
            _spans(cell.paragraphs[0], text, bold=block.has_head and number == 0)


def _spans(paragraph: Any, text: str, *, bold: bool = False) -> None:
    for span in spans_of(text):
        address = f" ({span.target})" if span.target and span.target != span.text else ""
        run = paragraph.add_run(span.text + address)
        run.bold = True if span.bold or bold else None
        run.italic = True if span.italic else None
        if span.code:
            run.font.name = "Courier New"
