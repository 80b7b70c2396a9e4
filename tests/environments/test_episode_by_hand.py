"""People acting by hand: what they see, what is refused, and that nothing is left behind."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from aworld.environments.base import Action, Verdict
from aworld.environments.by_hand import HandSessions
from aworld.errors import ConfigurationError, EnvironmentFault, ToolError
from aworld.events.action import EnvironmentReset, EnvironmentStepped, EnvironmentVerified
from aworld.tools.failures import MalformedCall
from tests.environments.locked_box import Box, task


@pytest.fixture
def hands(box: type[Box], tmp_path: Path) -> Iterator[HandSessions]:
    made = HandSessions(tmp_path / "by_hand", most=2)
    yield made
    made.shut_down()
    assert all(world.closed for world in box.made)
    assert not any((tmp_path / "by_hand").glob("*"))


def test_a_person_solves_a_task_and_the_journal_says_how(hands: HandSessions) -> None:
    begun = hands.open(task(), by="ann")
    assert begun.observation.text == "The dial is at 0."
    assert [spec.name for spec in begun.actions] == ["turn", "open"]
    hands.step(begun.id, Action("turn", {"clicks": 7}))
    hands.step(begun.id, Action("open"))
    seen = hands.verify(begun.id, "a pearl")
    right = {"open": True, "dial": 7}
    assert seen.verdict == Verdict(1.0, "The box is open and its content named.", right)
    assert seen.journal == (
        EnvironmentReset("box", "boxes/plain"),
        EnvironmentStepped({"name": "turn", "arguments": {"clicks": 7}}),
        EnvironmentStepped({"name": "open", "arguments": {}}),
        EnvironmentVerified(1.0, "The box is open and its content named.", right),
    )


def test_a_reset_begins_the_same_task_anew(hands: HandSessions) -> None:
    begun = hands.open(task())
    hands.step(begun.id, Action("turn", {"clicks": 3}))
    again = hands.reset(begun.id)
    assert (again.id, again.observation.text, again.steps) == (begun.id, "The dial is at 0.", 0)


def test_what_cannot_be_done_leaves_the_episode_as_it_was(hands: HandSessions) -> None:
    id = hands.open(task()).id
    with pytest.raises(ToolError, match="The box is locked"):
        hands.step(id, Action("open"))
    with pytest.raises(MalformedCall, match="does not fit"):
        hands.step(id, Action("turn", {"clicks": "far"}))
    with pytest.raises(ConfigurationError, match="Actions are: turn, open"):
        hands.step(id, Action("kick"))
    assert hands.observe(id).observation.text == "The dial is at 0."


def test_no_more_worlds_are_opened_than_the_machine_is_meant_to_hold(hands: HandSessions) -> None:
    first = hands.open(task())
    hands.open(task())
    with pytest.raises(ConfigurationError, match="2 episodes are open already"):
        hands.open(task())
    hands.close(first.id)
    hands.open(task())


def test_a_world_that_breaks_stays_open_to_be_looked_at_and_takes_nothing_more(
    hands: HandSessions,
) -> None:
    id = hands.open(task(data={"step": "crash"})).id
    for _ in range(2):
        with pytest.raises(EnvironmentFault, match="its author slipped"):
            hands.step(id, Action("turn", {"clicks": 1}))
    assert [view.id for view in hands.views()] == [id]


def test_a_world_that_cannot_be_made_leaves_nothing(hands: HandSessions) -> None:
    with pytest.raises(EnvironmentFault, match="its hinge broke"):
        hands.open(task(data={"reset": "fault"}))
    assert hands.views() == []


def test_two_people_at_once_act_one_after_another(hands: HandSessions) -> None:
    id = hands.open(task()).id
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: hands.step(id, Action("turn", {"clicks": 1})), range(20)))
    seen = hands.observe(id)
    assert (seen.observation.text, seen.steps, len(seen.journal)) == ("The dial is at 20.", 20, 21)


def test_an_episode_that_nobody_uses_is_closed(box: type[Box], tmp_path: Path) -> None:
    hands = HandSessions(tmp_path, idle_s=0.05)
    id = hands.open(task()).id
    closed = threading.Event()
    deadline = time.monotonic() + 20
    while hands.views() and time.monotonic() < deadline:
        closed.wait(0.01)
    with pytest.raises(ConfigurationError, match="Begin the task again"):
        hands.step(id, Action("turn", {"clicks": 1}))
    hands.shut_down()
    assert box.made[0].closed == 1
