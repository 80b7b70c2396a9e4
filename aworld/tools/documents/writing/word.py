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
    writer = _Writer(document)
    try:
        for block in blocks:
            writer.add(block)
    except ValueError as error:
        raise DocumentError(f"The text has a character that Word cannot hold: {error}.") from None
    out = io.BytesIO()
    document.save(out)
    return Produced(wanted.name, _MEDIA, out.getvalue())


class _Writer:
    """Adds blocks to a document. Styles are set by their ids, found once: python-docx looks through
    all of them for every paragraph, which takes 10 ms."""

    def __init__(self, document: Any) -> None:
        self._document = document
        self._styles = {style.name: style.style_id for style in document.styles}

    def add(self, block: Block) -> None:
        """Put a block at the end."""
        match block:
            case Heading():
                _spans(self._paragraph(f"Heading {min(block.level, 9)}"), block.text)
            case Paragraph():
                _spans(self._paragraph(), block.text)
            case Item():
                style = "List Number" if block.ordered else "List Bullet"
                depth = f" {min(block.depth + 1, 3)}" if block.depth else ""
                _spans(self._paragraph(style + depth), block.text)
            case Quote():
                _spans(self._paragraph("Intense Quote"), block.text)
            case Code():
                run = self._paragraph().add_run(block.text)
                run.font.name = "Courier New"
            case Table():
                self._table(block)
            case _:
                self._paragraph().add_run("―" * 20)

    def _paragraph(self, style: str = "") -> Any:
        paragraph = self._document.add_paragraph()
        if style:
            paragraph._p.style = self._styles[style]
        return paragraph

    def _table(self, block: Table) -> None:
        if not block.rows or not block.rows[0]:
            return
        width = max(map(len, block.rows))
        table = self._document.add_table(rows=len(block.rows), cols=width, style="Table Grid")
        # `table.cell` and `row.cells` walk the whole table each time; this walks it once.
        cells = iter(table._cells)
        for number, row in enumerate(block.rows):
            for text in row + [""] * (width - len(row)):
                head = block.has_head and number == 0
                _spans(next(cells).paragraphs[0], text, bold=head)


def _spans(paragraph: Any, text: str, *, bold: bool = False) -> None:
    for span in spans_of(text):
        address = f" ({span.target})" if span.target and span.target != span.text else ""
        run = paragraph.add_run(span.text + address)
        run.bold = True if span.bold or bold else None
        run.italic = True if span.italic else None
        if span.code:
            run.font.name = "Courier New"
