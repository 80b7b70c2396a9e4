"""All that can be done with the browser: names, arguments, what is done."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

from aworld.errors import ToolError
from aworld.tools.base import Effect
from aworld.tools.browser import acting, going, looking, transfer
from aworld.tools.browser.outcome import Done, Given
from aworld.tools.browser.session import BrowserSession

Handler = Callable[[BrowserSession, Given], Awaitable[Done]]


class BrowserAction(NamedTuple):
    """One action."""

    handler: Handler
    description: str
    needed: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    effect: Effect = "unsafe"


PARAMETERS: dict[str, dict[str, Any]] = {
    "url": {"type": "string", "description": "Address of a page"},
    "target": {
        "type": "string",
        "description": "An element: its ref (e12) in the view of the page, or its name",
    },
    "to": {"type": "string", "description": "The element to drag to: its ref or name"},
    "text": {"type": "string", "description": "Text to put in, type, wait for or answer with"},
    "submit": {"type": "boolean", "description": "Press Enter afterwards"},
    "options": {
        "type": "array",
        "items": {"type": "string"},
        "minItems": 1,
        "description": "Labels of the options to select",
    },
    "key": {"type": "string", "description": "Enter, Tab, Escape, ArrowDown, Control+a, a"},
    "button": {"enum": ["left", "right", "middle"]},
    "double": {"type": "boolean", "description": "Click twice"},
    "direction": {"enum": ["up", "down", "left", "right"]},
    "pixels": {"type": "integer", "minimum": 1, "maximum": 20_000},
    "x": {"type": "number", "description": "Pixels from the picture's left"},
    "y": {"type": "number", "description": "Pixels from the picture's top"},
    "to_x": {"type": "number"},
    "to_y": {"type": "number"},
    "tab": {"type": "integer", "minimum": 1, "description": "Number of a tab"},
    "paths": {
        "type": "array",
        "items": {"type": "string"},
        "minItems": 1,
        "maxItems": 10,
        "description": "Files of the workspace",
    },
    "seconds": {"type": "number", "minimum": 0, "maximum": 30},
    "offset": {"type": "integer", "minimum": 0, "description": "Show from this character on"},
    "full_page": {"type": "boolean", "description": "The page in its whole length"},
    "accept": {"type": "boolean", "description": "OK (true) or Cancel (false)"},
}

ACTIONS: dict[str, BrowserAction] = {
    "navigate": BrowserAction(going.navigate, "Open an address.", ("url",)),
    "click": BrowserAction(acting.click, "Click an element.", ("target",), ("button", "double")),
    "fill": BrowserAction(
        acting.fill,
        "Put a text into a field, in place of what it holds.",
        ("target", "text"),
        ("submit",),
    ),
    "select": BrowserAction(
        acting.select, "Choose options of a drop-down list.", ("target", "options")
    ),
    "press": BrowserAction(acting.press, "Press a key.", ("key",), ("target",)),
    "type": BrowserAction(
        acting.type_text, "Type where the focus is, or into an element.", ("text",), ("target",)
    ),
    "hover": BrowserAction(acting.hover, "Put the mouse over an element.", ("target",)),
    "scroll": BrowserAction(
        acting.scroll, "Scroll the page or an element.", (), ("direction", "pixels", "target")
    ),
    "drag": BrowserAction(acting.drag, "Drag an element onto another.", ("target", "to")),
    "click_at": BrowserAction(acting.click_at, "Click a point of the picture.", ("x", "y")),
    "drag_at": BrowserAction(
        acting.drag_at, "Drag from a point of the picture to another.", ("x", "y", "to_x", "to_y")
    ),
    "back": BrowserAction(going.back, "Go back by one page."),
    "forward": BrowserAction(going.forward, "Go forward by one page."),
    "reload": BrowserAction(going.reload, "Load the page again."),
    "snapshot": BrowserAction(
        looking.snapshot, "View the page as a tree of elements.", (), ("offset",), "read_only"
    ),
    "text": BrowserAction(
        looking.text,
        "Read the text of the page or of an element.",
        (),
        ("target", "offset"),
        "read_only",
    ),
    "screenshot": BrowserAction(
        looking.screenshot, "Take a picture.", (), ("target", "full_page"), "read_only"
    ),
    "console": BrowserAction(
        looking.console, "What the pages' scripts wrote, and their errors.", effect="read_only"
    ),
    "tabs": BrowserAction(going.tabs, "List the tabs.", effect="read_only"),
    "tab_new": BrowserAction(going.tab_new, "Open a tab.", (), ("url",)),
    "tab_select": BrowserAction(going.tab_select, "Go to a tab.", ("tab",)),
    "tab_close": BrowserAction(going.tab_close, "Close a tab.", (), ("tab",)),
    "upload": BrowserAction(
        transfer.upload, "Give files of the workspace to a field.", ("target", "paths")
    ),
    "download": BrowserAction(
        transfer.download, "Click a link and save the file that it gives.", ("target",)
    ),
    "wait": BrowserAction(going.wait, "Wait, or wait for a text.", (), ("seconds", "text")),
    "dialog": BrowserAction(
        going.dialog, "Answer a dialog that the page opened.", ("accept",), ("text",)
    ),
}


def parameters(action: str) -> dict[str, Any]:
    """JSON Schema of one action's arguments."""
    known = ACTIONS[action]
    return {
        "type": "object",
        "properties": {name: PARAMETERS[name] for name in (*known.needed, *known.optional)},
        "required": list(known.needed),
        "additionalProperties": False,
    }


async def perform(session: BrowserSession, action: str, given: Given) -> Done:
    """Do an action whose arguments have been checked. The session's lock must be held.

    Raises:
        ToolError: it cannot be done; the text says why and what to do.
    """
    if session.dialog is not None and action != "dialog":
        raise ToolError(
            f"The page waits for an answer to its dialog {session.dialog.message[:200]!r}. Use "
            "the action 'dialog' first."
        )
    return await ACTIONS[action].handler(session, given)
