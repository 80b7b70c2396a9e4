"""Runs of an environment's task, from the browser: queued, shown, forked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from aworld.llm.base import ModelRequest
from aworld.llm.scripted import ScriptedModel
from aworld.storage.base import Store
from tests.apps.debugger import Debugger
from tests.environments.locked_box import Box, boxes
from tests.teams import call

pytestmark = pytest.mark.django_db

TEAM: dict[str, Any] = {
    "name": "alone",
    "topology": "single",
    "agents": [{"name": "solver", "role": "solver", "model": "m", "tools": []}],
}
HELD = {"id": "h", "when": "after", "kinds": ["tool.returned"], "once": True}


@pytest.fixture(autouse=True)
def box() -> Iterator[type[Box]]:
    with boxes() as kind:
        yield kind


def right(request: ModelRequest) -> Any:
    done = sum(message.role == "tool" for message in request.messages)
    moves = [call("turn", {"clicks": 7}, "a"), call("open", {}, "b"), "Answer: a pearl"]
    return moves[done]


def begin(debugger: Debugger, *breakpoints: dict[str, Any]) -> str:
    debugger.model = lambda record: ScriptedModel([right], repeat_last=True)
    team = {**TEAM, "breakpoints": list(breakpoints)}
    run = debugger.post("runs", team=team, environment="boxes/plain")
    debugger.runs.append(run["run_id"])
    return str(run["run_id"])


def test_a_task_asks_its_own_question_and_the_row_has_its_score(debugger: Debugger) -> None:
    run = begin(debugger)
    debugger.until(run, "finished")
    shown = debugger.get(f"runs/{run}")
    assert (shown["input"], shown["task_id"], shown["score"]) == (
        "Open the box and say what it holds.",
        "boxes/plain",
        1.0,
    )
    listed = debugger.get("runs")["runs"][0]
    assert (listed["score"], "environment" in listed) == (1.0, False)
    assert debugger.get(f"runs/{run}/replay")["identical"] is True


def test_the_answers_of_a_task_are_shown_once_the_run_has_ended(debugger: Debugger) -> None:
    run = begin(debugger, HELD)
    debugger.quiet(run)
    assert "data" not in debugger.get(f"runs/{run}")["environment"]["task"]
    debugger.post(f"runs/{run}/resume")
    debugger.until(run, "finished")
    assert debugger.get(f"runs/{run}")["environment"]["task"]["data"]["holds"] == "a pearl"


def test_the_plan_of_a_fork_says_how_its_world_comes_back(debugger: Debugger) -> None:
    run = begin(debugger)
    debugger.until(run, "finished")
    returned = debugger.find(run, "tool.returned").seq
    plan = debugger.get(f"runs/{run}/fork-plan?at={returned}")
    assert plan["environment"] == {
        "snapshot_seq": None,
        "repeated": 1,
        "text": "reset, then 1 action repeated",
    }
    fork = debugger.post(f"runs/{run}/fork", at=returned, edits={}, policies={})["run_id"]
    debugger.runs.append(fork)
    assert debugger.until(fork, "finished").score == 1.0


def test_a_task_that_is_not_there_is_refused_with_the_reason(
    debugger: Debugger, store: Store
) -> None:
    status, answer = debugger.send("POST", "runs", team=TEAM, environment="boxes/none")
    assert (status, store.list_runs().total) == (422, 0)
    assert answer["message"].startswith("The suite 'boxes' has no task 'none'.")
