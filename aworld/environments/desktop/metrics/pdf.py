"""Metrics on PDF files, by their text."""

from __future__ import annotations

import json
import operator
from typing import Any

from aworld.environments.desktop.metrics.registry import metric
from aworld.environments.desktop.metrics.similarity import ratio
from aworld.environments.desktop.metrics.text_files import read

_RELATIONS = {name: getattr(operator, name) for name in ("eq", "ne", "lt", "le", "gt", "ge")}


def _pages(path: str) -> list[str]:
    from pypdf import PdfReader

    return [page.extract_text() for page in PdfReader(path).pages]


@metric
def check_pdf_pages(pdf_file: str | None, rules: dict[str, Any]) -> float:
    """The number of pages stands in `relation` (`eq`, `lt` …) to `ref_value`."""
    if pdf_file is None:
        return 0.0
    return float(_RELATIONS[rules["relation"]](len(_pages(pdf_file)), rules["ref_value"]))


@metric
def compare_pdfs(first: str | list[str] | None, second: str | list[str]) -> float:
    """How alike the texts are; the mean over several files. One that is not there counts 0."""
    lists = [one if isinstance(one, list) else [one] for one in (first, second)]
    texts = [["".join(_pages(path)).strip() if path else None for path in one] for one in lists]
    total = sum(
        ratio(one, other)
        for one, other in zip(texts[0], texts[1], strict=False)
        if one is not None and other is not None
    )
    return total / len(lists[1])


@metric
def is_gold_text_included_in_pdf(pdf_file: str | None, gold_text: str | None) -> float:
    """All values of a JSON file are in the text."""
    if not gold_text or not pdf_file:
        return 0.0
    text = "".join(_pages(pdf_file))
    return float(all(value in text for value in json.loads(read(gold_text)).values()))
