"""The rules of `compare_table`, by their type."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from aworld.environments.desktop.metrics import cell_looks, sheet_parts
from aworld.environments.desktop.metrics.similarity import ratio
from aworld.environments.desktop.metrics.text_files import read
from aworld.environments.desktop.metrics.value_rules import fits
from aworld.environments.desktop.metrics.workbook import Book, Pair

Rule = dict[str, Any]


def _sheet_name(books: Pair, rule: Rule) -> bool:
    return books.expected is not None and books.result.names == books.expected.names


def _sheet_data(books: Pair, rule: Rule) -> bool:
    """The same values, numbers to `precision` decimals."""
    import pandas

    frames = []
    for key in ("sheet_idx0", "sheet_idx1"):
        book, name = books.find(rule[key])
        if name not in book.names:
            return False
        frame = pandas.read_excel(book.path, sheet_name=name)
        frames.append(frame.round(rule.get("precision", 4)))
    return bool(frames[0].equals(frames[1]))


def _sheet_print(books: Pair, rule: Rule) -> bool:
    """The same lines in the CSV files that a configuration step has made of the sheets."""
    texts: list[list[str]] = []
    for key in ("sheet_idx0", "sheet_idx1"):
        book, name = books.find(rule[key])
        path = f"{os.path.splitext(book.path)[0]}-{name}.csv"
        if not os.path.exists(path):
            return False
        lines = [line.strip() for line in read(path).splitlines()]
        while lines and not lines[-1]:
            lines.pop()
        texts.append([line.lower() for line in lines] if rule.get("ignore_case") else lines)
    return texts[0] == texts[1]


def _sheet_fuzzy(books: Pair, rule: Rule) -> bool:
    """The cells of ranges fit, after what the rule filters out."""
    from openpyxl.utils import get_column_letter
    from openpyxl.worksheet.cell_range import MultiCellRange

    (first, name0), (second, name1) = (books.find(rule[f"sheet_idx{n}"]) for n in (0, 1))
    for part in rule["rules"]:
        for cells in MultiCellRange(part["range"]):
            for row, column in cells.cells:
                place = f"{get_column_letter(column)}{row}"
                values = [
                    _tidied(str(book.value(name, place)), part)
                    for book, name in ((first, name0), (second, name1))
                ]
                if not _fit(values[0], values[1], part):
                    return False
    return True


def _tidied(value: str, part: Rule) -> str:
    for old, new in part.get("normalization", []):
        value = value.replace(old, new)
    if "trim_leadings" in part:
        value = value.lstrip(part["trim_leadings"])
    if "trim_trailings" in part:
        value = value.rstrip(part["trim_trailings"])
    ignored = set(part.get("ignore_chars", ""))
    value = "".join(c for c in value if c not in ignored)
    return value.lower() if part.get("ignore_case", False) else value


def _fit(first: str, second: str, part: Rule) -> bool:
    kind = part["type"]
    if kind == "includes":
        return second in first
    if kind == "included_by":
        return first in second
    if kind == "fuzzy_match":
        return 100 * ratio(first, second) >= float(part.get("threshold", 85.0))
    if kind == "exact_match":
        return first == second
    raise NotImplementedError(f"sheet_fuzzy's comparison {kind!r}")


def _same(load: Callable[[Book, str, Rule], Any]) -> Callable[[Pair, Rule], bool]:
    """A rule that loads the same part of two sheets and compares."""

    def holds(books: Pair, rule: Rule) -> bool:
        parts = [load(*books.find(rule[key]), rule) for key in ("sheet_idx0", "sheet_idx1")]
        return bool(parts[0] == parts[1])

    return holds


def _freeze(book: Book, name: str, rule: Rule) -> Any:
    sheet = book.sheet(name)
    return f"no sheet in {book.path}" if sheet is None else sheet.freeze_panes


def _zoom(books: Pair, rule: Rule) -> bool:
    book, name = books.find(rule["sheet_idx"])
    sheet = book.sheet(name)
    return sheet is not None and fits(sheet.sheet_view.zoomScale or 100.0, rule)


def _data_validation(books: Pair, rule: Rule) -> bool:
    """Each validation of the sheet has all properties of one of `dv_props`."""
    book, name = books.find(rule["sheet_idx"])
    sheet = book.sheet(name)
    if sheet is None:
        return False
    validations = sheet.data_validations.dataValidation
    wanted = rule["dv_props"]

    def one_of(validation: Any) -> bool:
        return any(
            all(fits(getattr(validation, field), how) for field, how in properties.items())
            for properties in wanted
        )

    return len(validations) >= len(wanted) and all(map(one_of, validations))


def _check_cell(books: Pair, rule: Rule) -> bool:
    book, name = books.find(rule["sheet_idx"])
    sheet = book.sheet(name)
    if sheet is None:
        return False
    for field, how in rule["props"].items():
        cell = sheet[rule["coordinate"]]
        is_value = field == "value"
        value = book.value(name, rule["coordinate"]) if is_value else cell_looks.look(field, cell)
        try:
            if not fits(value, how):
                return False
        except TypeError:
            return False
    return True


RULES: dict[str, Callable[[Pair, Rule], bool]] = {
    "sheet_name": _sheet_name,
    "sheet_data": _sheet_data,
    "sheet_print": _sheet_print,
    "sheet_fuzzy": _sheet_fuzzy,
    "sparkline": _same(sheet_parts.sparklines),
    "chart": _same(sheet_parts.charts),
    "style": _same(sheet_parts.styles),
    "freeze": _same(_freeze),
    "zoom": _zoom,
    "data_validation": _data_validation,
    "row_props": _same(sheet_parts.rows),
    "col_props": _same(sheet_parts.columns),
    "filter": _same(sheet_parts.filters),
    "pivot_table": _same(sheet_parts.pivot_tables),
    "check_cell": _check_cell,
}
