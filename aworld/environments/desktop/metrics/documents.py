"""Metrics on Word documents."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from aworld.environments.desktop.metrics.registry import metric
from aworld.environments.desktop.metrics.similarity import ratio

Rules = dict[str, Any]
Path = str | None


def _document(path: str) -> Any:
    from docx import Document

    return Document(path)


def _paragraphs(path: str) -> list[str]:
    if not path.endswith(".docx"):
        raise NotImplementedError(f"documents such as {path!r}: only docx is read")
    return [paragraph.text for paragraph in _document(path).paragraphs]


def _runs(path: str) -> Iterator[Any]:
    for paragraph in _document(path).paragraphs:
        yield from paragraph.runs


def _flat(paragraphs: list[str]) -> str:
    return re.sub(r"\s+", " ", "\n".join(paragraphs)).strip()


@metric
def compare_docx_files(file1: Path, file2: Path, **options: Any) -> float:
    """The same paragraphs. Options: `ignore_blanks` (the default), `ignore_case`, `ignore_order`,
    `content_only` and `fuzzy_match` (how alike), `delete_empty_lines`."""
    if not file1 or not file2:
        return 0.0
    texts = [_paragraphs(path) for path in (file1, file2)]
    if options.get("ignore_order", False):
        texts = [sorted(one) for one in texts]
    if options.get("delete_empty_lines", False):
        texts = [[p for p in one if p.strip()] for one in texts]
    if options.get("ignore_case", False):
        texts = [[p.lower() for p in one] for one in texts]
    fuzzy = options.get("fuzzy_match", False)
    content_only = options.get("content_only", False)
    if content_only or options.get("ignore_blanks", True):
        first, second = map(_flat, texts)
        return ratio(first, second) if content_only or fuzzy else float(first == second)
    if len(texts[0]) != len(texts[1]):
        return 0.0
    if not fuzzy:
        return float(texts[0] == texts[1])
    if not texts[0]:
        return 1.0
    return sum(map(ratio, *texts)) / len(texts[0])


@metric
def compare_docx_files_and_ignore_new_lines(file1: Path, file2: Path, **options: Any) -> float:
    """The same paragraphs, empty ones left out."""
    if not file1 or not file2:
        return 0.0
    texts = [[p for p in _paragraphs(path) if p] for path in (file1, file2)]
    if options.get("ignore_blanks", True):
        return float(_flat(texts[0]) == _flat(texts[1]))
    return float(texts[0] == texts[1])


@metric
def compare_docx_lines(file1: Path, file2: Path) -> float:
    """The same set of paragraphs."""
    if not file1 or not file2:
        return 0.0
    sets = [{p.strip() for p in _paragraphs(path) if p.strip()} for path in (file1, file2)]
    return float(sets[0] == sets[1])


@metric
def compare_init_lines(file1: Path, file2: Path) -> float:
    """The paragraphs are the same as far as the shorter goes."""
    if not file1 or not file2:
        return 0.0
    pairs = zip(_paragraphs(file1), _paragraphs(file2), strict=False)
    return float(all(one == other for one, other in pairs))


@metric
def compare_docx_tables(file1: Path, file2: Path) -> float:
    """The same tables, cell by cell."""
    if not file1 or not file2:
        return 0.0

    def cells(path: str) -> list[list[list[str]]]:
        return [
            [[cell.text.strip() for cell in row.cells] for row in table.rows]
            for table in _document(path).tables
        ]

    return float(cells(file1) == cells(file2))


@metric
def compare_docx_images(file1: Path, file2: Path) -> float:
    """The same pictures, pixel by pixel."""
    from io import BytesIO

    from PIL import Image

    if not file1 or not file2:
        return 0.0

    def pictures(path: str) -> list[bytes]:
        relations = _document(path).part.rels.values()
        blobs = [r.target_part.blob for r in relations if "image" in r.reltype]
        return [Image.open(BytesIO(blob)).tobytes() for blob in blobs]

    return float(pictures(file1) == pictures(file2))


@metric
def compare_line_spacing(file1: Path, file2: Path) -> float:
    """The same text with the same spacing of lines."""
    if not file1 or not file2 or not compare_docx_files(file1, file2):
        return 0.0
    spacings = [
        [p.paragraph_format.line_spacing for p in _document(path).paragraphs]
        for path in (file1, file2)
    ]
    return float(spacings[0] == spacings[1])


@metric
def compare_font_names(docx_file: Path, rules: Rules) -> float:
    """All text has the font `font_name`."""
    if not docx_file:
        return 0.0
    return float(all(run.font.name == rules["font_name"] for run in _runs(docx_file)))


@metric
def compare_subscript_contains(file1: Path, file2: Path) -> float:
    """Somewhere both documents have a subscript at the same place."""
    if not file1 or not file2:
        return 0.0
    for one, other in zip(_document(file1).paragraphs, _document(file2).paragraphs, strict=False):
        for run1, run2 in zip(one.runs, other.runs, strict=False):
            if run1.font.subscript and run2.font.subscript:
                return 1.0
    return 0.0


@metric
def has_page_numbers_in_footers(docx_file: Path) -> float:
    """Each section's footer begins with a paragraph that has a digit."""
    if not docx_file:
        return 0.0
    for section in _document(docx_file).sections:
        first = next(iter(section.footer.paragraphs), None)
        if first is None or not any(c.isdigit() for c in first.text):
            return 0.0
    return 1.0


