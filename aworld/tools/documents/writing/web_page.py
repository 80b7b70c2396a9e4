"""HTML from markdown."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from aworld.tools.documents.markdown_blocks import (
    Block,
    Code,
    Heading,
    Item,
    Paragraph,
    Quote,
    Table,
    blocks_of,
    plain_text,
    spans_of,
)
from aworld.tools.documents.model import Produced, Wanted
from aworld.tools.documents.writing.tables import plain

_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem}"
    "table{border-collapse:collapse}td,th{border:1px solid #888;padding:.25rem .5rem}"
    "pre{background:#f4f4f4;padding:.75rem;overflow:auto}"
)


def make(wanted: Wanted, before: bytes) -> Produced:
    """A whole page. A text that is HTML already is kept as it is."""
    if re.match(r"\s*<(!doctype|html)\b", wanted.text, re.IGNORECASE):
        return Produced(wanted.name, "text/html", wanted.text.encode("utf-8", "replace"))
    blocks = blocks_of(wanted.text)
    blocks += [Table([[plain(c) for c in row] for row in rows], True)
               for rows in wanted.sheets.values()]  # fmt: skip
    title = next((plain_text(b.text) for b in blocks if isinstance(b, Heading)), wanted.name)
    page = (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f"<title>{html.escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        + "\n".join(_elements(blocks))
        + "\n</body>\n</html>\n"
    )
    return Produced(wanted.name, "text/html", page.encode("utf-8", "replace"))


def _elements(blocks: list[Block]) -> Iterator[str]:
    items: list[Item] = []
    for block in blocks:
        if isinstance(block, Item):
            items.append(block)
            continue
        yield from _list(items)
        items = []
        yield _element(block)
    yield from _list(items)


def _element(block: Block) -> str:
    match block:
        case Heading():
            return f"<h{block.level}>{_inline(block.text)}</h{block.level}>"
        case Paragraph():
            return f"<p>{_inline(block.text)}</p>"
        case Quote():
            return f"<blockquote>{_inline(block.text)}</blockquote>"
        case Code():
            return f"<pre><code>{html.escape(block.text)}</code></pre>"
        case Table():
            return _table(block)
        case _:
            return "<hr>"


def _list(items: list[Item]) -> Iterator[str]:
    """Lists inside the items of lists, by depth."""
    open_tags: list[str] = []
    for item in items:
        tag = "ol" if item.ordered else "ul"
        while len(open_tags) > item.depth + 1:
            yield f"</li></{open_tags.pop()}>"
        if len(open_tags) == item.depth + 1:
            yield "</li>"
            if open_tags[-1] != tag:
                yield f"</{open_tags.pop()}>"
        while len(open_tags) < item.depth + 1:
            # Depths that the text skipped get an item of their own.
            yield f"<{tag}><li>" if len(open_tags) < item.depth else f"<{tag}>"
            open_tags.append(tag)
        yield f"<li>{_inline(item.text)}"
    while open_tags:
        yield f"</li></{open_tags.pop()}>"


def _table(table: Table) -> str:
    rows = []
    for number, row in enumerate(table.rows):
        tag = "th" if table.has_head and number == 0 else "td"
        rows.append("<tr>" + "".join(f"<{tag}>{_inline(c)}</{tag}>" for c in row) + "</tr>")
    return "<table>\n" + "\n".join(rows) + "\n</table>"


def _inline(text: str) -> str:
    pieces = []
    for span in spans_of(text):
        piece = html.escape(span.text)
        if span.target and not span.target.lower().startswith(("javascript:", "data:")):
            piece = f'<a href="{html.escape(span.target)}">{piece}</a>'
        for tag, on in (("strong", span.bold), ("em", span.italic), ("code", span.code)):
            if on:
                piece = f"<{tag}>{piece}</{tag}>"
        pieces.append(piece)
    return "".join(pieces)
