"""EPUB books, chapter by chapter, each chapter a web page."""

from __future__ import annotations

import posixpath
import zipfile
from collections.abc import Iterator
from typing import Any

from aworld.tools.documents.formats.web_page import WebPage
from aworld.tools.documents.model import DocumentError, Opened, Wanted, one_line
from aworld.tools.documents.zip_guard import open_zip


class Epub(Opened):
    """Chapters in the order of the book's spine."""

    kind = "epub"
    title = "EPUB book"
    unit = "chapter"

    def __init__(self, archive: zipfile.ZipFile) -> None:
        super().__init__()
        self._archive = archive
        container = _parse(archive.read("META-INF/container.xml"))
        package_path = container.find(".//{*}rootfile").get("full-path")
        package = _parse(archive.read(package_path))
        folder = posixpath.dirname(package_path)
        items = {item.get("id"): item.get("href") for item in package.iterfind(".//{*}item")}
        self._chapters = [
            posixpath.normpath(posixpath.join(folder, items[reference.get("idref")]))
            for reference in package.iterfind(".//{*}itemref")
            if items.get(reference.get("idref"))
        ]
        self.labels = [""] * len(self._chapters)
        for title, tag in (("Title", "title"), ("Author", "creator"), ("Language", "language")):
            found = package.find(f".//{{*}}metadata/{{*}}{tag}")
            self.facts[title] = one_line(found.text or "")[:300] if found is not None else ""

    def lines(self, part: int) -> Iterator[str]:
        """A chapter's text."""
        try:
            data = self._archive.read(self._chapters[part])
        except (KeyError, zipfile.BadZipFile) as error:
            raise DocumentError(f"Chapter {part + 1} cannot be read: {error}.") from None
        yield from WebPage(data, "").lines(0)


def _parse(data: bytes) -> Any:
    from lxml import etree

    return etree.fromstring(data, etree.XMLParser(resolve_entities=False, no_network=True))


def open_document(data: bytes, wanted: Wanted) -> Epub:
    """Read the book's list of contents."""
    from lxml import etree

    archive = open_zip(data, wanted.name)
    try:
        return Epub(archive)
    except (etree.LxmlError, zipfile.BadZipFile, KeyError, ValueError, AttributeError) as error:
        raise DocumentError(
            f"{wanted.name!r} is a damaged EPUB book: {error or type(error).__name__}."
        ) from None
