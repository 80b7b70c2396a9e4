"""The two action spaces by the names under which they are offered."""

from __future__ import annotations

from typing import Any

from aworld.errors import ToolError
from aworld.tools.desktop.actions import computer_13, pyautogui_code
from aworld.tools.desktop.actions.gestures import Pieces, Screen

COMPUTER, PYAUTOGUI = "computer", "pyautogui"
ENDING = ("DONE", "FAIL")
"""Signals after which nothing more is done."""
WAIT_S = 2.0


def pieces_of(name: str, arguments: dict[str, Any], width: int, height: int) -> Pieces | str:
    """What to do with mouse and keyboard, or one of the signals.

    Raises:
        ToolError: it cannot be done; the text says what can.
    """
    screen = Screen(width, height)
    if name == COMPUTER:
        return computer_13.pieces_of(arguments, screen)
    if name == PYAUTOGUI:
        return pyautogui_code.pieces_of(str(arguments.get("code", "")), screen)
    raise ToolError(f"There is no action {name!r}. Use {COMPUTER} or {PYAUTOGUI}.")
