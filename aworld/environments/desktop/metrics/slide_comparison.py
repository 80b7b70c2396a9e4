"""Whether two presentations are the same, as far as a task's options look."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
SPECIAL = {
    "examine_title_bottom_position", "examine_table_bottom_position", "examine_right_position",
    "examine_top_position", "examine_shape_for_shift_size", "examine_image_size",
    "examine_modify_height",
}  # fmt: skip
"""Options that OSWorld made for single tasks, with those tasks' texts and places in its code."""
_TOLERANCE = 0.005
_LEFT = 1
"""The number of the format for an alignment to the left."""
_SOLID, _INHERITED = 1, 5
"""A background's fill: of its own, or the master's."""


class Comparison:
    """Number of slides, backgrounds, notes, shapes with their places, tables, texts with their
    paragraphs' alignment, level and bullets, and runs with their fonts. Each part is compared
    unless its option `examine_…` is false; places may differ by half a per cent.

    Raises:
        NotImplementedError: an option is on that looks for one task's own shapes.
    """

    def __init__(self, options: dict[str, Any]) -> None:
        for name in SPECIAL:
            if options.get(name, False):
                raise NotImplementedError(f"compare_pptx_files' option {name!r}")
        self._options = options
        self._tolerance = float(options.get("approximately_tolerance", _TOLERANCE))

    def same(self, first: Any, second: Any) -> bool:
        """Two presentations."""
        if self._looks_at("number_of_slides") and len(first.slides) != len(second.slides):
            return False
        return all(map(self._same_slide, first.slides, second.slides))

    def _looks_at(self, part: str) -> bool:
        return bool(self._options.get(f"examine_{part}", True))

    def _same_slide(self, one: Any, other: Any) -> bool:
        if self._looks_at("background_color") and _background(one) != _background(other):
            return False
        if self._looks_at("note") and _note(one) != _note(other):
            return False
        if len(one.shapes) != len(other.shapes):
            return False
        if not all(map(self._same_shape, one.shapes, other.shapes)):
            return False
        return self._same_alignments(one, other)

    def _same_alignments(self, one: Any, other: Any) -> bool:
        """Of all texts, those in groups too."""
        if not self._looks_at("alignment"):
            return True
        sides = [
            [[_alignment(p) for p in shape.text_frame.paragraphs] for shape in _texts(slide.shapes)]
            for slide in (one, other)
        ]
        return sides[0] == sides[1]

    def _same_shape(self, one: Any, other: Any) -> bool:
        if self._looks_at("shape") and not self._same_place(one, other):
            return False
        if one.has_text_frame != other.has_text_frame:
            return True  # OSWorld compares the texts of two shapes that both have one.
        if getattr(one, "has_table", False) and getattr(other, "has_table", False):
            return self._same_table(one.table, other.table)
        if not one.has_text_frame:
            return True
        if self._looks_at("text") and one.text.strip() != other.text.strip():
            return False
        return self._same_paragraphs(one.text_frame, other.text_frame)

    def _same_place(self, one: Any, other: Any) -> bool:
        return all(
            self._near(getattr(one, side), getattr(other, side))
            for side in ("left", "top", "width", "height")
        )

    def _near(self, one: int | None, other: int | None) -> bool:
        if one == other:
            return True
        if not one or not other:
            return False
        return abs(one - other) / max(abs(one), abs(other)) <= self._tolerance

    def _same_table(self, one: Any, other: Any) -> bool:
        sizes = [(len(table.rows), len(table.columns)) for table in (one, other)]
        if sizes[0] != sizes[1]:
            return False
        cells = zip(one.iter_cells(), other.iter_cells(), strict=True)
        return all(self._same_looks(first.text_frame, second.text_frame) for first, second in cells)

    def _same_looks(self, one: Any, other: Any) -> bool:
        """The fonts of a cell's runs; their text is not compared."""
        sides = [[list(p.runs) for p in frame.paragraphs] for frame in (one, other)]
        if [len(runs) for runs in sides[0]] != [len(runs) for runs in sides[1]]:
            return False
        pairs = zip(sum(sides[0], []), sum(sides[1], []), strict=True)
        return all(
            _weight(a) == _weight(b) and (not self._looks_at("color_rgb") or _same_colour(a, b))
            for a, b in pairs
        )

    def _same_paragraphs(self, one: Any, other: Any) -> bool:
        if len(one.paragraphs) != len(other.paragraphs):
            return False
        return all(map(self._same_paragraph, one.paragraphs, other.paragraphs))

    def _same_paragraph(self, one: Any, other: Any) -> bool:
        looked_at: dict[str, Callable[[Any], Any]] = {
            "alignment": _alignment,
            "text": lambda paragraph: paragraph.text,
            "indent": lambda paragraph: paragraph.level,
            "bullets": _bullet,
        }
        for part, read in looked_at.items():
            if self._looks_at(part) and read(one) != read(other):
                return False
        if len(one.runs) != len(other.runs):
            return False
        return all(map(self._same_run, one.runs, other.runs))

    def _same_run(self, one: Any, other: Any) -> bool:
        looked_at: dict[str, Callable[[Any], Any]] = {
            "font_name": lambda run: run.font.name,
            "font_size": lambda run: run.font.size,
            "font_bold": lambda run: bool(run.font.bold),
            "font_italic": lambda run: bool(run.font.italic),
            "font_underline": lambda run: run.font.underline or None,
            "strike_through": lambda run: run.font._element.get("strike", "noStrike"),
        }
        if self._looks_at("color_rgb") and not _same_colour(one, other):
            return False
        return all(
            not self._looks_at(part) or read(one) == read(other) for part, read in looked_at.items()
        )


def _texts(shapes: Any) -> Iterator[Any]:
    """Shapes with text, those in groups too."""
    for shape in shapes:
        if shape.has_text_frame:
            yield shape
        elif hasattr(shape, "shapes"):
            yield from _texts(shape.shapes)


def _note(slide: Any) -> str:
    return slide.notes_slide.notes_text_frame.text.strip() if slide.has_notes_slide else ""


def _background(slide: Any) -> str | None:
    fill = slide.background.fill
    if fill.type == _INHERITED:
        fill = slide.slide_layout.slide_master.background.fill
    if fill.type != _SOLID:
        return None
    return str(getattr(fill.fore_color, "rgb", None))


def _alignment(paragraph: Any) -> int:
    """None is the left, too."""
    return int(paragraph.alignment or _LEFT)


def _bullet(paragraph: Any) -> str | None:
    mark = paragraph._p.find(f"{_A}pPr/{_A}buChar")
    return None if mark is None or not paragraph.text.strip() else mark.get("char")


def _weight(run: Any) -> tuple[bool, bool, Any]:
    return bool(run.font.bold), bool(run.font.italic), run.font.underline or None


def _same_colour(one: Any, other: Any) -> bool:
    """Colours of a theme are not compared."""
    colours = [getattr(run.font.color, "rgb", None) for run in (one, other)]
    return None in colours or colours[0] == colours[1]
