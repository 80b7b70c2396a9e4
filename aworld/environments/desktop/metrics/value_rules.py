"""One rule on one value: `{"method": "eq", "ref": 3}` and its relatives."""

from __future__ import annotations

import operator
import re
from typing import Any

_ORDERS = {
    name: getattr(operator, name) for name in ("eq", "ne", "lt", "le", "gt", "ge")
}  # fmt: skip


def fits(value: Any, rule: dict[str, Any]) -> bool:
    """Whether a value fits a rule.

    Methods: `eq ne lt le gt ge`, `re` with flags as in `re.I`, `approx:0.1`, `range.te` (t: not
    equal, e: or equal), `str_list_eq`, `str_set_eq`, `spreadsheet_range`.
    """
    method, reference = str(rule["method"]), rule["ref"]
    if method in _ORDERS:
        return bool(_ORDERS[method](value, reference))
    if method == "re" or method.startswith("re."):
        flags = re.RegexFlag(0)
        for name in method.split(".")[1:]:
            flags |= re.RegexFlag[name]
        return re.search(reference, value, flags) is not None
    if method.startswith("approx"):
        return _near(value, float(reference), float(method.split(":")[1]))
    if method.startswith("range."):
        below = _ORDERS["l" + method[6]](reference[0], value)
        return bool(below and _ORDERS["l" + method[7]](value, reference[1]))
    if method in ("str_list_eq", "str_set_eq"):
        if not isinstance(value, str):
            raise TypeError(f"{method} needs a text, not {value!r}")
        items = value.strip("\"'").split(",")
        return set(items) == set(reference) if method == "str_set_eq" else items == list(reference)
    if method == "spreadsheet_range":
        return _between_ranges(value, reference)
    raise NotImplementedError(f"the rule method {method!r}")


def _near(value: Any, reference: float, tolerance: float) -> bool:
    try:
        return abs(float(value) - reference) <= tolerance
    except (TypeError, ValueError):
        return False


def _between_ranges(value: Any, reference: list[str]) -> bool:
    """Whether it covers the first range of cells and lies within the second."""
    from openpyxl.worksheet.cell_range import MultiCellRange

    def within(inner: Any, outer: Any) -> bool:
        return all(one in outer for one in inner)

    least, most = MultiCellRange(reference[0]), MultiCellRange(reference[1])
    given = value if isinstance(value, MultiCellRange) else MultiCellRange(str(value))
    return within(least, given) and within(given, most)
