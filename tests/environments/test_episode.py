"""One episode against environments that break every promise, and tasks that mean harm."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from aworld.environments import registry
from aworld.environments.action_tool import specs_of
from aworld.environments.base import (
    Action,
    ActionSpec,
    Environment,
    EnvironmentKind,
    Observation,
    Place,
    Task,
    Verdict,
)
from aworld.environments.episode import MOST_CHARACTERS, Episode, observation_hash
from aworld.errors import ConfigurationError, EnvironmentFault
from tests.environments.locked_box import ACTIONS, Box, task


class Liar(Environment):
    """Gives whatever the task's data holds."""

    def __init__(self, task: Task, place: Place, gives: Mapping[str, Any]) -> None:
        super().__init__(task, place)
        self._gives = gives

    async def reset(self) -> Observation:
        return self._seen("reset")

    async def observe(self) -> Observation:
        return self._seen("observe")

    async def step(self, action: Action) -> Observation:
        if self._gives.get("cancels"):
            raise asyncio.CancelledError
        return self._seen("step")

    async def verify(self, answer: str) -> Verdict:
        verdict: Verdict = self._gives.get("verify", Verdict(1.0, "fine"))
        return verdict

    async def close(self) -> None:
        return None

    def _seen(self, stage: str) -> Observation:
        seen: Observation = self._gives.get(stage, Observation("ready"))
        return seen


class LiarKind(EnvironmentKind):
    name, title, description = "liar", "Liars", "Break every promise."

    def __init__(self, **gives: Any) -> None:
        self.gives = gives

    def suites(self) -> Mapping[str, str]:
        return {}

    def tasks(self, suite: str) -> Iterable[Task]:
        return ()

    def read(self, path: Path) -> Iterable[Task]:
        return ()

    def make(self, task: Task, place: Place) -> Environment:
        return Liar(task, place, self.gives)

    def action_specs(self, task: Task) -> Sequence[ActionSpec]:
        specs: Sequence[ActionSpec] = self.gives.get("specs", ACTIONS)
        return specs


def lie(tmp_path: Path, **gives: Any) -> Episode:
    registry.register(LiarKind(**gives))
    return Episode(Task("l", "liar", "lies", "?"), place(tmp_path))


def place(tmp_path: Path) -> Place:
    return Place(tmp_path / "workspace", tmp_path / "private")


@pytest.fixture(autouse=True)
def no_liar_afterwards() -> Iterable[None]:
    yield
    registry.unregister("liar")


@pytest.mark.parametrize("score", [1.5, -0.1, math.nan, math.inf])
async def test_a_score_that_is_none_is_a_fault_and_no_verdict(tmp_path: Path, score: float) -> None:
    episode = lie(tmp_path, verify=Verdict(score, "?"))
    await episode.reset()
    with pytest.raises(EnvironmentFault, match="which is not within 0 to 1"):
        await episode.verify("")


@pytest.mark.parametrize("data", [object(), 2**70, {"half": "\ud800"}])
async def test_what_no_log_can_keep_is_a_fault(tmp_path: Path, data: Any) -> None:
    with pytest.raises(EnvironmentFault, match="its observation's data are no JSON"):
        await lie(tmp_path, reset=Observation("", data)).reset()
    episode = lie(tmp_path, verify=Verdict(1.0, "", {"found": data}))
    await episode.reset()
    with pytest.raises(EnvironmentFault, match="its details are no JSON"):
        await episode.verify("")


async def test_a_huge_observation_is_cut_and_says_so_and_its_hash_is_of_the_whole(
    tmp_path: Path,
) -> None:
    first, second = (Observation("x" * 10_000_000 + end) for end in "ab")
    seen = await lie(tmp_path, reset=first).reset()
    other = await lie(tmp_path, reset=second).reset()
    assert seen.text.endswith(f"… cut: {MOST_CHARACTERS} of 10000001 characters are shown.")
    assert observation_hash(seen) == observation_hash(first) != observation_hash(other)


