"""Calls of pyautogui are read and carried out; nothing else of the code is."""

from __future__ import annotations

from pathlib import Path

import pytest

from aworld.errors import ToolError
from aworld.tools.desktop.actions.gestures import Screen
from aworld.tools.desktop.actions.pyautogui_code import pieces_of

SCREEN = Screen(1920, 1080)


def keys(*names: str) -> list[list[str]]:
    return [piece for name in names for piece in (["keydown", name], ["keyup", name])]


@pytest.mark.parametrize(
    ("code", "pieces"),
    [
        (
            "import pyautogui\npyautogui.click(100, y=200, clicks=2, button='right')",
            [["mousemove", "100", "200"], ["click", "--repeat", "2", "--delay", "60", "3"]],
        ),
        ("x, y = 30, 2 * 20 + 1\npyautogui.moveTo(x, y)", [["mousemove", "30", "41"]]),
        ("pyautogui.moveTo((7, 8))", [["mousemove", "7", "8"]]),
        ("pyautogui.move(-5, 0)", [["mousemove_relative", "--", "-5", "0"]]),
        ("pyautogui.press(['tab', 'enter'], presses=1)", keys("Tab", "Return")),
        ("pyautogui.press('down', presses=3)", keys("Down", "Down", "Down")),
        (
            "with pyautogui.hold('shift'):\n    pyautogui.press('left')",
            [["keydown", "Shift_L"], *keys("Left"), ["keyup", "Shift_L"]],
        ),
        (
            "time.sleep(0.5); pyautogui.scroll(-2, 5, 6)",
            [
                ["sleep", "0.5"],
                ["mousemove", "5", "6"],
                ["click", "--repeat", "2", "--delay", "15", "5"],
            ],
        ),
        (
            "pyautogui.PAUSE = 0.1\npyautogui.typewrite('a' + '\\n')",
            [
                [
                    *("type", "--clearmodifiers", "--delay", "5", "--args", "1", "--", "a"),
                    *("key", "--clearmodifiers", "Return"),
                ]
            ],
        ),
        ("", []),
    ],
)
def test_calls_become_movements(code: str, pieces: list[list[str]]) -> None:
    assert pieces_of(code, SCREEN) == pieces


@pytest.mark.parametrize("code", ["DONE", " FAIL \n", "```WAIT```"])
def test_a_signal_may_stand_alone(code: str) -> None:
    assert pieces_of(code, SCREEN) == code.strip().strip("`")


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("pyautogui.click(1, 2", "This is no Python"),
        ("__import__('os').system('touch {marker}')", "not carried out"),
        ("open('{marker}', 'w')", "'open' is not carried out here"),
        ("pyautogui.write(open('{marker}', 'w').name)", "not carried out here: only calls"),
        ("import os; os.system('touch {marker}')", "'os.system' is not carried out"),
        ('exec(\'open("{marker}", "w")\')', "'exec' is not carried out"),
        ('pyautogui.write(f\'{{open("{marker}", "w")}}\')', "not carried out here: only calls"),
        ("for i in range(3):\n    pyautogui.click(i, i)", "without loops"),
        ("pyautogui.screenshot('{marker}')", "'pyautogui.screenshot' is not|'screenshot' is not"),
        ("pyautogui.click(5000, 5)", "off the screen, which is 1920 x 1080"),
        ("pyautogui.scroll(1e999)", "scroll needs the number 'clicks', not inf"),
        ("pyautogui.click(10**400, 1)", "not carried out here"),
        ("pyautogui.write('a' * 10**9)", "not carried out|cannot be calculated"),
        ("pyautogui.write('ab' * 1000000000)", "cannot be calculated with"),
        ("pyautogui.press('a', presses=1000000)", "presses at once are not possible"),
        ("pyautogui.press('a', presses=90);" * 9, "more than 400 things at once"),
        ("pyautogui.moveTo(" + "(" * 900 + "1" + ")" * 900 + ", 2)", "no Python|too deeply"),
        ("pyautogui.moveTo(" + "-" * 5000 + "1, 2)", "no Python|too deeply"),
        ("pyautogui.moveTo(1 / 0, 2)", "divides by zero"),
        ("pyautogui.write('\0')", "no Python|null"),
    ],
)
def test_everything_else_is_refused_and_never_run(code: str, words: str, tmp_path: Path) -> None:
    marker = tmp_path / "run"
    with pytest.raises(ToolError, match=words):
        pieces_of(code.replace("{marker}", str(marker)), SCREEN)
    assert not marker.exists()
