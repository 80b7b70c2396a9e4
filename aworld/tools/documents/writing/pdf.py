"""PDF from markdown, by reportlab. Latin, Greek and Cyrillic are set in DejaVu, which comes with
matplotlib and is embedded; Chinese, Japanese and Korean in fonts that readers of PDF bring."""

from __future__ import annotations

import functools
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr

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
from aworld.tools.documents.model import DocumentError, Produced, Wanted
from aworld.tools.documents.writing.tables import plain

_SIZES = {1: 20, 2: 16, 3: 13}
_EAST_ASIAN = {
    "HYSMyeongJo-Medium": "\u1100-\u11ff\uac00-\ud7af",
    "HeiseiMin-W3": "\u3040-\u30ff",
    "STSong-Light": "\u2e80-\u2fdf\u3000-\u303f\u3400-\u9fff\uf900-\ufaff\uff00-\uffef",
}
_NARROW = 60
# Words longer than a line are broken here: reportlab takes minutes over one of 100,000 letters.
_LONG_WORD = re.compile(r"(\S{120})(?=\S)")
_LONGEST_PARAGRAPH = 4_000
_SAFE_LINK = re.compile(r"(https?|mailto):", re.IGNORECASE)


def make(wanted: Wanted, before: bytes) -> Produced:
    """A4 pages with numbers; rows become tables at the end."""
    from reportlab.platypus import SimpleDocTemplate
    from reportlab.platypus.doctemplate import LayoutError

    blocks = blocks_of(wanted.text)
    for name, rows in wanted.sheets.items():
        blocks += [Heading(2, name)] if name else []
        blocks.append(Table([[plain(cell) for cell in row] for row in rows], True))
    if not blocks:
        raise DocumentError(f"{wanted.name!r} needs a text or rows.")
    title = next((plain_text(b.text) for b in blocks if isinstance(b, Heading)), wanted.name)
    out = io.BytesIO()
    template = SimpleDocTemplate(
        out, title=title, author="", subject="", creator="AWorld", invariant=True
    )
    setter = _Setter(_register_fonts(), template.width)
    try:
        template.build(
            [flowable for block in blocks for flowable in setter.flowables(block)],
            onFirstPage=setter.number_page,
            onLaterPages=setter.number_page,
        )
    except (LayoutError, ValueError) as error:
        said = str(error).splitlines()[0][:200]
        raise DocumentError(f"{wanted.name!r} cannot be laid out: {said}.") from None
    return Produced(wanted.name, "application/pdf", out.getvalue())


@functools.cache
def _register_fonts() -> dict[str, str]:
    """The names of the regular, bold and fixed fonts."""
    import importlib.util

    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.cidfonts import UnicodeCIDFont
    from reportlab.pdfbase.ttfonts import TTFont

    for name in _EAST_ASIAN:
        pdfmetrics.registerFont(UnicodeCIDFont(name))
    # Its fonts alone are wanted: importing it takes most of a second.
    found = importlib.util.find_spec("matplotlib")
    if found is None or found.origin is None:
        raise DocumentError("PDF needs matplotlib's fonts: 'pip install matplotlib'.")
    folder = Path(found.origin).parent / "mpl-data" / "fonts" / "ttf"
    files = {
        "normal": "DejaVuSans",
        "bold": "DejaVuSans-Bold",
        "italic": "DejaVuSans-Oblique",
        "boldItalic": "DejaVuSans-BoldOblique",
        "code": "DejaVuSansMono",
    }
    for file in files.values():
        pdfmetrics.registerFont(TTFont(file, str(folder / f"{file}.ttf")))
    pdfmetrics.registerFontFamily(
        files["normal"], **{kind: file for kind, file in files.items() if kind != "code"}
    )
    return files


def _pieces(text: str) -> Iterator[str]:
    """A long text in parts that end with a word."""
    text = _LONG_WORD.sub(r"\1 ", text)
    while len(text) > _LONGEST_PARAGRAPH:
        end = text.rfind(" ", 1, _LONGEST_PARAGRAPH)
        yield text[:end]
        text = text[end + 1 :]
    yield text


