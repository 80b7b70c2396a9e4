"""HTML as markdown: what a reader sees, with links that lead somewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import urljoin

from aworld.tools.documents.encodings import decode
from aworld.tools.documents.model import Opened, Wanted, one_line

_UNSEEN = frozenset(
    {"script", "style", "noscript", "template", "svg", "iframe", "object", "link", "canvas"}
)
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_DECLARED = re.compile(rb"<meta[^>]+charset\s*=\s*[\"']?\s*([\w-]+)", re.IGNORECASE)
_MOST_BYTES = 3_000_000
"""Of a page's source; a megabyte of tags alone takes seconds."""
_DEEPEST = 400
"""Elements inside each other; what nests deeper becomes plain text."""


class WebPage(Opened):
    """A page."""

    kind = "html"
    title = "web page"

    def __init__(self, data: bytes, base_url: str) -> None:
        super().__init__()
        text, encoding = _decode(data[:_MOST_BYTES])
        if len(data) > _MOST_BYTES:
            self.notes.append(f"only the first {_MOST_BYTES} of its {len(data)} bytes were read.")
        from bs4 import BeautifulSoup

        soup = BeautifulSoup(text, "lxml")
        description = soup.find("meta", attrs={"name": "description"})
        self.facts = {
            "Title": one_line(soup.title.get_text())[:300] if soup.title else "",
            "Description": one_line(str(description.get("content", "")))[:500]
            if description
            else "",
            "Encoding": encoding,
        }
        base = soup.find("base", href=True)
        self._clean(soup, urljoin(base_url, str(base["href"])) if base else base_url)
        self._lines = markdown_of(soup).splitlines()

    def lines(self, part: int) -> Iterator[str]:
        """The page's markdown."""
        return iter(self._lines)

    def _clean(self, soup: Any, base_url: str) -> None:
        # One pass: each search over a large page takes seconds.
        unseen: list[Any] = []
        for element in soup.find_all(True):
            if element.name in _UNSEEN or _is_hidden(element):
                unseen.append(element)
            elif element.name in ("a", "img"):
                _aim(element, "href" if element.name == "a" else "src", base_url)
        for element in unseen:
            # What lay in one that is gone has lost its parent; asking for it by name would search.
            if vars(element).get("parent") is not None:
                element.decompose()


def _is_hidden(element: Any) -> bool:
    attributes = element.attrs
    return "hidden" in attributes or (
        "style" in attributes and _HIDDEN.search(str(attributes["style"])) is not None
    )


def _aim(element: Any, attribute: str, base_url: str) -> None:
    """Make a link's or picture's address whole; one that leads nowhere leaves its text."""
    target = str(element.get(attribute, ""))
    if target.startswith(("data:", "javascript:", "blob:")):
        element.replace_with(str(element.get("alt") or element.get_text()))
    elif target and base_url:
        element[attribute] = _joined(base_url, target)


def markdown_of(soup: Any) -> str:
    """A page's text as markdown."""
    from markdownify import MarkdownConverter

    if _depth(soup) > _DEEPEST:
        text = str(soup.get_text("\n"))
    else:
        converter = MarkdownConverter(heading_style="ATX", bullets="-", escape_misc=False)
        text = str(converter.convert_soup(soup.body or soup))
    text = re.sub(r"[ \t]+\n", "\n", text.replace("\xa0", " "))
    return re.sub(r"\n{3,}", "\n\n", text).strip()


def _depth(soup: Any) -> int:
    deepest, depth = 0, 0
    for event, _ in soup._event_stream():
        if event is soup.START_ELEMENT_EVENT:
            depth += 1
            deepest = max(deepest, depth)
        elif event is soup.END_ELEMENT_EVENT:
            depth -= 1
    return deepest


def _joined(base_url: str, target: str) -> str:
    try:
        return urljoin(base_url, target)
    except ValueError:  # `http://[` is no address.
        return target


def _decode(data: bytes) -> tuple[str, str]:
    """What the page declares, if its bytes agree, else what they look like."""
    declared = _DECLARED.search(data[:4096])
    if declared is not None:
        try:
            name = declared[1].decode("ascii")
            return data.decode(name), name.lower()
        except (LookupError, UnicodeDecodeError):
            pass
    decoded = decode(data)
    return decoded.text, decoded.encoding


def open_document(data: bytes, wanted: Wanted) -> WebPage:
    """Parse, leave out what nobody sees, and turn into markdown."""
    return WebPage(data, wanted.base_url)
