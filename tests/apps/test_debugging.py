"""Holding a run over HTTP, mending it, and letting it go on."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from aworld.events.action import ToolReturned
from aworld.events.control import BreakpointHit, EditApplied
from tests.apps.debugger import BEFORE_TOOL, ON_RESULT, Debugger

pytestmark = pytest.mark.django_db


def test_a_bad_result_is_edited_and_the_run_succeeds(debugger: Debugger) -> None:
    run = debugger.ask(ON_RESULT)
    debugger.until(run, "paused")
    bad = debugger.find(run, "tool.returned")

    debugger.post(f"runs/{run}/edit", target=bad.seq, after={"text": "4"})
    debugger.post(f"runs/{run}/resume")
    done = debugger.until(run, "finished", "failed")

    assert done.answer == "Answer: 4"
    edit = debugger.find(run, "edit.applied").payload
    assert isinstance(edit, EditApplied)
    assert (edit.by, edit.target, edit.before["text"], edit.after["text"]) == (
        "ada",
        bad.seq,
        "5",
        "4",
    )
    assert debugger.get(f"runs/{run}/replay")["identical"] is True


def test_a_fork_with_the_same_edit_succeeds_too_and_both_are_equal_up_to_it(
    debugger: Debugger,
) -> None:
    parent = debugger.ask()
    assert debugger.until(parent, "finished").answer == "Answer: 5"
    bad = debugger.find(parent, "tool.returned")

    fork = debugger.post(
        f"runs/{parent}/fork", at=bad.seq, edits={str(bad.seq): {"text": "4"}}, policies={}
    )
    debugger.runs.append(fork["run_id"])
    done = debugger.until(fork["run_id"], "finished")

    assert (fork["status"], fork["source"]) == ("queued", "fork")
    assert done.answer == "Answer: 4"
    shared = bad.seq + 1
    of = [msgspec.structs.replace(e, run_id="") for e in debugger.log(fork["run_id"])[:shared]]
    assert of == [msgspec.structs.replace(e, run_id="") for e in debugger.log(parent)[:shared]]
    assert debugger.get(f"runs/{fork['run_id']}/replay")["identical"] is True


def test_a_person_answers_a_held_call_instead_of_the_tool(debugger: Debugger) -> None:
    run = debugger.ask(BEFORE_TOOL)
    debugger.until(run, "paused")
    held = debugger.get(f"runs/{run}/state")["held"]

    debugger.post(f"runs/{run}/substitute", span=-1, payload={"text": "42"})
    debugger.post(f"runs/{run}/resume")
    done = debugger.until(run, "finished")

    assert (held["actor"], held["payload"]["kind"]) == ("solver", "tool.called")
    assert done.answer == "Answer: 42"
    returned = debugger.find(run, "tool.returned").payload
    assert isinstance(returned, ToolReturned)
    assert returned.source == "person:ada"


def test_what_comes_next_is_answered_before_the_nodes_were_asked(debugger: Debugger) -> None:
    run = debugger.ask({"id": "answer", "kinds": ["llm.responded"], "once": True})
    paused = debugger.quiet(run)

    debugger.post(f"runs/{run}/substitute", span=-1, payload={"text": "42"})
    held = debugger.quiet(run, behind=paused.last_seq)
    kinds = [event.kind for event in debugger.log(run)[paused.last_seq + 1 :]]
    debugger.post(f"runs/{run}/resume")

    assert held.tool_calls == 1
    assert kinds[:3] == ["run.resumed", "tool.called", "tool.returned"]
    assert debugger.until(run, "finished").answer == "Answer: 42"
    assert debugger.get(f"runs/{run}/replay")["identical"] is True


def test_stepping_stops_behind_each_event_of_a_node(debugger: Debugger) -> None:
    run = debugger.ask({"id": "answer", "kinds": ["llm.responded"], "once": True})
    paused = debugger.quiet(run)

    debugger.post(f"runs/{run}/step")
    stepped = debugger.quiet(run, behind=paused.last_seq)
    debugger.post(f"runs/{run}/run-to", seq=stepped.last_seq + 2)
    reached = debugger.quiet(run, behind=stepped.last_seq)
    kinds = [event.kind for event in debugger.log(run)[paused.last_seq + 1 :]]
    debugger.post(f"runs/{run}/resume")

    step = ["run.resumed", "tool.called", "breakpoint.hit", "run.paused", "tool.returned"]
    there = ["run.resumed", "llm.requested", "breakpoint.hit", "run.paused", "llm.responded"]
    assert kinds == step + there
    assert reached.last_seq == paused.last_seq + 10
    assert debugger.until(run, "finished").answer == "Answer: 5"
    assert debugger.get(f"runs/{run}/replay")["identical"] is True


def test_breakpoints_are_armed_while_the_run_is_held(debugger: Debugger) -> None:
    run = debugger.ask({"id": "answer", "kinds": ["llm.responded"], "once": True})
    paused = debugger.quiet(run)

    debugger.post(f"runs/{run}/arm", breakpoints=[ON_RESULT])
    debugger.post(f"runs/{run}/resume")
    debugger.quiet(run, behind=paused.last_seq)
    hit = debugger.log(run)[-2].payload
    debugger.post(f"runs/{run}/arm", breakpoints=[])
    debugger.post(f"runs/{run}/resume")

    assert isinstance(hit, BreakpointHit)
    assert (hit.breakpoint, hit.at_seq) == ("result", debugger.find(run, "tool.returned").seq)
    assert debugger.until(run, "finished").answer == "Answer: 5"


def test_what_does_not_fit_the_run_is_refused_with_409(debugger: Debugger) -> None:
    run = debugger.ask()
    done = debugger.until(run, "finished")
    requests: dict[str, dict[str, Any]] = {
        "step": {},
        "run-to": {"seq": done.last_seq + 1},
        "edit": {"target": 3, "after": {}},
        "substitute": {"span": -1, "payload": {}},
        "arm": {"breakpoints": []},
        "resume": {},
    }

    refused = {
        name: debugger.send("POST", f"runs/{run}/{name}", **body) for name, body in requests.items()
    }

    assert {name: status for name, (status, _) in refused.items()} == dict.fromkeys(requests, 409)
    for _, answer in refused.values():
        assert run in answer["message"]
        assert "finished" in answer["message"]


def test_an_event_that_was_acted_on_says_where_and_to_fork_there(debugger: Debugger) -> None:
    run = debugger.ask(ON_RESULT)
    debugger.until(run, "paused")
    answer = debugger.find(run, "llm.responded")
    calls = [{"id": "x", "name": "calculator", "arguments": {"expression": "9"}}]

    status, refused = debugger.send(
        "POST", f"runs/{run}/edit", target=answer.seq, after={"tool_calls": calls}
    )

    assert status == 409
    assert refused["extra"] == {"acted_on": answer.seq + 1}
    assert f"Fork the run at step {answer.seq}" in refused["message"]


@pytest.mark.parametrize(
    ("request_", "says"),
    [
        (("edit", {"target": 0, "after": {"input": "!"}}), "cannot be edited"),
        (("edit", {"target": 999, "after": {}}), "no event 999"),
        (("edit", {"target": -3, "after": {"colour": 1}}), "no field 'colour'"),
        (("edit", {"target": -3, "after": {"text": 4}}), "does not fit"),
        (("substitute", {"span": -1, "payload": {"text": 1}}), "does not fit"),
        (("substitute", {"span": 0, "payload": {}}), "waits for no answer"),
        (("arm", {"breakpoints": [{"id": "b", "condition": "kind =="}]}), "expected"),
        (("arm", {"breakpoints": [{"id": "b", "colour": "kind =="}, {"id": "b"}]}), "two"),
        (("fork", {"at": 999}), "no step 999"),
        (("fork", {"at": 5, "policies": {"calculator": "maybe"}}), "'maybe' is no policy"),
        (("fork", {"at": 5, "edits": {"five": {}}}), "'five' is no step"),
    ],
)
def test_what_does_not_fit_is_refused_with_400(
    debugger: Debugger, request_: tuple[str, dict[str, object]], says: str
) -> None:
    run = debugger.ask(ON_RESULT)
    last = debugger.until(run, "paused").last_seq
    name, body = request_
    if body.get("target") == -3:
        body = {**body, "target": last - 2}

    status, answer = debugger.send("POST", f"runs/{run}/{name}", **body)

    assert (status, set(answer)) == (400, {"message", "extra"})
    assert says in answer["message"]
    assert debugger.store.get_run(run).last_seq == last


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "state", {}),
        ("GET", "fork-plan?at=1", {}),
        ("GET", "family", {}),
        ("GET", "replay", {}),
        ("POST", "step", {}),
        ("POST", "run-to", {"seq": 1}),
        ("POST", "edit", {"target": 1, "after": {}}),
        ("POST", "substitute", {"span": 1, "payload": {}}),
        ("POST", "arm", {"breakpoints": []}),
        ("POST", "fork", {"at": 1}),
        ("POST", "debugger", {"take": True}),
    ],
)
def test_an_unknown_run_is_named(
    debugger: Debugger, method: str, path: str, body: dict[str, object]
) -> None:
    status, answer = debugger.send(method, f"runs/nothing/{path}", **body)

    assert status == 404
    assert "'nothing'" in answer["message"]
