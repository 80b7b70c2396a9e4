"""OpenDocument text, tables and slides (odt, ods, odp), by their `content.xml`."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from typing import Any

from aworld.tools.documents.model import DocumentError, Opened, Wanted, one_line, table_row
from aworld.tools.documents.zip_guard import check_office, open_zip

_MOST_REPEATED = 200
"""A cell or row that stands there so often is filling up to the sheet's edge."""


class OpenDocument(Opened):
    """Sheets and slides are parts; a text has one."""

    kind = "opendocument"
    title = "OpenDocument file"

    def __init__(self, root: Any) -> None:
        super().__init__()
        body = root.find("{*}body")
        self._parts: list[Any] = [body]
        for tag, unit in (("table", "sheet"), ("page", "slide")):
            parts = body.findall(
                f"{{*}}{'spreadsheet' if tag == 'table' else 'presentation'}/{{*}}{tag}"
            )
            if parts:
                self._parts, self.unit = parts, unit
                self.labels = [_attribute(part, "name") for part in parts]

    def lines(self, part: int) -> Iterator[str]:
        """Headings, paragraphs and tables in their order."""
        yield from _blocks(self._parts[part])


def _blocks(element: Any) -> Iterator[str]:
    tag = _tag(element)
    if tag in ("h", "p"):
        text = one_line("".join(element.itertext()))
        level = _attribute(element, "outline-level")
        if text:
            yield f"{'#' * int(level)} {text}" if tag == "h" and level.isdigit() else text
    elif tag == "table-row":
        cells = _cells(element)
        if any(cells):
            repeated = _repeated(element, "number-rows-repeated")
            for _ in range(repeated):
                yield table_row(cells)
    else:
        for child in element.iterchildren("{*}*"):
            yield from _blocks(child)


def _cells(row: Any) -> list[str]:
    cells: list[str] = []
    for cell in row.iterchildren("{*}table-cell", "{*}covered-table-cell"):
        text = one_line(" ".join("".join(p.itertext()) for p in cell.iterchildren("{*}p")))
        cells += [text] * _repeated(cell, "number-columns-repeated")
    while cells and not cells[-1]:
        cells.pop()
    return cells


def _repeated(element: Any, name: str) -> int:
    value = _attribute(element, name)
    count = int(value) if value.isdigit() else 1
    return count if count <= _MOST_REPEATED else 1


def _attribute(element: Any, name: str) -> str:
    for key, value in element.attrib.items():
        if key.rpartition("}")[2] == name:
            return str(value)
    return ""


def _tag(element: Any) -> str:
    return str(element.tag).rpartition("}")[2]


def open_document(data: bytes, wanted: Wanted) -> OpenDocument:
    """Parse its content."""
    from lxml import etree

    archive = open_zip(data, wanted.name)
    check_office(archive, wanted.name)
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False)
    try:
        return OpenDocument(etree.fromstring(archive.read("content.xml"), parser))
    except (etree.LxmlError, zipfile.BadZipFile, KeyError, ValueError, AttributeError) as error:
        raise DocumentError(
            f"{wanted.name!r} is a damaged OpenDocument file: {error or type(error).__name__}."
        ) from None
