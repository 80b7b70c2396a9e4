"""What an agent sees of the desktop: a picture, the elements on it, the terminal's text."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

from aworld.errors import ToolError
from aworld.tools.base import Attachment
from aworld.tools.desktop.session import DesktopSession, Window

Mode = Literal["screenshot", "a11y_tree", "screenshot_a11y_tree"]
MODES: tuple[Mode, ...] = ("screenshot", "a11y_tree", "screenshot_a11y_tree")

_NS = "{https://accessibility.ubuntu.example.org/ns/"
_POSITION, _SIZE = f"{_NS}component}}screencoord", f"{_NS}component}}size"
_SHOWN_STATES = ("focused", "checked", "selected", "pressed", "expanded")
_MEMORY = re.compile(r" - Memory usage - [\d.]+ [KMG]B$")
"""What the browser adds to the names of its tabs; it differs each time."""
_MOST_ROWS = 250
_MOST_TEXT = 400
_MOST_TERMINAL = 4000
_PLAIN = {
    "filler", "panel", "scroll-pane", "separator", "redundant-object", "split-pane", "unknown",
    "section", "scroll-bar", "viewport", "layered-pane", "root-pane", "application",
    "desktop-frame", "internal-frame", "option-pane", "static", "generic", "table-row", "list",
    "tool-bar", "menu-bar", "page-tab-list", "form", "document-web", "icon",
}  # fmt: skip
"""Roles that say nothing unless the element has a name or a text."""


class Row(NamedTuple):
    """One element: where its middle is, in pixels."""

    role: str
    name: str
    text: str
    states: str
    x: int
    y: int


class View(NamedTuple):
    """The desktop at one moment."""

    text: str
    data: dict[str, Any]
    """`windows`: titles; `screen`: width and height."""
    attachments: tuple[Attachment, ...]
    stable: str
    """What two runs of the same actions share, as far as a desktop allows it."""


async def look(session: DesktopSession, mode: Mode, note: str = "") -> View:
    """The desktop as it is now.

    Raises:
        EnvironmentFault: the desktop is gone.
    """
    windows = await session.windows()
    picture = await session.screenshot() if mode != "a11y_tree" else None
    tree = ""
    if mode != "screenshot":
        try:
            tree = await session.tree()
        except ToolError as error:
            note = f"{note}\nThe accessibility tree could not be read: {error}".strip()
    rows = list(_rows(tree, session)) if tree else []
    parts = [note, _windows(windows, session)]
    if mode != "screenshot":
        parts += [_table(rows), _terminal(tree)]
    attachments = () if picture is None else (Attachment("screen.png", "image/png", picture),)
    return View(
        text="\n".join(part for part in parts if part),
        data={"windows": [w.title for w in windows], "screen": [session.width, session.height]},
        attachments=attachments,
        stable=_stable(windows, rows),
    )


def terminal_text(tree: str) -> str | None:
    """The text of the last terminal in the tree, without blank ends."""
    shown = [e.text or "" for e in _elements(tree) if e.tag == "terminal" and _is_showing(e)]
    if not shown:
        return None
    return "\n".join(line.rstrip() for line in shown[-1].split("\n")).rstrip()


def _elements(tree: str) -> Iterator[ElementTree.Element]:
    if not tree:
        return iter(())
    # Written by our own driver; the characters that XML cannot hold are gone.
    return ElementTree.fromstring(tree).iter()


def _is_showing(element: ElementTree.Element) -> bool:
    return element.get(f"{_NS}state}}showing") == "true"


def _rows(tree: str, session: DesktopSession) -> Iterator[Row]:
    for element in _elements(tree):
        position, size = _pair(element.get(_POSITION)), _pair(element.get(_SIZE))
        if position is None or size is None or min(size) <= 0:
            continue
        name = _MEMORY.sub("", _line(element.get("name") or ""))
        text = "" if element.tag == "terminal" else _line(element.text or "")
        text = "" if text == name else text
        if element.tag in _PLAIN and not name and not text:
            continue
        x, y = position[0] + size[0] // 2, position[1] + size[1] // 2
        if not (0 <= x < session.width and 0 <= y < session.height):
            continue
        states = [s for s in _SHOWN_STATES if element.get(f"{_NS}state}}{s}") == "true"]
        yield Row(element.tag, name, text, ",".join(states), x, y)


def _pair(text: str | None) -> tuple[int, int] | None:
    numbers = re.findall(r"-?\d+", text or "")
    return (int(numbers[0]), int(numbers[1])) if len(numbers) == 2 else None


def _line(text: str) -> str:
    flat = text.replace("\n", "\\n").replace("\t", " ").strip()
    return flat if len(flat) <= _MOST_TEXT else f"{flat[:_MOST_TEXT]}… ({len(flat)} characters)"


def _windows(windows: list[Window], session: DesktopSession) -> str:
    listed = "; ".join(f"{'* ' if w.active else ''}{w.title}" for w in windows) or "none"
    return f"Screen {session.width} x {session.height}. Windows (* active): {listed}"


def _table(rows: list[Row]) -> str:
    lines = ["role\tname\ttext\tstates\tmiddle"]
    lines += [f"{r.role}\t{r.name}\t{r.text}\t{r.states}\t{r.x},{r.y}" for r in rows[:_MOST_ROWS]]
    if len(rows) > _MOST_ROWS:
        lines.append(f"… {len(rows) - _MOST_ROWS} of {len(rows)} elements are left out.")
    return "\n".join(lines)


def _terminal(tree: str) -> str:
    text = terminal_text(tree)
    if text is None:
        return ""
    cut = f"… the last {_MOST_TERMINAL} of {len(text)} characters:\n" * (len(text) > _MOST_TERMINAL)
    return f"Terminal:\n{cut}{text[-_MOST_TERMINAL:]}"


def _stable(windows: list[Window], rows: list[Row]) -> str:
    """Titles, and elements without places, focus and text, which blink, move and tell the time."""
    titles = sorted(window.title for window in windows)
    elements = sorted({f"{row.role}\t{row.name}" for row in rows if row.name})
    return "\n".join([*titles, "", *elements])
