"""PDF, page by page."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from aworld.tools.documents.formats.raster import for_a_model
from aworld.tools.documents.model import DocumentError, Opened, Produced, Wanted, one_line

if TYPE_CHECKING:
    from pypdf import PageObject, PdfReader

_MOST_LINKS = 40
_MOST_PICTURES = 3
_MOST_EXTRACTED = 200
_MOST_FIELDS = 200
_MOST_OUTLINE = 60
_FACTS = {"/Title": "Title", "/Author": "Author", "/Subject": "Subject", "/CreationDate": "Created"}


class Pdf(Opened):
    """Pages are read when they are asked for."""

    kind = "pdf"
    title = "PDF"
    unit = "page"

    def __init__(self, reader: PdfReader, wanted: Wanted) -> None:
        super().__init__()
        self._reader = reader
        self._layout = wanted.show == "layout"
        self.labels = [""] * len(reader.pages)
        if not self.labels:
            raise DocumentError(f"{wanted.name!r} has no pages. It may be damaged or cut off.")
        self.facts = _facts(reader)
        self._summary = [*_outline(reader), *_fields(reader)]

    def summary(self) -> list[str]:
        """Its contents and the fields of its form."""
        return self._summary

    def lines(self, part: int) -> Iterator[str]:
        """A page's text, then where its links lead."""
        page = self._reader.pages[part]
        text = page.extract_text(extraction_mode="layout") if self._layout else page.extract_text()
        yield from text.splitlines()
        links = _links(page)
        if links:
            yield f"Links: {', '.join(links)}"

    def pictures(self, part: int) -> list[Produced]:
        """The pictures of a page that has no text: a scan, most likely."""
        page = self._reader.pages[part]
        if page.extract_text().strip():
            return []
        found = list(_pictures(page, part + 1, _MOST_PICTURES))
        if found:
            self.notes.append(f"page {part + 1} has no text; its pictures are attached.")
        return [for_a_model(picture) for picture in found]

    def embedded(self) -> Iterator[Produced]:
        """Attached files, then the pictures of all pages."""
        for name, contents in self._reader.attachments.items():
            for content in contents:
                yield Produced(name, "application/octet-stream", bytes(content))
        count = 0
        for number, page in enumerate(self._reader.pages, 1):
            for picture in _pictures(page, number, _MOST_EXTRACTED - count):
                count += 1
                yield picture
            if count >= _MOST_EXTRACTED:
                self.notes.append(f"only the first {count} pictures were extracted.")
                return


def _facts(reader: PdfReader) -> dict[str, str]:
    try:
        known = dict(reader.metadata or {})
    except (ValueError, KeyError, TypeError, AttributeError):
        known = {}
    facts = {title: one_line(str(known.get(key) or ""))[:300] for key, title in _FACTS.items()}
    # What some programs write where nothing is known.
    empty = ("unspecified", "anonymous", "untitled")
    facts = {title: value for title, value in facts.items() if value.strip("()") not in empty}
    facts["Created"] = _date(facts.get("Created", ""))
    return facts


def _date(text: str) -> str:
    """`D:20261201175222+01'00'` as `2026-12-01 17:52:22`."""
    found = re.match(r"D:(\d{4})(\d\d)(\d\d)(?:(\d\d)(\d\d)(\d\d))?", text)
    if found is None:
        return text
    day = "-".join(found.groups()[:3])
    return f"{day} {found[4]}:{found[5]}:{found[6]}" if found[4] else day


def _outline(reader: PdfReader) -> list[str]:
    """`Contents:` with each entry's page."""
    from pypdf.errors import PyPdfError

    rows: list[str] = []

    def collect(entries: list[Any], depth: int) -> None:
        for entry in entries:
            if len(rows) >= _MOST_OUTLINE or depth > 3:
                return
            if isinstance(entry, list):
                collect(entry, depth + 1)
            else:
                page = reader.get_destination_page_number(entry)
                where = f", page {page + 1}" if page is not None and page >= 0 else ""
                rows.append(f"{'  ' * depth}- {one_line(str(entry.title))[:120]}{where}")

    try:
        collect(reader.outline, 0)
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return []
    return ["Contents:", *rows] if rows else []


def _fields(reader: PdfReader) -> list[str]:
    from pypdf.errors import PyPdfError

    try:
        fields = reader.get_fields() or {}
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return []
    rows = [f"- {name}: {field.get('/V', '')}" for name, field in list(fields.items())]
    return ["Form fields:", *rows[:_MOST_FIELDS]] if rows else []


def _links(page: PageObject) -> list[str]:
    found: dict[str, None] = {}
    for reference in page.annotations or ():
        action = reference.get_object().get("/A")
        target = action.get_object().get("/URI") if action is not None else None
        if target:
            found[str(target)] = None
        if len(found) >= _MOST_LINKS:
            break
    return list(found)


def _pictures(page: PageObject, number: int, most: int) -> Iterator[Produced]:
    for place, picture in enumerate(page.images, 1):
        if place > most:
            return
        suffix = picture.name.rpartition(".")[2].lower()
        media = {"jpg": "jpeg", "jp2": "jp2"}.get(suffix, suffix)
        yield Produced(f"page-{number}-{place}.{suffix}", f"image/{media}", picture.data)


def open_document(data: bytes, wanted: Wanted) -> Pdf:
    """Open it, with its password where it has one."""
    import logging

    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    try:
        reader = PdfReader(io.BytesIO(data), strict=False)
        if reader.is_encrypted and not reader.decrypt(wanted.password):
            said = "The password is wrong" if wanted.password else "Give its password"
            raise DocumentError(f"{wanted.name!r} is encrypted. {said}.")
        return Pdf(reader, wanted)
    except (PyPdfError, ValueError, KeyError, TypeError, OSError, RecursionError) as error:
        raise DocumentError(
            f"{wanted.name!r} is a damaged or cut off PDF: {error or type(error).__name__}."
        ) from None
