"""OSWorld's structured action space: thirteen movements of mouse and keys, three signals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from aworld.errors import ToolError
from aworld.tools.desktop.actions import gestures
from aworld.tools.desktop.actions.gestures import Pieces, Screen, is_number

SIGNALS = ("WAIT", "DONE", "FAIL")
MOVEMENTS = (
    "MOVE_TO", "CLICK", "MOUSE_DOWN", "MOUSE_UP", "RIGHT_CLICK", "DOUBLE_CLICK", "DRAG_TO",
    "SCROLL", "TYPING", "PRESS", "KEY_DOWN", "KEY_UP", "HOTKEY",
)  # fmt: skip

PARAMETERS: dict[str, Any] = {
    "type": "object",
    "properties": {
        "action_type": {
            "type": "string",
            "enum": [*MOVEMENTS, *SIGNALS],
            "description": (
                "MOVE_TO, DRAG_TO x y; CLICK [x y] [button] [num_clicks]; RIGHT_CLICK, "
                "DOUBLE_CLICK [x y]; MOUSE_DOWN, MOUSE_UP [button]; SCROLL dx dy (wheel clicks, up "
                "and right positive); TYPING text; PRESS, KEY_DOWN, KEY_UP key; HOTKEY keys; "
                "WAIT; DONE when the task is done; FAIL when it cannot be done at all."
            ),
        },
        "x": {"type": "number", "description": "Pixels from the left."},
        "y": {"type": "number", "description": "Pixels from the top."},
        "button": {"type": "string", "enum": ["left", "middle", "right"]},
        "num_clicks": {"type": "integer", "minimum": 1, "maximum": 3},
        "dx": {"type": "integer"},
        "dy": {"type": "integer"},
        "text": {"type": "string"},
        "key": {"type": "string", "description": "Such as enter, tab, esc, f2, a."},
        "keys": {
            "type": "array",
            "items": {"type": "string"},
            "description": "Pressed together, such as ['ctrl', 's'].",
        },
    },
    "required": ["action_type"],
}


def pieces_of(arguments: dict[str, Any], screen: Screen) -> Pieces | str:
    """What to do, or one of the signals. OSWorld's nested `parameters` are read too.

    Raises:
        ToolError: the action lacks something or cannot be done; the text says what to give.
    """
    given = {**arguments, **(arguments.get("parameters") or {})}
    kind = str(given.get("action_type", "")).upper()
    if kind in SIGNALS:
        return kind
    if kind not in _HANDLERS:
        raise ToolError(
            f"There is no action type {kind!r}. Use one of {', '.join([*MOVEMENTS, *SIGNALS])}."
        )
    return _HANDLERS[kind](_Fields(kind, given), screen)


class _Fields:
    """The arguments of one action, with words for those that are missing."""

    def __init__(self, kind: str, given: dict[str, Any]) -> None:
        self._kind = kind
        self._given = given

    def text(self, name: str) -> str:
        value = self._given.get(name)
        if not isinstance(value, str):
            raise ToolError(f"{self._kind} needs {name!r}, a text. Give it.")
        return value

    def number(self, name: str, default: float | None = None) -> float:
        value = self._given.get(name, default)
        if not is_number(value):
            raise ToolError(f"{self._kind} needs {name!r}, a number. Give it.")
        return value

    def keys(self) -> list[str]:
        value = self._given.get("keys")
        if not isinstance(value, list) or not all(isinstance(key, str) for key in value):
            raise ToolError(f"{self._kind} needs 'keys', a list such as ['ctrl', 's']. Give it.")
        return value

    def button(self) -> str:
        return str(self._given.get("button") or "left")

    def there(self, screen: Screen) -> Pieces:
        """To the position, where one is named."""
        if self._given.get("x") is None and self._given.get("y") is None:
            return []
        return screen.move(self.number("x"), self.number("y"))


_Handler = Callable[[_Fields, Screen], Pieces]
_HANDLERS: dict[str, _Handler] = {
    "MOVE_TO": lambda f, s: s.move(f.number("x"), f.number("y")),
    "CLICK": lambda f, s: [
        *f.there(s),
        *gestures.press_button(f.button(), int(f.number("num_clicks", 1))),
    ],
    "MOUSE_DOWN": lambda f, s: gestures.hold_button(f.button()),
    "MOUSE_UP": lambda f, s: gestures.release_button(f.button()),
    "RIGHT_CLICK": lambda f, s: [*f.there(s), *gestures.press_button("right")],
    "DOUBLE_CLICK": lambda f, s: [*f.there(s), *gestures.press_button("left", 2)],
    "DRAG_TO": lambda f, s: gestures.drag(s.move(f.number("x"), f.number("y"))),
    "SCROLL": lambda f, s: [*f.there(s), *gestures.scroll(f.number("dx", 0), f.number("dy", 0))],
    "TYPING": lambda f, s: gestures.type_text(f.text("text")),
    "PRESS": lambda f, s: gestures.press_keys([f.text("key")]),
    "KEY_DOWN": lambda f, s: gestures.hold_key(f.text("key")),
    "KEY_UP": lambda f, s: gestures.release_key(f.text("key")),
    "HOTKEY": lambda f, s: gestures.press_keys(f.keys()),
}
