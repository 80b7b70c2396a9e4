"""pyautogui's functions, each as what it does to mouse and keyboard."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from aworld.errors import ToolError
from aworld.tools.desktop.actions import gestures
from aworld.tools.desktop.actions.gestures import Pieces, Screen, is_number

_MOST_SLEEP_S = 20.0


class Call(NamedTuple):
    """A call with its values."""

    name: str
    positional: list[Any]
    named: dict[str, Any]

    def value(self, place: int, name: str, default: Any = None) -> Any:
        """An argument by place or name."""
        if place < len(self.positional):
            return self.positional[place]
        return self.named.get(name, default)

    def number(self, place: int, name: str, default: float | None = None) -> float:
        """An argument that has to be a number."""
        value = self.value(place, name, default)
        if not is_number(value):
            raise ToolError(f"{self.name} needs the number {name!r}, not {value!r}. Give it.")
        return value

    def text(self, place: int, name: str) -> str:
        """An argument that has to be a text."""
        value = self.value(place, name)
        if not isinstance(value, str):
            raise ToolError(f"{self.name} needs the text {name!r}, not {value!r}. Give it.")
        return value

    def texts(self, place: int, name: str) -> list[str]:
        """An argument that is a text or a list of texts."""
        value = self.value(place, name)
        given = [value] if isinstance(value, str) else value
        if not isinstance(given, list) or not all(isinstance(one, str) for one in given):
            raise ToolError(f"{self.name} needs texts, not {value!r}. Give a text or a list.")
        return given


def _there(call: Call, screen: Screen) -> Pieces:
    """To the position in the first two arguments, where there is one; a pair counts too."""
    x, y = call.value(0, "x"), call.value(1, "y")
    if isinstance(x, list) and len(x) == 2:
        return _there(Call(call.name, x, {}), screen)
    if x is None and y is None:
        return []
    return screen.move(call.number(0, "x"), call.number(1, "y"))


def _click(button: str | None, times: int | None) -> Callable[[Call, Screen], Pieces]:
    def pieces(call: Call, screen: Screen) -> Pieces:
        count = times or int(call.number(2, "clicks", 1))
        which = button or str(call.value(4, "button", "left")).lower()
        which = {"primary": "left", "secondary": "right"}.get(which, which)
        return [*_there(call, screen), *gestures.press_button(which, count)]

    return pieces


def _by(call: Call, screen: Screen) -> Pieces:
    x, y = int(call.number(0, "xOffset", 0)), int(call.number(1, "yOffset", 0))
    return [["mousemove_relative", "--", str(x), str(y)]]


def _button_of(call: Call, place: int) -> str:
    return str(call.value(place, "button", "left")).lower()


def _press(call: Call, screen: Screen) -> Pieces:
    presses = int(call.number(1, "presses", 1))
    if not 0 <= presses <= 100:
        raise ToolError(f"{presses} presses at once are not possible. Use at most 100.")
    return [p for _ in range(presses) for k in call.texts(0, "keys") for p in _one_key(k)]


def _one_key(name: str) -> Pieces:
    return gestures.press_keys([name])


def _write(call: Call, screen: Screen) -> Pieces:
    given = call.value(0, "message")
    if isinstance(given, list):
        return [p for key in call.texts(0, "message") for p in _one_key(key)]
    return gestures.type_text(call.text(0, "message"))


def _hotkey(call: Call, screen: Screen) -> Pieces:
    keys = [key for one in call.positional for key in (one if isinstance(one, list) else [one])]
    if not all(isinstance(key, str) for key in keys):
        raise ToolError("hotkey needs names of keys, such as hotkey('ctrl', 's'). Give them.")
    return gestures.press_keys(keys)


def _sleep(call: Call, screen: Screen) -> Pieces:
    return [["sleep", str(max(0.0, min(call.number(0, "secs"), _MOST_SLEEP_S)))]]


def _scroll(horizontal: bool) -> Callable[[Call, Screen], Pieces]:
    def pieces(call: Call, screen: Screen) -> Pieces:
        clicks = call.number(0, "clicks")
        at = Call(call.name, call.positional[1:], call.named)
        turn = gestures.scroll(clicks, 0) if horizontal else gestures.scroll(0, clicks)
        return [*_there(at, screen), *turn]

    return pieces


CALLS: dict[str, Callable[[Call, Screen], Pieces]] = {
    "moveTo": _there,
    "moveRel": _by,
    "move": _by,
    "click": _click(None, None),
    "leftClick": _click("left", 1),
    "rightClick": _click("right", 1),
    "middleClick": _click("middle", 1),
    "doubleClick": _click("left", 2),
    "tripleClick": _click("left", 3),
    "dragTo": lambda c, s: gestures.drag(_there(c, s), _button_of(c, 4)),
    "dragRel": lambda c, s: gestures.drag(_by(c, s), _button_of(c, 4)),
    "drag": lambda c, s: gestures.drag(_by(c, s), _button_of(c, 4)),
    "mouseDown": lambda c, s: [*_there(c, s), *gestures.hold_button(_button_of(c, 2))],
    "mouseUp": lambda c, s: [*_there(c, s), *gestures.release_button(_button_of(c, 2))],
    "scroll": _scroll(horizontal=False),
    "vscroll": _scroll(horizontal=False),
    "hscroll": _scroll(horizontal=True),
    "write": _write,
    "typewrite": _write,
    "press": _press,
    "keyDown": lambda c, s: gestures.hold_key(c.text(0, "key")),
    "keyUp": lambda c, s: gestures.release_key(c.text(0, "key")),
    "hotkey": _hotkey,
    "sleep": _sleep,
}