@metric
def is_first_line_centered(docx_file: Path) -> float:
    """The first paragraph is centred."""
    from docx.enum.text import WD_PARAGRAPH_ALIGNMENT

    if not docx_file:
        return 0.0
    first = _document(docx_file).paragraphs[0]
    return float(first.paragraph_format.alignment == WD_PARAGRAPH_ALIGNMENT.CENTER)


@metric
def contains_page_break(docx_file: Path, rules: Rules | None = None) -> float:
    """There is a page break, or as many as `page_break_count` says."""
    if not docx_file:
        return 0.0
    space = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
    count = sum(
        mark.get(f"{space}type") == "page"
        for run in _runs(docx_file)
        for mark in run.element.iter(f"{space}br")
    )
    wanted = (rules or {}).get("page_break_count")
    return float(count > 0 and (wanted is None or count == wanted))


@metric
def evaluate_conversion(file_path: Path) -> float:
    """No run of text is all capitals."""
    if not file_path:
        return 0.0
    document = _document(file_path)
    in_tables = [
        p
        for table in document.tables
        for row in table.rows
        for c in row.cells
        for p in c.paragraphs
    ]
    runs = (run for p in [*in_tables, *document.paragraphs] for run in p.runs)
    return float(not any(run.text.isupper() for run in runs))


@metric
def evaluate_spacing(file_path: Path) -> float:
    """The first three paragraphs are spaced 1, 2 and 1.5 lines."""
    if not file_path:
        return 0.0
    spacing = [p.paragraph_format.line_spacing for p in _document(file_path).paragraphs[:3]]
    return float(spacing == [1.0, 2.0, 1.5])


@metric
def evaluate_strike_through_last_paragraph(file1: Path, file2: Path) -> float:
    """The same text, and all of the last paragraph struck through."""
    if not file1 or not file2 or not compare_docx_files(file1, file2):
        return 0.0
    return float(all(run.font.strike for run in _document(file1).paragraphs[-1].runs))


@metric
def check_italic_font_size_14(file1: Path, file2: Path) -> float:
    """The same text, and what is italic has 14 points."""
    if not file1 or not file2 or not compare_docx_files(file1, file2):
        return 0.0
    sizes = [run.font.size for run in _runs(file1) if run.italic]
    return float(all(size is not None and size.pt == 14 for size in sizes))


@metric
def compare_highlighted_text(file1: Path, file2: Path) -> float:
    """The same texts are highlighted."""
    if not file1 or not file2:
        return 0.0
    marked = [
        {run.text for run in _runs(path) if run.font.highlight_color is not None}
        for path in (file1, file2)
    ]
    return float(marked[0] == marked[1])
