"""Metrics on spreadsheets and CSV files."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from aworld.environments.desktop.metrics.registry import metric
from aworld.environments.desktop.metrics.text_files import read

Rules = dict[str, Any]
Lines = Callable[[str], str]


@metric
def compare_csv(result: str | None, expected: str | list[str], **options: Any) -> float:
    """The same lines as the expected file, or as one of several; not `strict`: without blank ends;
    `ignore_case`."""
    if result is None:
        return 0.0
    change: list[Lines] = []
    if not options.get("strict", True):
        change.append(str.strip)
    if options.get("ignore_case", False):
        change.append(str.lower)

    def lines(path: str) -> list[str]:
        found = read(path).splitlines()
        for one in change:
            found = [one(line) for line in found]
        return found

    golden = [expected] if isinstance(expected, str) else expected
    return float(any(lines(result) == lines(path) for path in golden if os.path.exists(path)))


@metric
def compare_table(result: str | None, expected: str | None = None, **options: Any) -> float:
    """Each rule of `rules` holds for the two workbooks."""
    from aworld.environments.desktop.metrics.table_rules import RULES
    from aworld.environments.desktop.metrics.workbook import Book, Pair

    if result is None:
        return 0.0
    for rule in options["rules"]:
        if rule["type"] not in RULES:
            raise NotImplementedError(f"compare_table's rule {rule['type']!r}")
    books = Pair(Book(result), None if expected is None else Book(expected))
    return float(all(RULES[rule["type"]](books, rule) for rule in options["rules"]))


@metric
def compare_conference_city_in_order(result: str | None, expected: Rules) -> float:
    """The cells C2 to C22 name the cities of `expected`, each or one of several, in order."""
    from openpyxl import load_workbook

    if result is None:
        return 0.0
    cells = [row[0].value for row in load_workbook(result).active["C2:C22"]]
    for wanted, cell in zip(expected["expected"], cells, strict=False):
        names = [wanted] if isinstance(wanted, str) else wanted
        if not any(name in str(cell) for name in names):
            return 0.0
    return 1.0
