"""An episode of GAIA: the prompt, the file, the verdict."""

from __future__ import annotations

import filecmp
from pathlib import Path

import pytest

from aworld.environments.base import Action, Place, Task, Verdict
from aworld.environments.episode import Episode
from aworld.environments.gaia import KIND
from aworld.environments.gaia.environment import PROMPT
from aworld.errors import EnvironmentFault, ToolError
from tests.environments.gaia.data_sets import row, write_jsonl


def place(folder: Path) -> Place:
    return Place(folder / "workspace", folder / "private")


def only(folder: Path) -> Task:
    (task,) = KIND.read(folder)
    return task


async def test_the_team_sees_the_official_prompt_and_gets_the_file(tmp_path: Path) -> None:
    data = tmp_path / "data"
    write_jsonl(data, row("a", file_name="a.csv"))
    (data / "a.csv").write_bytes(b"x,y\n")
    episode = Episode(only(data), place(tmp_path))
    first = await episode.reset()
    assert first.text.startswith(PROMPT)
    assert "FINAL ANSWER: [YOUR FINAL ANSWER]" in first.text
    assert first.data == {"file": "a.csv"}
    assert filecmp.cmp(data / "a.csv", tmp_path / "workspace" / "a.csv", shallow=False)
    assert sorted(entry.name for entry in (tmp_path / "workspace").iterdir()) == ["a.csv"]
    await episode.close()


async def test_a_file_that_is_a_link_into_a_cache_is_copied(tmp_path: Path) -> None:
    blobs, data = tmp_path / "blobs", tmp_path / "snapshots"
    blobs.mkdir()
    (blobs / "0ab1").write_bytes(b"content")
    write_jsonl(data, row("a", file_name="a.bin"))
    (data / "a.bin").symlink_to(blobs / "0ab1")
    episode = Episode(only(data), place(tmp_path))
    await episode.reset()
    copied = tmp_path / "workspace" / "a.bin"
    assert copied.read_bytes() == b"content"
    assert not copied.is_symlink()
    await episode.close()


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        (
            "I added them.\nFINAL ANSWER: 1,700",
            Verdict(
                1.0,
                "Compared as numbers, exactly: the answer '1,700' reads as 1700, the truth is "
                "1700.",
                {"answer": "1,700"},
            ),
        ),
        (
            "<think>FINAL ANSWER: 1700?</think>**Final answer:** 1700 kg",
            Verdict(
                0.0,
                "Compared as numbers, exactly: the answer '1700 kg' is no number without $, % "
                "and commas, so it counts as inf, the truth is 1700.",
                {"answer": "1700 kg"},
                "Nearly right: a unit or other words around the number.",
            ),
        ),
        ("1700", Verdict(1.0, "", {"answer": "1700"})),
        ("FINAL ANSWER: 12\nNo, wait.\nFINAL ANSWER: 1700\n", Verdict(1.0, "", {"answer": "1700"})),
        ("FINAL ANSWER: 1700\nFINAL ANSWER:", Verdict(1.0, "", {"answer": "1700"})),
        ("", Verdict(0.0, "", {"answer": ""})),
    ],
)
async def test_what_follows_final_answer_is_scored_by_the_official_rules(
    tmp_path: Path, answer: str, verdict: Verdict
) -> None:
    write_jsonl(tmp_path, row("a", **{"Final answer": "1700"}))
    episode = Episode(only(tmp_path), place(tmp_path))
    await episode.reset()
    found = await episode.verify(answer)
    assert (found.score, found.details) == (verdict.score, verdict.details)
    if verdict.why:
        assert found == verdict
    await episode.close()


async def test_a_task_of_the_test_split_gets_no_score(tmp_path: Path) -> None:
    write_jsonl(tmp_path, row("a", **{"Final answer": "?"}))
    task = only(tmp_path)
    assert KIND.oracle(task) is None
    verdict = await KIND.make(task, place(tmp_path)).verify("FINAL ANSWER: ?")
    assert verdict.score is None
    assert "not public" in verdict.why


async def test_a_missing_file_is_a_fault_and_not_a_wrong_answer(tmp_path: Path) -> None:
    write_jsonl(tmp_path, row("a", file_name="gone.pdf"))
    episode = Episode(only(tmp_path), place(tmp_path))
    with pytest.raises(EnvironmentFault, match=r"gone\.pdf"):
        await episode.reset()


async def test_a_pointer_of_git_lfs_is_told_from_the_file(tmp_path: Path) -> None:
    write_jsonl(tmp_path, row("a", file_name="a.pdf"))
    (tmp_path / "a.pdf").write_bytes(b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n")
    episode = Episode(only(tmp_path), place(tmp_path))
    with pytest.raises(EnvironmentFault, match="Run git lfs pull"):
        await episode.reset()


async def test_there_is_nothing_to_act_on(tmp_path: Path) -> None:
    write_jsonl(tmp_path, row("a"))
    environment = KIND.make(only(tmp_path), place(tmp_path))
    assert KIND.action_specs(environment.task) == ()
    with pytest.raises(ToolError, match="no action 'click'"):
        await environment.step(Action("click"))


async def test_a_link_in_the_files_place_is_not_written_through(tmp_path: Path) -> None:
    blobs, data, workspace = tmp_path / "blobs", tmp_path / "snapshots", tmp_path / "workspace"
    blobs.mkdir()
    workspace.mkdir()
    (blobs / "0ab1").write_bytes(b"content")
    (tmp_path / "of_the_machine").write_bytes(b"kept")
    write_jsonl(data, row("a", file_name="a.bin"))
    (data / "a.bin").symlink_to(blobs / "0ab1")
    (workspace / "a.bin").symlink_to(tmp_path / "of_the_machine")
    episode = Episode(only(data), place(tmp_path))
    await episode.reset()
    await episode.close()
    assert (workspace / "a.bin").read_bytes() == b"content"
    assert (tmp_path / "of_the_machine").read_bytes() == b"kept"
