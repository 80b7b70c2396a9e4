"""`aworld env` and `aworld run --task`: what they print, and their exit status."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from aworld.agents.agent import Agent
from aworld.agents.group import MultiAgentGroup
from aworld.command_line.main import main
from aworld.llm.scripted import ScriptedModel
from tests.environments.locked_box import Box, BoxKind, boxes, task
from tests.teams import call

RIGHT: list[Any] = [call("turn", {"clicks": 7}), call("open", {}), "Answer: a pearl"]


@pytest.fixture(autouse=True)
def box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Box]]:
    monkeypatch.setenv("AWORLD_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    with boxes() as kind:
        yield kind


def said(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    status = main(["env", *words])
    return status, capsys.readouterr().out


def test_known_solutions_score_one_and_doing_nothing_scores_zero(
    capsys: pytest.CaptureFixture[str],
) -> None:
    status, text = said(capsys, "oracle", "boxes", "--jobs", "3", "--json")
    proved = json.loads(text)
    assert (status, proved["wrong"]) == (0, 0)
    assert [one["score"] for one in proved["tasks"]] == [1.0, 1.0, None]
    assert [len(one["actions"]) for one in proved["tasks"]] == [3, 3, 3]
    status, text = said(capsys, "nothing", "boxes")
    assert (status, text.splitlines()[-1]) == (0, "3 of 3 as they must be (0)")


@pytest.mark.parametrize("stage", ["reset", "verify", "make"])
def test_a_task_that_breaks_is_named_and_the_status_is_one(
    capsys: pytest.CaptureFixture[str], stage: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = task("broken", data={stage: "crash"})
    monkeypatch.setattr(BoxKind, "tasks", lambda self, suite: (task(), broken))
    status, text = said(capsys, "oracle", "boxes")
    assert status == 1
    assert text.splitlines()[1].startswith("BAD boxes/broken")
    assert text.splitlines()[-1] == "1 of 2 as they must be (1)"


def test_a_known_solution_that_slips_does_not_hide_the_others(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    far = task("far", data={"number": "seven"})
    monkeypatch.setattr(BoxKind, "tasks", lambda self, suite: (far, task()))
    status, text = said(capsys, "oracle", "boxes", "--json")
    first, second = json.loads(text)["tasks"]
    assert (status, second["score"]) == (1, 1.0)
    assert first["error"].startswith("The known solution failed: TypeError")


def test_a_task_is_shown_without_its_answers(capsys: pytest.CaptureFixture[str]) -> None:
    status, text = said(capsys, "show", "boxes/plain", "--json")
    shown = json.loads(text)
    assert (status, "data" in shown) == (0, False)
    assert [action["name"] for action in shown["actions"]] == ["turn", "open"]
    assert "pearl" not in text


def test_a_reset_shows_what_is_seen_at_first(
    capsys: pytest.CaptureFixture[str], box: type[Box]
) -> None:
    status, text = said(capsys, "reset", "boxes/plain")
    assert (status, text) == (0, "The dial is at 0.\n[box.png: image/png, 8 bytes]\n")
    assert box.made[0].closed == 1


def test_what_is_not_there_is_told_in_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["env", "show", "boxes/none"]) == 1
    assert "The suite 'boxes' has no task 'none'" in capsys.readouterr().err


def agent(replies: list[Any], name: str = "solver") -> Agent:
    return Agent(name, ScriptedModel(replies), tools=[])


def test_an_agent_does_a_task_of_an_environment_and_its_result_has_the_score() -> None:
    result = agent(RIGHT).run(environment="boxes/plain")
    assert (result.answer, result.score) == ("Answer: a pearl", 1.0)
    assert result.verdict is not None
    assert result.verdict.details == {"open": True, "dial": 7}


def test_a_group_does_a_task_that_is_given_as_it_stands() -> None:
    group = MultiAgentGroup([agent(RIGHT)])
    assert group.run("Which thing?", environment=task("own")).score == 1.0


def test_a_team_does_a_task_by_command_and_says_its_score(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("aworld.agents.runner.make_model", lambda spec: ScriptedModel(RIGHT))
    team = {"name": "t", "agents": [{"name": "a", "role": "solver", "model": "m", "tools": []}]}
    Path("team.json").write_text(json.dumps(team), encoding="utf-8")
    Path("config.yaml").write_text("models: {m: {provider: scripted}}", encoding="utf-8")
    assert main(["run", "team.json", "--task", "boxes/plain"]) == 0
    told = capsys.readouterr()
    assert told.out == "Answer: a pearl\n"
    assert "Score 1: The box is open and its content named." in told.err
    assert main(["run", "team.json", "--task", "boxes/plain", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["score"] == 1.0