async def test_half_a_character_becomes_a_question_mark(tmp_path: Path) -> None:
    assert (await lie(tmp_path, reset=Observation("a\ud800b")).reset()).text == "a?b"


async def test_an_environment_that_cancels_itself_breaks_and_does_not_end_the_run(
    tmp_path: Path,
) -> None:
    episode = lie(tmp_path, cancels=True)
    await episode.reset()
    with pytest.raises(EnvironmentFault, match="it was cancelled from within"):
        await episode.step(Action("turn"))
    with pytest.raises(EnvironmentFault, match="it was cancelled from within"):
        await episode.observe()


async def test_closing_twice_closes_once_and_a_close_that_hangs_is_given_up(
    box: type[Box], tmp_path: Path
) -> None:
    episode = Episode(task(data={"close": "hang"}), place(tmp_path))
    await episode.reset()
    await episode.close()
    await episode.close()
    assert box.made[0].closed == 1
    with pytest.raises(EnvironmentFault, match="is closed. Reset it first"):
        await episode.step(Action("turn", {"clicks": 1}))


async def test_a_tasks_files_are_laid_out_in_the_workspace(box: type[Box], tmp_path: Path) -> None:
    files = tmp_path / "files"
    (files / "deep").mkdir(parents=True)
    (files / "deep" / "note.txt").write_text("hello", encoding="utf-8")
    episode = Episode(task(folder=str(files), files=("deep/note.txt",)), place(tmp_path))
    await episode.reset()
    assert (tmp_path / "workspace" / "deep" / "note.txt").read_text(encoding="utf-8") == "hello"
    await episode.close()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("../secret", "lies outside its folder"),
        ("/etc/passwd", "lies outside its folder"),
        ("link", "lies outside its folder"),
        ("none.txt", "is missing in"),
    ],
)
async def test_a_file_from_elsewhere_or_nowhere_is_refused(
    box: type[Box], tmp_path: Path, name: str, said: str
) -> None:
    files = tmp_path / "files"
    files.mkdir()
    (tmp_path / "secret").write_text("s", encoding="utf-8")
    (files / "link").symlink_to(tmp_path / "secret")
    episode = Episode(task(folder=str(files), files=(name,)), place(tmp_path))
    with pytest.raises(EnvironmentFault, match=said):
        await episode.reset()


async def test_no_file_is_written_through_a_link_that_was_left_in_the_workspace(
    box: type[Box], tmp_path: Path
) -> None:
    files, outside = tmp_path / "files", tmp_path / "outside"
    for folder in (files / "deep", outside, tmp_path / "workspace"):
        folder.mkdir(parents=True)
    for name in ("note.txt", "deep/note.txt"):
        (files / name).write_text("new", encoding="utf-8")
    (outside / "note.txt").write_text("old", encoding="utf-8")
    (tmp_path / "workspace" / "note.txt").symlink_to(outside / "note.txt")
    (tmp_path / "workspace" / "deep").symlink_to(outside)
    episode = Episode(task(folder=str(files), files=("deep/note.txt",)), place(tmp_path))
    with pytest.raises(EnvironmentFault, match="leads out of the workspace"):
        await episode.reset()
    await Episode(task(folder=str(files), files=("note.txt",)), place(tmp_path)).reset()
    assert (outside / "note.txt").read_text(encoding="utf-8") == "old"


async def test_two_actions_of_one_name_are_refused(tmp_path: Path) -> None:
    episode = lie(tmp_path, specs=(*ACTIONS, *ACTIONS))
    with pytest.raises(ConfigurationError, match="has two actions of one name"):
        specs_of(episode.task)


async def test_time_that_a_run_does_not_run_is_no_contest_time(
    box: type[Box], tmp_path: Path
) -> None:
    clock = [0.0]
    episode = Episode(task(seconds=10.0), place(tmp_path), running_s=lambda: clock[0])
    await episode.reset()
    clock[0] = 9.9
    await episode.step(Action("turn", {"clicks": 1}))
    clock[0] = 10.0
    with pytest.raises(Exception, match="The task's 10 s are over"):
        await episode.step(Action("turn", {"clicks": 1}))
    await episode.close()
