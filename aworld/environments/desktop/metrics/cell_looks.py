"""How a cell looks, by OSWorld's names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_SEEN: dict[str, Callable[[Any], Any]] = {
    "font_name": lambda cell: cell.font.name,
    "font_family": lambda cell: cell.font.family,
    "font_color": lambda cell: cell.font.color.rgb if cell.font.color is not None else None,
    "font_bold": lambda cell: cell.font.b,
    "font_italic": lambda cell: cell.font.i,
    "font_underline": lambda cell: cell.font.u,
    "font_size": lambda cell: cell.font.sz,
    "fill_type": lambda cell: cell.fill.tagname,
}
"""None for a cell without a value."""
_ALWAYS: dict[str, Callable[[Any], Any]] = {
    "bgcolor": lambda cell: cell.fill.bgColor.rgb,
    "fgcolor": lambda cell: cell.fill.fgColor.rgb,
    "hyperlink": lambda cell: cell.hyperlink or "",
    "merge": lambda cell: type(cell).__name__ == "MergedCell",
}


def look(name: str, cell: Any) -> Any:
    """One property of a cell.

    Raises:
        NotImplementedError: it is not known.
    """
    if name in _ALWAYS:
        return _ALWAYS[name](cell)
    if name == "number_format":
        number = cell.value is not None and cell.data_type == "n"
        return cell.number_format if number else None
    if name in _SEEN:
        return None if cell.value is None else _SEEN[name](cell)
    raise NotImplementedError(f"the style {name!r}")
