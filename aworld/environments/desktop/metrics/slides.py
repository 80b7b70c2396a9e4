"""Metrics on PowerPoint presentations."""

from __future__ import annotations

import math
import zipfile
from collections.abc import Iterator
from typing import Any

from aworld.environments.desktop.metrics.registry import metric

Rules = dict[str, Any]
_P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_UNCOMPARED = (
    "examine_font_name", "examine_font_size", "examine_font_bold", "examine_font_italic",
    "examine_color_rgb", "examine_font_underline", "examine_strike_through",
)  # fmt: skip


def _presentation(path: str) -> Any:
    from pptx import Presentation

    return Presentation(path)


@metric
def compare_pptx_files(file1: str | None, file2: str | None, **options: Any) -> float:
    """The same slides: shapes with their place and size, texts, fonts, notes. Options
    `examine_…: false` leave one of these out; those that compare something else are refused."""
    if not file1 or not file2:
        return 0.0
    known = {
        "examine_number_of_slides", "examine_shape", "examine_text", "examine_note",
        "examine_alignment", *_UNCOMPARED,
    }  # fmt: skip
    for name, value in options.items():
        # An unknown switch that is off asks for nothing.
        if name not in known and value not in (False, None):
            raise NotImplementedError(f"compare_pptx_files' option {name!r}")
    first, second = _presentation(file1), _presentation(file2)
    if options.get("examine_number_of_slides", True) and len(first.slides) != len(second.slides):
        return 0.0
    pairs = zip(first.slides, second.slides, strict=False)
    return float(all(_same_slide(one, other, options) for one, other in pairs))


def _same_slide(one: Any, other: Any, options: Rules) -> bool:
    if options.get("examine_note", True) and _note(one) != _note(other):
        return False
    if len(one.shapes) != len(other.shapes):
        return False
    pairs = zip(one.shapes, other.shapes, strict=True)
    return all(_same_shape(first, second, options) for first, second in pairs)


def _note(slide: Any) -> str:
    return slide.notes_slide.notes_text_frame.text.strip() if slide.has_notes_slide else ""


def _same_shape(one: Any, other: Any, options: Rules) -> bool:
    if options.get("examine_shape", True):
        places = [(s.left, s.top, s.width, s.height) for s in (one, other)]
        if places[0] != places[1]:
            return False
    if one.has_text_frame != other.has_text_frame:
        return False
    if not one.has_text_frame:
        return True
    if options.get("examine_text", True) and one.text.strip() != other.text.strip():
        return False
    paragraphs = [s.text_frame.paragraphs for s in (one, other)]
    if options.get("examine_alignment", True):
        alignments = [[p.alignment for p in some] for some in paragraphs]
        if alignments[0] != alignments[1]:
            return False
    looks = [[_run_look(r, options) for p in some for r in p.runs] for some in paragraphs]
    return looks[0] == looks[1]


def _run_look(run: Any, options: Rules) -> list[Any]:
    """What of a run's font is compared; an underline that is set to none is no underline."""
    font = run.font
    seen = {
        "examine_font_name": font.name,
        "examine_font_size": font.size,
        "examine_font_bold": bool(font.bold),
        "examine_font_italic": bool(font.italic),
        "examine_color_rgb": _colour(font),
        "examine_font_underline": bool(font.underline),
        "examine_strike_through": font._element.get("strike", "noStrike"),
    }
    return [value for name, value in seen.items() if options.get(name, True)]


def _colour(font: Any) -> str | None:
    try:
        return str(font.color.rgb)
    except AttributeError:
        return None


@metric
def check_strikethrough(pptx_path: str, rules: Rules) -> float:
    """The named paragraphs begin with a run that says whether it is struck through."""
    presentation = _presentation(pptx_path)
    for slide in rules["slide_index_s"]:
        for shape in rules["shape_index_s"]:
            paragraphs = presentation.slides[slide].shapes[shape].text_frame.paragraphs
            for index in rules["paragraph_index_s"]:
                if "strike" not in paragraphs[index].runs[0].font._element.attrib:
                    return 0.0
    return 1.0


@metric
def check_slide_orientation_Portrait(pptx_path: str) -> float:
    """Slides are higher than wide."""
    presentation = _presentation(pptx_path)
    return float(presentation.slide_width < presentation.slide_height)


@metric
def evaluate_presentation_fill_to_rgb_distance(pptx_file: str, rules: Rules) -> float:
    """How near the slides' backgrounds are to `rgb`; one that kept `original_rgb` counts 0."""
    slides = list(_presentation(pptx_file).slides)
    distances = [_distance(slide, rules["rgb"], rules.get("original_rgb")) for slide in slides]
    return 1 - sum(distances) / len(slides)


def _distance(slide: Any, wanted: list[int], original: list[int] | None) -> float:
    fill = slide.background.fill
    if fill.type == 5:  # The master's.
        fill = slide.slide_layout.slide_master.background.fill
    if fill.type != 1:
        return 1.0
    try:
        colour = tuple(fill.fore_color.rgb)
    except AttributeError:
        return 1.0
    if original is not None and colour == tuple(original):
        return 1.0
    return math.dist(colour, wanted) / math.dist((0, 0, 0), (255, 255, 255))


@metric
def check_transition(pptx_file: str, rules: Rules) -> float:
    """The slide `slide_idx` comes by the transition `transition_type`."""
    from lxml import etree

    name = f"ppt/slides/slide{rules['slide_idx'] + 1}.xml"
    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    with zipfile.ZipFile(pptx_file) as archive:
        if name not in archive.namelist():
            return 0.0
        slide = etree.fromstring(archive.read(name), parser)
    return float(any(_types(slide, rules["transition_type"])))


def _types(slide: Any, wanted: str) -> Iterator[bool]:
    for transition in slide.iter(f"{_P}transition"):
        yield transition.find(f".//{_P}{wanted}") is not None