class _Setter:
    """Blocks as reportlab lays them out."""

    def __init__(self, fonts: dict[str, str], width: float) -> None:
        from reportlab.lib.styles import ParagraphStyle

        self._fonts = fonts
        self._width = width
        self._body = ParagraphStyle(
            "body",
            fontName=fonts["normal"],
            bulletFontName=fonts["normal"],
            fontSize=10,
            leading=15,
            spaceAfter=6,
            splitLongWords=True,
        )

    def number_page(self, canvas: Any, template: Any) -> None:
        """The page's number at its foot."""
        canvas.setFont(self._fonts["normal"], 8)
        canvas.drawCentredString(template.pagesize[0] / 2, 30, str(template.page))

    def flowables(self, block: Block) -> Iterator[Any]:
        """What a block becomes."""
        from reportlab.platypus import HRFlowable, Preformatted

        match block:
            case Heading():
                size = _SIZES.get(block.level, 11)
                yield self._paragraph(
                    block.text, fontName=self._fonts["bold"], fontSize=size,
                    leading=size * 1.3, spaceBefore=size / 2,
                )  # fmt: skip
            case Paragraph():
                # Over pages reportlab breaks a paragraph's lines anew for each page.
                for piece in _pieces(block.text):
                    yield self._paragraph(piece)
            case Item():
                mark = f"{block.number}." if block.ordered else "•"
                indent = 18 * (block.depth + 1)
                yield self._paragraph(
                    block.text, bullet=mark, leftIndent=indent, bulletIndent=indent - 14,
                    spaceAfter=2,
                )  # fmt: skip
            case Quote():
                yield self._paragraph(block.text, leftIndent=18, textColor="#555555")
            case Code():
                style = self._style(fontName=self._fonts["code"], fontSize=8, leading=11)
                yield Preformatted(block.text, style, maxLineLength=95)
            case Table():
                yield from self._table(block)
            case _:
                yield HRFlowable(width="100%", spaceBefore=6, spaceAfter=6)

    def _table(self, table: Table) -> Iterator[Any]:
        from reportlab.lib import colors
        from reportlab.platypus import LongTable, Spacer, TableStyle

        width = max(map(len, table.rows), default=0)
        if not width:
            return
        if width > _NARROW:
            raise DocumentError(f"A table of {width} columns does not fit a page; {_NARROW} do.")
        size = 9 if width <= 6 else max(3.0, 54 / width)
        cells = []
        for number, row in enumerate(table.rows):
            font = self._fonts["bold" if table.has_head and number == 0 else "normal"]
            cells.append(
                [
                    self._paragraph(text, fontName=font, fontSize=size, leading=size * 1.3,
                                    spaceAfter=0)
                    for text in row + [""] * (width - len(row))
                ]
            )  # fmt: skip
        laid = LongTable(
            cells, colWidths=[self._width / width] * width, repeatRows=1 if table.has_head else 0
        )
        grid = ("GRID", (0, 0), (-1, -1), 0.5, colors.grey)
        laid.setStyle(TableStyle([grid, ("VALIGN", (0, 0), (-1, -1), "TOP")]))
        yield laid
        yield Spacer(1, 8)

    def _paragraph(self, text: str, bullet: str | None = None, **changes: Any) -> Any:
        from reportlab.platypus import Paragraph as Laid

        if re.search(f"[{''.join(_EAST_ASIAN.values())}]", text):
            changes["wordWrap"] = "CJK"
        return Laid("".join(map(self._markup, spans_of(text))), self._style(**changes), bullet)

    def _style(self, **changes: Any) -> Any:
        from reportlab.lib.styles import ParagraphStyle

        return ParagraphStyle("changed", parent=self._body, **changes)

    def _markup(self, span: Any) -> str:
        text = escape(_LONG_WORD.sub(r"\1 ", span.text))
        for font, characters in _EAST_ASIAN.items():
            text = re.sub(f"([{characters}]+)", rf'<font name="{font}">\1</font>', text)
        if span.target and _SAFE_LINK.match(span.target):
            text = f"<a href={quoteattr(span.target)} color='blue'>{text}</a>"
        if span.code:
            text = f'<font name="{self._fonts["code"]}">{text}</font>'
        text = f"<b>{text}</b>" if span.bold else text
        return f"<i>{text}</i>" if span.italic else text
