"""A person tries tools out: state between calls, time limits, cancelling, and nothing left."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from aworld.errors import ConfigurationError, NotFound
from aworld.tools import registry
from aworld.tools.base import Attachment, BaseTool
from aworld.tools.trials import ToolTrials


@pytest.fixture
def trials(tmp_path: Path) -> Iterator[ToolTrials]:
    """Scratch folders in a folder that is gone afterwards."""
    made = ToolTrials(tmp_path / "scratch", most=2)
    yield made
    made.shut_down()


def test_a_call_gives_text_and_data_and_says_how_long_it_took(trials: ToolTrials) -> None:
    id = trials.open(by="ada")
    outcome = trials.call(id, "calculator", {"expression": "23*47"}, by="ada")
    assert (outcome.number, outcome.ok, outcome.text) == (1, True, "1081")
    assert outcome.seconds >= 0


def test_calls_of_one_folder_share_its_files_and_a_closed_one_leaves_none(
    trials: ToolTrials, tmp_path: Path
) -> None:
    id = trials.open(by="ada")
    trials.call(id, "files", {"action": "write", "path": "a.txt", "text": "kept"}, by="ada")
    read = trials.call(id, "files", {"action": "read", "path": "a.txt"}, by="ada")
    assert "kept" in read.text
    trials.close(id, by="ada")
    assert list((tmp_path / "scratch").iterdir()) == []
    with pytest.raises(NotFound, match="is gone"):
        trials.call(id, "files", {"action": "read", "path": "a.txt"}, by="ada")


def test_what_a_tool_refuses_is_an_outcome_with_its_reason(trials: ToolTrials) -> None:
    id = trials.open()
    wrong = trials.call(id, "calculator", {"expresion": "1"})
    assert (wrong.ok, wrong.reason) == (False, "malformed_call")
    divided = trials.call(id, "calculator", {"expression": "1/0"})
    assert (divided.ok, divided.reason) == (False, "error")


def test_another_person_can_neither_call_nor_close_it(trials: ToolTrials) -> None:
    id = trials.open(by="ada")
    for act in (
        lambda: trials.call(id, "calculator", {"expression": "1"}, by="eve"),
        lambda: trials.close(id, by="eve"),
        lambda: trials.cancel(id, by="eve"),
    ):
        with pytest.raises(NotFound):
            act()


def test_no_more_folders_than_agreed_are_open(trials: ToolTrials) -> None:
    first = trials.open()
    trials.open()
    with pytest.raises(ConfigurationError, match="2 tools are being tried out"):
        trials.open()
    trials.close(first)
    trials.open()


def test_a_long_call_stops_at_its_limit(trials: ToolTrials) -> None:
    id = trials.open()
    outcome = trials.call(id, "shell", {"command": "sleep 60"}, timeout_s=0.5)
    assert (outcome.ok, outcome.reason) == (False, "timeout")


def test_a_long_call_is_cancelled_and_meanwhile_no_second_begins(trials: ToolTrials) -> None:
    id = trials.open()
    ended = []
    worker = threading.Thread(
        target=lambda: ended.append(trials.call(id, "shell", {"command": "sleep 60"}))
    )
    worker.start()
    until = time.monotonic() + 20
    while True:
        try:
            trials.call(id, "calculator", {"expression": "1"})
        except ConfigurationError as error:
            assert "goes on here already" in str(error)
            break
        assert time.monotonic() < until
    trials.cancel(id)
    worker.join(20)
    assert [one.reason for one in ended] == ["cancelled"]
    assert trials.call(id, "calculator", {"expression": "1+1"}).text == "2"


class Draws(BaseTool, register=False):
    """Draws a dot."""

    def get_schema(self) -> dict[str, Any]:
        """No arguments."""
        return {"type": "object", "properties": {}}

    def run(self) -> Attachment:
        """A file that says it is a picture."""
        return Attachment("dot.png", "image/png", b"a dot")


@pytest.fixture
def draws() -> Iterator[None]:
    """The tool, known while the test lasts."""
    registry.register(Draws())
    yield
    registry.unregister("draws")


def test_a_picture_can_be_fetched_until_ten_calls_later(trials: ToolTrials, draws: None) -> None:
    id = trials.open()
    drawn = trials.call(id, "draws", {})
    assert trials.file(id, 1, 0) == drawn.attachments[0]
    for _ in range(10):
        trials.call(id, "calculator", {"expression": "1"})
    with pytest.raises(NotFound, match="no file 0 any more"):
        trials.file(id, 1, 0)


def test_what_nobody_uses_is_ended(tmp_path: Path) -> None:
    trials = ToolTrials(tmp_path, idle_s=0.2)
    id = trials.open()
    until = time.monotonic() + 10
    with pytest.raises(NotFound):
        while time.monotonic() < until:
            trials.cancel(id)
            time.sleep(0.05)
    trials.shut_down()
