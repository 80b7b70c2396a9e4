"""Commands reach a run once, in order, whatever its worker does meanwhile."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from aworld.agents.build import Built
from aworld.events.action import ToolReturned
from aworld.events.run import RunLost, RunResumed
from aworld.llm.base import ModelRequest
from aworld.llm.scripted import ScriptedModel
from aworld.runtime import control
from aworld.runtime.fork import fork_run
from aworld.runtime.held import next_wanted
from aworld.runtime.replay import replay
from aworld.storage.base import RunRecord
from tests.runtime.driven import Driven
from tests.teams import SOLVER, build, call, kinds, nodes, sqlite

ON_RESULT = {"id": "result", "kinds": ["tool.returned"]}
ON_ANSWER = {"id": "answer", "kinds": ["llm.responded"], "once": True}
BEFORE_MODEL = {
    "id": "model",
    "when": "before",
    "kinds": ["llm.requested"],
    "from_hit": 2,
    "once": True,
}


def wrong(request: ModelRequest) -> Any:
    """Calls the calculator wrongly, then repeats what it says."""
    last = request.messages[-1]
    if last.role == "tool":
        return f"Answer: {last.content}"
    return call("calculator", {"expression": "2+2+1"})


def solver(record: RunRecord) -> Built:
    return build(SOLVER, ScriptedModel([wrong], repeat_last=True))[1]


def new(folder: Path, *breakpoints: dict[str, Any]) -> Driven:
    return Driven.new(sqlite(folder), SOLVER, solver, breakpoints)


def edit(driven: Driven, text: str) -> None:
    result = next(e for e in driven.log() if e.kind == "tool.returned")
    after = {"text": text}
    control.edit(driven.store, driven.run_id, result.seq, after, nodes=nodes(SOLVER), by="ann")


def replays(driven: Driven) -> bool:
    return replay(driven.run_id, driven.log(), nodes(SOLVER)).identical


async def test_a_fork_obeys_its_own_commands_whatever_its_parent_was_commanded(
    tmp_path: Path,
) -> None:
    parent = new(tmp_path, ON_ANSWER, ON_RESULT)
    await parent.held()
    await parent.go_on()
    await parent.go_on()
    at = next(e.seq for e in parent.log() if e.kind == "tool.returned")
    fork = fork_run(parent.store, parent.run_id, at - 1, nodes=nodes(SOLVER))
    child = Driven(parent.store, fork, solver)
    held = await child.held()
    assert held.status == "paused"
    # Its number is one that the parent has carried out.
    assert (await child.go_on()).answer == "Answer: 5"
    assert replays(child)


async def test_commands_that_were_carried_out_are_not_carried_out_again(tmp_path: Path) -> None:
    driven = new(tmp_path, ON_ANSWER, ON_RESULT)
    await driven.held()
    last = (await driven.go_on()).last_seq
    await driven.crash()
    # The heartbeat brings all commands while the log is still being read.
    driven.bring()
    held = await driven.held(last)
    assert held.status == "paused"
    assert kinds(driven.log()).count("run.resumed") == 1
    assert (await driven.go_on()).answer == "Answer: 5"


async def test_an_edit_that_comes_after_a_step_changes_nothing_any_more(tmp_path: Path) -> None:
    driven = new(tmp_path, ON_RESULT)
    await driven.held()
    control.step(driven.store, driven.run_id, by="ann")
    edit(driven, "4")
    last = driven.record.last_seq
    driven.bring()
    await driven.held(last)
    assert "edit.applied" not in kinds(driven.log())
    assert (await driven.done()).answer == "Answer: 5"
    assert replays(driven)


async def test_an_edit_and_a_resume_at_once_are_carried_out_one_after_the_other(
    tmp_path: Path,
) -> None:
    driven = new(tmp_path, BEFORE_MODEL)
    await driven.held()
    wanted = next_wanted(driven.log(), nodes(SOLVER))
    assert wanted is not None
    edit(driven, "4")
    control.substitute(
        driven.store, driven.run_id, -1, {"text": "Answer: 9"}, opened=wanted, by="ann"
    )
    control.resume(driven.store, driven.run_id, by="ann")
    driven.bring()
    # The answer was meant for the prompt before the edit, so the model is asked.
    assert (await driven.done()).answer == "Answer: 4"
    assert replays(driven)


async def test_an_answer_is_not_given_to_another_call_after_a_crash(tmp_path: Path) -> None:
    driven = new(tmp_path, ON_ANSWER, BEFORE_MODEL)
    await driven.held()
    called = next_wanted(driven.log(), nodes(SOLVER))
    assert called is not None
    last = driven.record.last_seq
    control.substitute(driven.store, driven.run_id, -1, {"text": "42"}, opened=called, by="ann")
    driven.bring()
    await driven.held(last + 2)
    await driven.crash()
    driven.bring()
    assert (await driven.done()).answer == "Answer: 42"
    results = [e.payload for e in driven.log() if isinstance(e.payload, ToolReturned)]
    assert [(result.text, result.source) for result in results] == [("42", "person:ann")]
    assert replays(driven)


@pytest.mark.parametrize("name", ["step", "run_to", "substitute"])
async def test_a_step_ends_where_it_should_although_its_worker_died(
    tmp_path: Path, name: str
) -> None:
    driven = new(tmp_path, ON_ANSWER)
    run = await driven.held()
    await driven.die()
    if name == "step":
        control.step(driven.store, driven.run_id, by="ann")
    elif name == "run_to":
        control.run_to(driven.store, driven.run_id, run.last_seq + 2, by="ann")
    else:
        wanted = next_wanted(driven.log(), nodes(SOLVER))
        assert wanted is not None
        control.substitute(driven.store, driven.run_id, -1, {"text": "5"}, opened=wanted, by="ann")
    # The worker got as far as to let the run go on.
    lease = driven.claim()
    control.write_alone(driven.store, lease, RunResumed(by="ann", command=0))
    driven.begin(driven.claim())
    held = await driven.held(run.last_seq + 1)
    assert held.status == "paused"
    assert kinds(driven.log()).count("tool.called") == 1
    assert "llm.requested" not in kinds(driven.log())[run.last_seq :]
    assert (await driven.done()).answer == "Answer: 5"
    assert replays(driven)


async def test_a_resume_that_comes_while_the_run_is_parked_wakes_it_again(tmp_path: Path) -> None:
    driven = Driven.new(sqlite(tmp_path), SOLVER, solver, [ON_RESULT], park_after_s=0.05)
    await driven.held()
    # It was put when the row still said `paused`, and no heartbeat brings it in time.
    driven.store.put_command(driven.run_id, "resume", {}, by="ann")
    await driven.task
    assert kinds(driven.log())[-1] == "run.parked"
    assert driven.record.status == "queued"
    driven.begin(driven.claim())
    assert (await driven.done()).answer == "Answer: 5"


async def test_a_fork_behind_a_breakpoint_s_hit_goes_on(tmp_path: Path) -> None:
    parent = new(tmp_path, {**ON_RESULT, "once": True})
    await parent.held()
    hit = next(e.seq for e in parent.log() if e.kind == "breakpoint.hit")
    fork = fork_run(parent.store, parent.run_id, hit, nodes=nodes(SOLVER))
    child = Driven(parent.store, fork, solver)
    done = await child.held()
    assert (done.status, done.answer) == ("finished", "Answer: 5")
    assert replays(child)


async def test_a_run_that_was_taken_over_names_the_worker_that_was_lost(tmp_path: Path) -> None:
    driven = new(tmp_path, ON_RESULT)
    held = await driven.held()
    await driven.die()
    driven.begin(driven.claim("another"))
    await driven.held(held.last_seq)
    lost = [e.payload for e in driven.log() if isinstance(e.payload, RunLost)]
    assert [one.worker for one in lost] == ["w"]
    assert (await driven.done()).answer == "Answer: 5"
