"""`aworld run` asks at the terminal, and refuses where there is none."""

from __future__ import annotations

import asyncio
import os
import pty
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from aworld.agents.team import read_team
from aworld.command_line._people import Terminal, at_hand
from aworld.command_line.run import _with_approval
from aworld.errors import ConfigurationError
from aworld.events.conversation import Approval, PersonAnswered, PersonAsked
from aworld.events.union import Event, draft
from aworld.runtime.nobody import nobody_at_hand
from tests.teams import SOLVER

ASKED = PersonAsked(
    "w wants to call shell. Allow it?",
    ("allow", "allow always", "deny"),
    agent="w",
    approval=Approval(7, "shell", {"command": "ls \x1b[2J"}),
)


def asked(payload: PersonAsked = ASKED) -> Event:
    """A question of a run."""
    return draft("r", "supervisor", payload)


class Keyboard:
    """A terminal that a test types at."""

    def __init__(self) -> None:
        self.master, self.slave = pty.openpty()
        self.stdin = os.fdopen(self.slave, "r", encoding="utf-8")

    def types(self, text: str) -> None:
        """Press keys."""
        os.write(self.master, text.encode())


@pytest.fixture
def keyboard(monkeypatch: pytest.MonkeyPatch) -> Iterator[Keyboard]:
    """Stands for the one at which the command was started."""
    made = Keyboard()
    monkeypatch.setattr("sys.stdin", made.stdin)
    yield made
    made.stdin.close()
    os.close(made.master)


async def test_the_answer_is_typed_and_asked_again_until_it_can_be_read(
    keyboard: Keyboard, capsys: pytest.CaptureFixture[str]
) -> None:
    keyboard.types("perhaps\ndeny: no ls\n")
    answered = await Terminal()(asked())
    assert answered == PersonAnswered("deny: no ls", by="terminal")
    shown = capsys.readouterr().err
    assert "w: w wants to call shell. Allow it?" in shown
    assert "'perhaps' neither allows nor denies." in shown
    assert "\x1b" not in shown


async def test_a_question_that_is_answered_elsewhere_leaves_the_keyboard_to_the_next(
    keyboard: Keyboard,
) -> None:
    terminal = Terminal()
    first = asyncio.ensure_future(terminal(asked()))
    second = asyncio.ensure_future(terminal(asked()))
    await asyncio.sleep(0)
    first.cancel()
    keyboard.types("allow\n")
    assert await second == PersonAnswered("allow", by="terminal")


async def test_without_a_terminal_approval_is_refused_and_said(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with Path(os.devnull).open(encoding="utf-8") as nothing:
        monkeypatch.setattr("sys.stdin", nothing)
        assert at_hand() is nobody_at_hand
    answered = await nobody_at_hand(asked())
    assert answered.answer.startswith("deny: Nobody can be asked")
    assert "w asks about 'shell'" in capsys.readouterr().err
    default = await nobody_at_hand(asked(PersonAsked("Red?", default="yes")))
    assert default.answer == "yes"


@pytest.mark.parametrize(
    ("wanted", "policy"),
    [
        ([], {}),
        (["always"], {"mode": "always"}),
        (["shell", "files(write *)"], {"mode": "pattern", "patterns": ("shell", "files(write *)")}),
        (["always", "look"], {"mode": "always", "patterns": ("look",)}),
    ],
)
def test_the_command_line_says_which_calls_wait(wanted: list[str], policy: dict[str, Any]) -> None:
    approval = _with_approval(read_team(SOLVER), wanted).approval
    assert {name: getattr(approval, name) for name in policy} == policy


@pytest.mark.parametrize("wanted", [["never", "shell"], ["shel"], ["rm -rf"]])
def test_what_cannot_be_meant_is_refused(wanted: list[str]) -> None:
    with pytest.raises(ConfigurationError, match="approve"):
        _with_approval(read_team(SOLVER), wanted)
