"""Mouse and keyboard as arguments of xdotool, which both action spaces come down to."""

from __future__ import annotations

import re
from typing import TypeGuard

from aworld.errors import ToolError
from aworld.tools.desktop.actions.key_names import keysym

Pieces = list[list[str]]
"""Calls of xdotool, or `sleep` and seconds, in order."""

BUTTONS = {"left": "1", "middle": "2", "right": "3"}
MOST_TEXT = 4000
"""Characters typed by one action: the keyboard writes about 200 a second."""
MOST_ODD_TEXT = 800
"""The same with characters beyond ASCII, which take longer."""
MOST_SCROLL = 50
_FARTHEST = 10**6
_TYPED_KEYS = {"\n": "Return", "\t": "Tab"}
_DELAY_MS = "5"
_ODD_DELAY_MS = "40"
"""A character that the keyboard has not needs a moment until all programs know its new key."""


def is_number(value: object) -> TypeGuard[int | float]:
    """Whether it is a number that a screen can have something to do with."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return -_FARTHEST <= value <= _FARTHEST


class Screen:
    """The bounds that a position has to keep."""

    def __init__(self, width: int, height: int) -> None:
        self._width = width
        self._height = height

    def move(self, x: float, y: float) -> Pieces:
        """The pointer to a position in pixels from the top left.

        Raises:
            ToolError: it is off the screen.
        """
        if not (0 <= x < self._width and 0 <= y < self._height):
            raise ToolError(
                f"The position ({x:g}, {y:g}) is off the screen, which is {self._width} x "
                f"{self._height} pixels and starts at (0, 0). Choose one on it."
            )
        return [["mousemove", str(int(x)), str(int(y))]]


def press_button(button: str, times: int = 1) -> Pieces:
    """Click where the pointer is."""
    if not 1 <= times <= 10:
        raise ToolError(f"{times} clicks at once are not possible. Use 1 to 10.")
    return [["click", "--repeat", str(times), "--delay", "60", _button(button)]]


def hold_button(button: str) -> Pieces:
    """Press a button and keep it down."""
    return [["mousedown", _button(button)]]


def release_button(button: str) -> Pieces:
    """Let a button go."""
    return [["mouseup", _button(button)]]


def drag(target: Pieces, button: str = "left") -> Pieces:
    """Pull whatever is under the pointer to where the target's movement leads."""
    pause = [["sleep", "0.1"]]
    # Programs start a drag after some pixels of movement, so it is not made in one jump.
    start = [["mousemove_relative", "--", "4", "4"]]
    hold, release = hold_button(button), release_button(button)
    return [*hold, *pause, *start, *pause, *target, *pause, *target, *pause, *release]


def scroll(horizontal: float, vertical: float) -> Pieces:
    """Turn the wheel by clicks: up and right are positive."""
    pieces: Pieces = []
    for amount, (more, less) in ((vertical, ("4", "5")), (horizontal, ("7", "6"))):
        clicks = min(abs(int(amount)), MOST_SCROLL)
        if clicks:
            wheel = more if amount > 0 else less
            pieces.append(["click", "--repeat", str(clicks), "--delay", "15", wheel])
    return pieces


def type_text(text: str) -> Pieces:
    """Type a text; a line end is the Return key."""
    most = MOST_TEXT if text.isascii() else MOST_ODD_TEXT
    if len(text) > most:
        raise ToolError(
            f"The text has {len(text)} characters; one action types at most {most} of its kind. "
            "Split it."
        )
    if "\0" in text:
        raise ToolError("The text holds a null character, which no key types. Leave it out.")
    if not text:
        return []
    call: list[str] = []
    for part in re.findall(r"[\n\t]|[\x00-\x08\x0b-\x7f]+|[^\x00-\x7f]+", text):
        if part in _TYPED_KEYS:
            # As a character, xdotool gives the key Linefeed, which most programs pass over.
            call += ["key", "--clearmodifiers", _TYPED_KEYS[part]]
        else:
            delay = _DELAY_MS if part.isascii() else _ODD_DELAY_MS
            call += ["type", "--clearmodifiers", "--delay", delay, "--args", "1", "--", part]
    return [call]


def press_keys(names: list[str]) -> Pieces:
    """Press keys together: all down in order, all up in reverse."""
    if not names:
        raise ToolError("No key is named. Give at least one, such as 'enter'.")
    keys = [keysym(name) for name in names]
    down = [["keydown", key] for key in keys]
    return [*down, *([["keyup", key] for key in reversed(keys)])]


def hold_key(name: str) -> Pieces:
    """Press a key and keep it down."""
    return [["keydown", keysym(name)]]


def release_key(name: str) -> Pieces:
    """Let a key go."""
    return [["keyup", keysym(name)]]


def _button(name: str) -> str:
    if name not in BUTTONS:
        raise ToolError(f"There is no mouse button {name!r}. Use left, middle or right.")
    return BUTTONS[name]
