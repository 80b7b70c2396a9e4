"""OSWorld's structured actions, as what they do to mouse and keyboard."""

from __future__ import annotations

from typing import Any

import pytest

from aworld.errors import ToolError
from aworld.tools.desktop.actions.computer_13 import pieces_of
from aworld.tools.desktop.actions.gestures import Screen

SCREEN = Screen(1280, 720)


@pytest.mark.parametrize(
    ("action", "pieces"),
    [
        ({"action_type": "MOVE_TO", "x": 3, "y": 4.6}, [["mousemove", "3", "4"]]),
        (
            {"action_type": "CLICK", "x": 10, "y": 20, "button": "right", "num_clicks": 2},
            [["mousemove", "10", "20"], ["click", "--repeat", "2", "--delay", "60", "3"]],
        ),
        ({"action_type": "MOUSE_DOWN"}, [["mousedown", "1"]]),
        ({"action_type": "MOUSE_UP", "button": "middle"}, [["mouseup", "2"]]),
        (
            {"action_type": "SCROLL", "dx": 0, "dy": -3},
            [["click", "--repeat", "3", "--delay", "15", "5"]],
        ),
        ({"action_type": "PRESS", "key": "enter"}, [["keydown", "Return"], ["keyup", "Return"]]),
        (
            {"action_type": "HOTKEY", "keys": ["ctrl", "shift", "a"]},
            [
                *[["keydown", key] for key in ("Control_L", "Shift_L", "a")],
                *[["keyup", key] for key in ("a", "Shift_L", "Control_L")],
            ],
        ),
        # As OSWorld's own agents write it.
        (
            {"action_type": "TYPING", "parameters": {"text": "-x 'y'"}},
            [["type", "--clearmodifiers", "--delay", "5", "--args", "1", "--", "-x 'y'"]],
        ),
    ],
)
def test_an_action_is_carried_out_by_these_movements(
    action: dict[str, Any], pieces: list[list[str]]
) -> None:
    assert pieces_of(action, SCREEN) == pieces


@pytest.mark.parametrize("signal", ["WAIT", "DONE", "FAIL"])
def test_a_signal_moves_nothing(signal: str) -> None:
    assert pieces_of({"action_type": signal}, SCREEN) == signal


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ({"action_type": "FLY"}, "There is no action type 'FLY'"),
        ({}, "There is no action type ''"),
        ({"action_type": "CLICK", "x": 1280, "y": 0}, "off the screen, which is 1280 x 720"),
        ({"action_type": "CLICK", "x": -1, "y": 0}, "off the screen"),
        ({"action_type": "CLICK", "x": 5}, "CLICK needs 'y', a number"),
        ({"action_type": "MOVE_TO", "x": "5", "y": 5}, "MOVE_TO needs 'x', a number"),
        ({"action_type": "SCROLL", "dy": float("inf")}, "SCROLL needs 'dy', a number"),
        ({"action_type": "SCROLL", "dy": float("nan")}, "SCROLL needs 'dy', a number"),
        ({"action_type": "CLICK", "num_clicks": 10**9}, "clicks at once|needs 'num_clicks'"),
        ({"action_type": "PRESS", "key": "entre"}, "no key 'entre'. Did you mean 'enter'"),
        ({"action_type": "HOTKEY", "keys": "ctrl+s"}, "HOTKEY needs 'keys', a list"),
        ({"action_type": "TYPING", "text": "a" * 5000}, "types at most 4000"),
        ({"action_type": "TYPING", "text": "a\0b"}, "null character"),
    ],
)
def test_what_cannot_be_done_is_said(action: dict[str, Any], words: str) -> None:
    with pytest.raises(ToolError, match=words):
        pieces_of(action, SCREEN)
