"""Metrics on PowerPoint presentations."""

from __future__ import annotations

import math
import zipfile
from collections.abc import Iterator
from typing import Any

from aworld.environments.desktop.metrics.registry import metric

Rules = dict[str, Any]
_P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"


def _presentation(path: str) -> Any:
    from pptx import Presentation

    return Presentation(path)


@metric
def compare_pptx_files(file1: str | None, file2: str | None, **options: Any) -> float:
    """The same slides, shape by shape: see `slide_comparison.Comparison`."""
    from aworld.environments.desktop.metrics.slide_comparison import Comparison

    if not file1 or not file2:
        return 0.0
    return float(Comparison(options).same(_presentation(file1), _presentation(file2)))


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
