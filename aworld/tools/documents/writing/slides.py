"""PowerPoint presentations from markdown: each heading of level 1 or 2 begins a slide."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any, NamedTuple

from aworld.tools.documents.markdown_blocks import (
    Block,
    Heading,
    Item,
    Rule,
    Table,
    blocks_of,
    plain_text,
)
from aworld.tools.documents.model import DocumentError, Produced, Wanted
from aworld.tools.documents.writing.tables import plain

_MEDIA = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
_MOST_SLIDES = 500
_NOTES = "notes:"


class _Slide(NamedTuple):
    title: str
    blocks: list[Block]


def make(wanted: Wanted, before: bytes) -> Produced:
    """A text that begins with `Notes:` becomes the speaker's notes of its slide."""
    from pptx import Presentation

    slides = _slides(blocks_of(wanted.text))
    for name, rows in wanted.sheets.items():
        table = Table([[plain(cell) for cell in row] for row in rows], True)
        slides.append(_Slide(name, [table]))
    if not slides:
        raise DocumentError(f"{wanted.name!r} needs a text; a heading begins each slide.")
    if len(slides) > _MOST_SLIDES:
        raise DocumentError(f"{wanted.name!r} would have {len(slides)} slides; at most 500 can be.")
    presentation = Presentation()
    try:
        for slide in slides:
            _add(presentation, slide)
    except ValueError as error:
        raise DocumentError(f"A slide's text cannot be written: {error}.") from None
    out = io.BytesIO()
    presentation.save(out)
    return Produced(wanted.name, _MEDIA, out.getvalue())


def _slides(blocks: list[Block]) -> list[_Slide]:
    slides: list[_Slide] = []
    for block in blocks:
        if isinstance(block, Heading) and block.level <= 2:
            slides.append(_Slide(plain_text(block.text), []))
        elif not isinstance(block, Rule):
            if not slides:
                slides.append(_Slide("", []))
            slides[-1].blocks.append(block)
    return slides


def _add(presentation: Any, wanted: _Slide) -> None:
    tables = [block for block in wanted.blocks if isinstance(block, Table)]
    # Layout 5 of the default template has a title alone, layout 1 a title and a text.
    slide = presentation.slides.add_slide(presentation.slide_layouts[5 if tables else 1])
    slide.shapes.title.text = wanted.title
    rows = [(block, _text(block)) for block in wanted.blocks if not isinstance(block, Table)]
    notes = [text for _, text in rows if text.lower().startswith(_NOTES)]
    if notes:
        said = "\n".join(text[len(_NOTES) :].strip() for text in notes)
        slide.notes_slide.notes_text_frame.text = said
    body = [(block, text) for block, text in rows if text not in notes]
    if not tables:
        _body(slide.placeholders[1].text_frame, body)
        return
    top = presentation.slide_height // 4
    if body:
        box = slide.shapes.add_textbox(
            presentation.slide_width // 12, top, presentation.slide_width * 10 // 12, top
        )
        _body(box.text_frame, body)
        top *= 2
    for table in tables:
        _table(presentation, slide, table, top)


def _body(frame: Any, rows: Sequence[tuple[Block, str]]) -> None:
    frame.word_wrap = True
    for number, (block, text) in enumerate(rows):
        paragraph = frame.paragraphs[0] if number == 0 else frame.add_paragraph()
        paragraph.text = text
        if isinstance(block, Item):
            paragraph.level = min(block.depth, 4)
        elif isinstance(block, Heading):
            paragraph.font.bold = True


def _table(presentation: Any, slide: Any, table: Table, top: int) -> None:
    if not table.rows or not table.rows[0]:
        return
    width = presentation.slide_width * 10 // 12
    shape = slide.shapes.add_table(
        len(table.rows), max(map(len, table.rows)), presentation.slide_width // 12, top, width, 1
    )
    for number, row in enumerate(table.rows):
        for across, text in enumerate(row):
            shape.table.cell(number, across).text = plain_text(text)


def _text(block: Block) -> str:
    return plain_text(getattr(block, "text", ""))
