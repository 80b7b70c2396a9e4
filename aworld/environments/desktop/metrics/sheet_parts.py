"""Parts of a sheet that two workbooks are compared by: charts, filters, pivot tables, sizes."""

from __future__ import annotations

import zipfile
from typing import Any

from aworld.environments.desktop.metrics.cell_looks import look
from aworld.environments.desktop.metrics.workbook import Book

Rule = dict[str, Any]
_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_X14 = "{http://schemas.microsoft.com/office/spreadsheetml/2009/9/main}"
_XM = "{http://schemas.microsoft.com/office/excel/2006/main}"


def sparklines(book: Book, name: str, rule: Rule) -> dict[str, str]:
    """Cell to source range of each small chart in a cell."""
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    with zipfile.ZipFile(book.path) as archive:
        listing = etree.fromstring(archive.read("xl/workbook.xml"), parser)
        ids = {s.get("name"): s.get("sheetId") for s in listing.iter(f"{_MAIN}sheet")}
        if name not in ids:
            return {}
        sheet = etree.fromstring(archive.read(f"xl/worksheets/sheet{ids[name]}.xml"), parser)
    return {
        line.findtext(f"{_XM}sqref"): line.findtext(f"{_XM}f")
        for line in sheet.iter(f"{_X14}sparkline")
    }


def charts(book: Book, name: str, rule: Rule) -> dict[str, dict[str, Any]]:
    """Data source to the properties that `chart_props` names, of each chart."""
    sheet = book.sheet(name)
    wanted = rule.get("chart_props", [])
    found = {}
    for chart in [] if sheet is None else sheet._charts:
        source = ";".join(f"{_source(s.val)},{_source(s.cat)}" for s in chart.series)
        found[source] = {field: _chart_field(chart, field) for field in wanted}
    return found


def _source(reference: Any) -> str:
    for kind in ("numRef", "strRef"):
        formula = getattr(getattr(reference, kind, None), "f", None)
        if formula is not None:
            return str(formula)
    return ""


def _chart_field(chart: Any, field: str) -> Any:
    if field in ("xtitle", "ytitle", "ztitle"):
        return _title(getattr(chart, f"{field[0]}_axis", None))
    if field == "title":
        return _title(chart)
    if field == "legend":
        return chart.legend.position if chart.legend is not None else None
    if field == "anchor":
        anchor = chart.anchor
        return [anchor.editAs, anchor._from.col, anchor.to.row, anchor.to.col, anchor.to.row]
    if field in ("width", "height"):
        return getattr(chart, field)
    if field == "type":
        return chart.tagname
    if field == "direction":
        return chart.barDir
    raise NotImplementedError(f"the chart's property {field!r}")


def _title(owner: Any) -> str | None:
    try:
        return str(owner.title.tx.rich.p[0].r[0].t)
    except (AttributeError, IndexError, TypeError):
        return None


def styles(book: Book, name: str, rule: Rule) -> dict[str, list[Any]]:
    """Each cell's looks in `props`. Conditional formats are not calculated.

    Raises:
        NotImplementedError: the sheet has conditional formats.
    """
    sheet = book.sheet(name)
    if sheet is None:
        return {}
    if len(sheet.conditional_formatting):
        raise NotImplementedError("styles that conditions give")
    return {
        cell.coordinate: [look(field, cell) for field in rule["props"]]
        for column in sheet.iter_cols()
        for cell in column
    }


def rows(book: Book, name: str, rule: Rule) -> dict[Any, dict[str, Any]]:
    """Height, whether hidden and the like, of each row that has such."""
    return _dimensions(book, name, rule, "row_dimensions")


def columns(book: Book, name: str, rule: Rule) -> dict[Any, dict[str, Any]]:
    """Width, whether hidden and the like, of each column that has such."""
    return _dimensions(book, name, rule, "column_dimensions")


def _dimensions(book: Book, name: str, rule: Rule, which: str) -> dict[Any, dict[str, Any]]:
    sheet = book.sheet(name)
    if sheet is None:
        return {}
    return {
        key: {field: getattr(one, field) for field in rule.get("props", [])}
        for key, one in getattr(sheet, which).items()
    }


def filters(book: Book, name: str, rule: Rule) -> dict[str, Any]:
    """The automatic filter: range, columns, order."""
    sheet = book.sheet(name)
    if sheet is None:
        return {}
    given = sheet.auto_filter
    found: dict[str, Any] = {"ref": given.ref}
    found["columns"] = sorted((_filter_column(c) for c in given.filterColumn), key=lambda c: c[0])
    if given.sortState is not None:
        state = given.sortState
        found["sort"] = (
            state.columnSort,
            state.caseSensitive,
            state.sortMethod,
            state.ref,
            [(c.descending, c.sortBy, c.ref, c.customList) for c in state.sortCondition],
        )
    return found


def _filter_column(column: Any) -> tuple[Any, ...]:
    values = column.filters
    plain = None if values is None else (values.blank, frozenset(values.filter))
    custom = column.customFilters
    own = None
    if custom is not None:
        own = (custom._and, frozenset((f.operator, f.val) for f in custom.customFilter))
    return column.colId, column.hiddenButton, column.showButton, plain, own


def pivot_tables(book: Book, name: str, rule: Rule) -> dict[str, dict[str, Any]]:
    """Source to the properties that `pivot_props` names, of each pivot table."""
    sheet = book.sheet(name)
    wanted = rule.get("pivot_props", [])
    found = {}
    for table in [] if sheet is None else sheet._pivots:
        source = table.cache.cacheSource
        key = f"{source.type};{source.worksheetSource.ref};{source.worksheetSource.sheet}"
        found[key] = {field: _pivot_field(table, field, wanted) for field in wanted}
    return found


def _pivot_field(table: Any, field: str, wanted: list[str]) -> Any:
    simple = {
        "name": "name",
        "show_total": "visualTotals",
        "show_empty_row": "showEmptyRow",
        "show_empty_col": "showEmptyCol",
        "show_headers": "showHeaders",
        "location": "location",
    }
    if field in simple:
        return getattr(table, simple[field])
    if field in ("col_fields", "row_fields"):
        return [one.x for one in (table.colFields if field == "col_fields" else table.rowFields)]
    if field == "filter":
        return {one.fld for one in table.pageFields}
    if field == "selection":
        return [[(i.h, i.x) for i in f.items if i.x is not None] for f in table.pivotFields]
    if field == "data_fields":
        named = "data_fields_name" in wanted
        return [
            (one.fld, one.name if named else "", one.subtotal, one.showDataAs)
            for one in table.dataFields
        ]
    if field in ("ordered", "data_fields_name"):
        return None
    raise NotImplementedError(f"the pivot table's property {field!r}")
