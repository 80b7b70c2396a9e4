"""PowerPoint presentations, slide by slide: text, tables, charts' figures, notes."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Iterator
from typing import Any

from aworld.tools.documents.formats.raster import for_a_model
from aworld.tools.documents.model import (
    DocumentError,
    Opened,
    Produced,
    Wanted,
    one_line,
    table_row,
)
from aworld.tools.documents.zip_guard import check_office, open_zip

_MOST_SHAPES = 2_000
_MOST_PICTURES = 2
_RASTER = ("image/png", "image/jpeg", "image/gif", "image/bmp", "image/tiff", "image/webp")


class Slides(Opened):
    """Each slide is a part."""

    kind = "pptx"
    title = "PowerPoint presentation"
    unit = "slide"

    def __init__(self, presentation: Any) -> None:
        super().__init__()
        self._slides = list(presentation.slides)
        self.labels = [""] * len(self._slides)
        properties = presentation.core_properties
        self.facts = {
            "Title": one_line(properties.title or "")[:300],
            "Author": one_line(properties.author or "")[:100],
        }

    def summary(self) -> list[str]:
        """Titles, and which slides are hidden."""
        rows = []
        for number, slide in enumerate(self._slides, 1):
            title = slide.shapes.title
            text = one_line(title.text_frame.text) if title is not None else ""
            hidden = " (hidden)" if slide._element.get("show") == "0" else ""
            rows.append(f"- slide {number}: {text[:120]}{hidden}")
        return rows

    def lines(self, part: int) -> Iterator[str]:
        """A slide's shapes in reading order, then its notes."""
        slide = self._slides[part]
        title = slide.shapes.title
        for shape in _shapes(slide.shapes):
            heading = title is not None and shape.shape_id == title.shape_id
            for line in _shape(shape):
                yield f"# {line}" if heading and line else line
        if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
            notes = slide.notes_slide.notes_text_frame.text.strip()
            if notes:
                yield f"Notes: {one_line(notes)}"

    def pictures(self, part: int) -> list[Produced]:
        """The pictures of a slide."""
        shapes = [s for s in _shapes(self._slides[part].shapes) if _is_picture(s)]
        found = []
        for shape in shapes[:_MOST_PICTURES]:
            image = shape.image
            if image.content_type in _RASTER:
                name = f"slide-{part + 1}-{shape.shape_id}.{image.ext}"
                found.append(for_a_model(Produced(name, image.content_type, image.blob)))
        return found

    def embedded(self) -> Iterator[Produced]:
        """All pictures."""
        for number, slide in enumerate(self._slides, 1):
            for shape in _shapes(slide.shapes):
                if _is_picture(shape):
                    image = shape.image
                    name = f"slide-{number}-{shape.shape_id}.{image.ext}"
                    yield Produced(name, image.content_type, image.blob)


def _shapes(shapes: Iterable[Any]) -> list[Any]:
    """All shapes, those of groups too, from the top down and from the left."""
    found: list[Any] = []
    waiting = list(shapes)
    while waiting and len(found) < _MOST_SHAPES:
        shape = waiting.pop(0)
        if shape.shape_type is not None and shape.shape_type.name == "GROUP":
            waiting = [*shape.shapes, *waiting]
        else:
            found.append(shape)
    return sorted(found, key=lambda shape: (shape.top or 0, shape.left or 0))


def _shape(shape: Any) -> Iterator[str]:
    if shape.has_text_frame:
        for paragraph in shape.text_frame.paragraphs:
            text = one_line("".join(run.text for run in paragraph.runs) or paragraph.text)
            if text:
                yield f"{'  ' * paragraph.level}- {text}" if paragraph.level else text
    elif getattr(shape, "has_table", False) and shape.has_table:
        for number, row in enumerate(shape.table.rows):
            yield table_row([cell.text for cell in row.cells])
            if number == 0:
                yield table_row(["---"] * len(row.cells))
    elif getattr(shape, "has_chart", False) and shape.has_chart:
        yield from _chart(shape.chart)
    elif _is_picture(shape):
        described = shape._element.nvXxPr.cNvPr.get("descr") or ""
        yield f"(picture {shape.name!r}{': ' + one_line(described) if described else ''})"


def _chart(chart: Any) -> Iterator[str]:
    title = (
        chart.chart_title.text_frame.text
        if chart.has_title and (chart.chart_title.has_text_frame)
        else ""
    )
    yield f"(chart {one_line(title)!r})" if title else "(chart)"
    for plot in chart.plots:
        categories = [str(category) for category in plot.categories]
        if categories:
            yield table_row(["", *categories])
        for series in plot.series:
            values = ["" if value is None else f"{value:g}" for value in series.values]
            yield table_row([series.name or "", *values])


def _is_picture(shape: Any) -> bool:
    return shape.shape_type is not None and shape.shape_type.name == "PICTURE"


def open_document(data: bytes, wanted: Wanted) -> Slides:
    """Parse all of it."""
    from lxml.etree import LxmlError
    from pptx import Presentation
    from pptx.exc import PythonPptxError

    archive = open_zip(data, wanted.name)
    check_office(archive, wanted.name)
    try:
        return Slides(Presentation(io.BytesIO(data)))
    except (
        *(PythonPptxError, LxmlError, zipfile.BadZipFile),
        *(KeyError, ValueError, AttributeError),
    ) as error:
        raise DocumentError(
            f"{wanted.name!r} is a damaged PowerPoint presentation: "
            f"{error or type(error).__name__}."
        ) from None
