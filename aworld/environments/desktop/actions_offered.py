"""The actions that agents are offered as tools, and what a call of one means."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from aworld.environments.base import Action, ActionSpec, Task
from aworld.environments.desktop.actions import computer_13, pyautogui_code
from aworld.environments.desktop.actions.gestures import Pieces, Screen
from aworld.errors import ToolError

COMPUTER, PYAUTOGUI = "computer", "pyautogui"
ENDING = ("DONE", "FAIL")
"""Signals after which nothing more is done."""
WAIT_S = 2.0

_SPECS = {
    "computer_13": ActionSpec(
        COMPUTER,
        "Use mouse and keyboard of the desktop, one movement a call; gives what is on the screen "
        "then. Say DONE when the task is done, FAIL when it cannot be done at all.",
        computer_13.PARAMETERS,
    ),
    "pyautogui": ActionSpec(
        PYAUTOGUI,
        "Use mouse and keyboard of the desktop by calls of pyautogui, several at once if you like; "
        "gives what is on the screen then. WAIT, DONE and FAIL alone are signals.",
        pyautogui_code.PARAMETERS,
    ),
}


def specs(task: Task) -> Sequence[ActionSpec]:
    """The action space that the task's `action_space` names, or both."""
    named = task.data.get("action_space")
    return (_SPECS[named],) if named in _SPECS else tuple(_SPECS.values())


def pieces_of(action: Action, width: int, height: int) -> Pieces | str:
    """What to do with mouse and keyboard, or one of the signals.

    Raises:
        ToolError: it cannot be done; the text says what can.
    """
    screen = Screen(width, height)
    arguments: dict[str, Any] = action.arguments
    if action.name == COMPUTER:
        return computer_13.pieces_of(arguments, screen)
    if action.name == PYAUTOGUI:
        return pyautogui_code.pieces_of(str(arguments.get("code", "")), screen)
    raise ToolError(f"There is no action {action.name!r}. Use {COMPUTER} or {PYAUTOGUI}.")
