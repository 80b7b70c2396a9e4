"""Word documents as markdown: headings, lists, tables, links, notes, in their order."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from aworld.tools.documents.model import (
    DocumentError,
    Opened,
    Produced,
    Wanted,
    one_line,
    table_row,
)
from aworld.tools.documents.zip_guard import check_office, open_zip

if TYPE_CHECKING:
    from docx.table import Table
    from docx.text.paragraph import Paragraph

_DEEPEST = 4
_NOTES = ("footnotes", "endnotes", "comments")


class Word(Opened):
    """The text; Word files know no pages, so it is one part."""

    kind = "docx"
    title = "Word document"

    def __init__(self, archive: zipfile.ZipFile, document: Any) -> None:
        super().__init__()
        self._archive = archive
        self._document = document
        properties = document.core_properties
        media = sum(name.startswith("word/media/") for name in archive.namelist())
        self.facts = {
            "Title": one_line(properties.title or "")[:300],
            "Author": one_line(properties.author or "")[:100],
            "Paragraphs": str(len(document.paragraphs)),
            "Tables": str(len(document.tables) or ""),
            "Pictures": f"{media} (the action extract gives them)" if media else "",
            "Header": _margin(document, "header"),
            "Footer": _margin(document, "footer"),
        }

    def lines(self, part: int) -> Iterator[str]:
        """The body, then footnotes, endnotes and comments."""
        yield from _blocks(self._document, 0)
        for kind in _NOTES:
            rows = self._notes_of(kind)
            if rows:
                yield f"## {kind.capitalize()}"
                yield from rows

    def embedded(self) -> Iterator[Produced]:
        """Pictures."""
        for name in self._archive.namelist():
            if name.startswith("word/media/"):
                data = self._archive.read(name)
                yield Produced(name.rpartition("/")[2], "application/octet-stream", data)

    def _notes_of(self, kind: str) -> list[str]:
        from lxml import etree

        name = f"word/{kind}.xml"
        if name not in self._archive.namelist():
            return []
        parser = etree.XMLParser(resolve_entities=False, no_network=True)
        root = etree.fromstring(self._archive.read(name), parser)
        rows = []
        for note in root:
            text = one_line("".join(note.itertext("{*}t", "{*}tab")))
            author = note.get(f"{{{root.nsmap.get('w', '')}}}author")
            if text:
                rows.append(f"- {author}: {text}" if author else f"- {text}")
        return rows


def _blocks(container: Any, depth: int) -> Iterator[str]:
    from docx.table import Table

    for block in container.iter_inner_content():
        if isinstance(block, Table):
            yield from _table(block, depth)
            yield ""
        else:
            text = _paragraph(block)
            if text:
                yield from text.splitlines()
                yield ""


def _paragraph(paragraph: Paragraph) -> str:
    text = _linked(paragraph).strip()
    if not text:
        return ""
    style = paragraph.style.name if paragraph.style is not None else ""
    name = (style or "").lower()
    if name == "title":
        return f"# {text}"
    if name.startswith("heading "):
        level = name.removeprefix("heading ").strip()
        return f"{'#' * int(level)} {text}" if level.isdigit() and len(level) == 1 else text
    properties = paragraph._p.pPr
    numbered = properties is not None and properties.numPr is not None
    if numbered or name.startswith("list"):
        return f"{'1.' if 'number' in name else '-'} {text}"
    return text


def _linked(paragraph: Paragraph) -> str:
    """The text, with the address of each link behind it."""
    from docx.text.hyperlink import Hyperlink

    pieces = []
    for piece in paragraph.iter_inner_content():
        if isinstance(piece, Hyperlink):
            pieces.append(f"[{piece.text}]({piece.url})" if piece.url else piece.text)
        else:
            pieces.append(piece.text)
    return "".join(pieces)


def _table(table: Table, depth: int) -> Iterator[str]:
    from docx.table import _Cell

    # `row.cells` gives a merged cell once for each that it covers, and is slow in long tables.
    for number, row in enumerate(table._tbl.tr_lst):
        cells = [_cell(_Cell(cell, table), depth) for cell in row.tc_lst]
        yield table_row(cells)
        if number == 0:
            yield table_row(["---"] * len(cells))


def _cell(cell: Any, depth: int) -> str:
    if depth >= _DEEPEST:
        return "…"
    return " ".join(filter(None, _blocks(cell, depth + 1)))


def _margin(document: Any, which: str) -> str:
    """The text of headers or footers, each once."""
    found: dict[str, None] = {}
    for section in document.sections:
        margin = getattr(section, which)
        if not margin.is_linked_to_previous:
            text = one_line(" ".join(paragraph.text for paragraph in margin.paragraphs))
            if text:
                found[text] = None
    return "; ".join(found)[:500]


def open_document(data: bytes, wanted: Wanted) -> Word:
    """Parse all of it."""
    from docx import Document
    from docx.opc.exceptions import OpcError
    from lxml.etree import LxmlError

    archive = open_zip(data, wanted.name)
    check_office(archive, wanted.name)
    try:
        return Word(archive, Document(io.BytesIO(data)))
    except (OpcError, LxmlError, zipfile.BadZipFile, KeyError, ValueError, AttributeError) as error:
        raise DocumentError(
            f"{wanted.name!r} is a damaged Word document: {error or type(error).__name__}."
        ) from None
