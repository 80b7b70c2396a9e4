"""The actions that agents are offered as tools while an episode lasts."""

from __future__ import annotations

from collections.abc import Sequence

from aworld.environments.base import ActionSpec, Task
from aworld.tools.desktop.actions import computer_13, pyautogui_code
from aworld.tools.desktop.actions.spaces import COMPUTER, PYAUTOGUI

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
