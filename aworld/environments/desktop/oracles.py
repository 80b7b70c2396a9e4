"""Known solutions of the shipped tasks, by mouse and keyboard on the real programs."""

from __future__ import annotations

import asyncio
import re

from aworld.environments.base import Action, Environment, Observation, Oracle, Task
from aworld.tools.desktop.actions.spaces import COMPUTER, PYAUTOGUI


class Hands(Oracle):
    """Carries out a list of pyautogui calls, one action each. `CLICK name` clicks the middle of an
    element by its name or text in the observation."""

    def __init__(self, *codes: str, end: str = "DONE") -> None:
        self._codes = codes
        self._end = end

    async def solve(self, environment: Environment, first: Observation) -> str:
        """Act, and say the last signal."""
        seen = first
        for code in self._codes:
            if code.startswith("CLICK "):
                seen = await _click(environment, seen, code.removeprefix("CLICK "))
            else:
                seen = await environment.step(Action(PYAUTOGUI, {"code": code}))
        await environment.step(Action(COMPUTER, {"action_type": self._end}))
        return ""


async def _click(environment: Environment, seen: Observation, name: str) -> Observation:
    """Click an element; a program that was slow to show it is looked at again."""
    for _ in range(10):
        row = rf"^[\w-]+\t(?:{re.escape(name)}\t.*|\t{re.escape(name)}\t.*)\t(\d+),(\d+)$"
        found = re.search(row, seen.text, re.MULTILINE)
        if found is not None:
            place = {"x": int(found[1]), "y": int(found[2])}
            return await environment.step(Action(COMPUTER, {"action_type": "CLICK", **place}))
        await asyncio.sleep(0.3)
        seen = await environment.observe()
    raise AssertionError(f"The desktop shows no {name!r}:\n{seen.text}")


_SOLUTIONS = {
    "rename-report": Hands(
        "CLICK draft.txt",
        "pyautogui.press('f2'); time.sleep(0.5); pyautogui.hotkey('ctrl', 'a')",
        "pyautogui.write('final.txt'); pyautogui.press('enter')",
        "pyautogui.hotkey('ctrl', 'shift', 'n'); time.sleep(0.5)",
        "pyautogui.hotkey('ctrl', 'a'); pyautogui.write('archive'); pyautogui.press('enter')",
    ),
    "replace-spelling": Hands(
        "pyautogui.hotkey('ctrl', 'r'); time.sleep(0.5)",
        "pyautogui.hotkey('ctrl', 'a'); pyautogui.write('colour')",
        "CLICK Replace with:",
        "pyautogui.press('tab')",
        "pyautogui.write('color')",
        "CLICK Replace all in:",
        "CLICK Replace All",
        "CLICK Close",
        "pyautogui.hotkey('ctrl', 's')",
    ),
    "total-boxes": Hands(
        "pyautogui.hotkey('ctrl', 'home'); pyautogui.press('down', presses=6)",
        "pyautogui.write('Total\\t=SUM(B2:B6)\\n')",
        "pyautogui.hotkey('ctrl', 's'); time.sleep(1)",
    ),
    "find-cheapest-crossing": Hands(
        "CLICK Noon crossing",
        "time.sleep(0.5); pyautogui.hotkey('ctrl', 'd'); time.sleep(0.7)",
        "pyautogui.press('enter')",
    ),
    "count-errors": Hands(
        'pyautogui.write("awk \'$2 == \\"ERROR\\"\' server.log | wc -l > Desktop/errors.txt\\n")',
    ),
    "make-plain-text-bold": Hands(end="FAIL"),
}


def oracle_of(task: Task) -> Oracle | None:
    """The solution of a shipped task."""
    return _SOLUTIONS.get(task.id)
