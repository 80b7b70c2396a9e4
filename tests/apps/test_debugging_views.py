"""What a person sees of a run at any step, of its family, and of its replay."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from aworld.storage.base import Store
from tests.apps.debugger import BEFORE_TOOL, ON_RESULT, Debugger
from tests.teams import SOLVER
from tests.web import recorded

pytestmark = pytest.mark.django_db


def node(state: dict[str, Any], name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(one for one in state["nodes"] if one["name"] == name)
    return found


def test_the_state_says_what_an_agent_knew_and_what_the_step_changed(debugger: Debugger) -> None:
    run = debugger.ask()
    debugger.until(run, "finished")
    asked, called = debugger.find(run, "llm.requested"), debugger.find(run, "tool.called")
    returned = debugger.find(run, "tool.returned")

    state = debugger.get(f"runs/{run}/state?seq={called.seq}")
    solver = node(state, "solver")
    after = debugger.get(f"runs/{run}/state?seq={returned.seq}")

    assert (state["seq"], state["at"], state["paused"], state["ended"]) == (
        called.seq,
        called.at,
        False,
        False,
    )
    assert {key: solver[key] for key in ("node_type", "role", "present", "phase")} == {
        "node_type": "agent",
        "role": "solver",
        "present": True,
        "phase": "tools",
    }
    assert [message["role"] for message in solver["messages"]] == ["system", "user", "assistant"]
    assert solver["messages"][2]["tool_calls"][0]["name"] == "calculator"
    assert solver["messages_total"] == 3
    assert solver["open_calls"] == [
        {"span": called.seq, "kind": "tool.called", "what": "calculator", "since": called.at}
    ]
    assert solver["changed"] == ["calls"]
    assert state["budget"]["steps"] == {"used": 1, "limit": 60}
    assert (state["held"], state["edits"]) == (None, [])
    assert node(after, "solver")["messages"][3]["content"] == "5"
    assert node(after, "solver")["open_calls"] == []
    assert set(node(after, "solver")["changed"]) == {"calls", "context", "last", "phase"}
    assert node(debugger.get(f"runs/{run}/state?seq={asked.seq}"), "solver")["changed"] == ["phase"]


def test_every_step_can_be_seen_forwards_and_backwards(debugger: Debugger) -> None:
    run = debugger.ask()
    last = debugger.until(run, "finished").last_seq

    there = [debugger.get(f"runs/{run}/state?seq={seq}") for seq in range(last + 1)]
    back = [debugger.get(f"runs/{run}/state?seq={seq}") for seq in range(last, -1, -1)]

    assert there == back[::-1]
    assert [state["ended"] for state in there] == [False] * last + [True]
    assert not any(one["present"] for one in there[0]["nodes"])
    assert debugger.get(f"runs/{run}/state") == there[last]


@pytest.mark.parametrize("seq", [-2, 999])
def test_a_step_that_is_not_there_is_named(debugger: Debugger, seq: int) -> None:
    run = debugger.ask()
    debugger.until(run, "finished")

    status, answer = debugger.send("GET", f"runs/{run}/state?seq={seq}")

    assert status == 404
    assert str(seq) in answer["message"]


def test_an_edit_is_seen_from_its_own_step_on(debugger: Debugger) -> None:
    run = debugger.ask(ON_RESULT)
    debugger.until(run, "paused")
    bad = debugger.find(run, "tool.returned")

    before = debugger.get(f"runs/{run}/state")
    debugger.post(f"runs/{run}/edit", target=bad.seq, after={"text": "4"})
    debugger.until(run, "paused", behind=before["seq"])
    after = debugger.get(f"runs/{run}/state")

    shown = [node(state, "solver")["messages"][-1] for state in (before, after)]
    assert [(one["seq"], one["content"], one["edited"]) for one in shown] == [
        (bad.seq, "5", False),
        (bad.seq, "4", True),
    ]
    assert after["edits"] == [{"target": bad.seq, "by": "ada", "seq": before["seq"] + 1}]
    assert debugger.get(f"runs/{run}/state?seq={before['seq']}") == {**before, "held": None}


@pytest.mark.parametrize(
    ("breakpoint", "kind"), [(ON_RESULT, "llm.requested"), (BEFORE_TOOL, "tool.called")]
)
def test_a_held_run_says_what_comes_next(
    debugger: Debugger, breakpoint: dict[str, Any], kind: str
) -> None:
    run = debugger.ask(breakpoint)
    last = debugger.quiet(run).last_seq

    state = debugger.get(f"runs/{run}/state")
    debugger.post(f"runs/{run}/resume")
    debugger.until(run, "finished")
    done = next(e for e in debugger.log(run)[last + 1 :] if e.kind == kind)

    assert state["paused"] is True
    assert (state["held"]["actor"], state["held"]["payload"]["kind"]) == ("solver", kind)
    again = debugger.get(f"runs/{run}/events/{done.seq}")
    assert again["payload"] == state["held"]["payload"]


def test_a_fork_of_a_fork_stands_in_its_family(debugger: Debugger) -> None:
    root = debugger.ask()
    debugger.until(root, "finished")
    at = debugger.find(root, "tool.returned").seq
    edits = {str(at): {"text": "4"}}
    child = debugger.post(f"runs/{root}/fork", at=at, edits=edits)["run_id"]
    other = debugger.post(f"runs/{root}/fork", at=at - 1)["run_id"]
    debugger.until(child, "finished")
    debugger.until(other, "finished")
    grandchild = debugger.post(f"runs/{child}/fork", at=at + 2)["run_id"]
    debugger.until(grandchild, "finished")

    families = [debugger.get(f"runs/{run}/family") for run in (root, child, other, grandchild)]

    assert families == [families[0]] * 4
    top = families[0]["root"]
    assert (top["run_id"], top["parent_seq"], top["answer"]) == (root, -1, "Answer: 5")
    assert [(b["run_id"], b["parent_seq"], b["answer"]) for b in top["children"]] == [
        (child, at, "Answer: 4"),
        (other, at - 1, "Answer: 5"),
    ]
    assert [b["run_id"] for b in top["children"][0]["children"]] == [grandchild]
    assert top["children"][0]["children"][0]["answer"] == "Answer: 4"


def test_a_fork_s_plan_counts_what_would_be_done_again(debugger: Debugger) -> None:
    run = debugger.ask()
    debugger.until(run, "finished")
    first = debugger.find(run, "llm.requested")

    plan = debugger.get(
        f'runs/{run}/fork-plan?at={first.seq - 1}&policies={{"calculator":"mock:7"}}'
    )

    assert [(e["what"], e["policy"]) for e in plan["effects"]] == [
        ("model", "live"),
        ("calculator", "mock:7"),
        ("model", "live"),
    ]
    assert plan["effects"][1]["request"] == {"expression": "2+2+1"}
    assert plan["counts"] == {"live": 2, "replay": 0, "mock": 1, "ask": 0}


@pytest.mark.parametrize("query", ["at=999", "at=2&policies=[1]", 'at=2&policies={"*":"maybe"}'])
def test_an_impossible_plan_is_refused_with_400(debugger: Debugger, query: str) -> None:
    run = debugger.ask()
    debugger.until(run, "finished")

    status, answer = debugger.send("GET", f"runs/{run}/fork-plan?{query}")

    assert status == 400
    assert answer["message"]


def test_a_replay_names_the_first_step_that_differs_with_both_sides(
    debugger: Debugger, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = debugger.ask()
    last = debugger.until(run, "finished").last_seq
    joined = next(e for e in debugger.log(run) if e.kind == "node.joined" and e.actor == "solver")

    same = debugger.get(f"runs/{run}/replay")
    changed = {**SOLVER["agents"][0], "instructions": "Solve it, quick."}
    other = {**SOLVER, "agents": [changed]}
    monkeypatch.setattr(
        "apps.runs.debugging_selectors.recorded_nodes",
        lambda store, record: _nodes_of(other),
    )
    differs = debugger.get(f"runs/{run}/replay")

    assert (same["identical"], same["difference"], same["text"]) == (
        True,
        None,
        f"identical to step {last}",
    )
    assert differs["identical"] is False
    assert differs["difference"]["seq"] == joined.seq
    assert differs["difference"]["produced"]["payload"]["instructions"] == "Solve it, quick."
    assert differs["difference"]["recorded"]["payload"]["kind"] == "node.joined"
    assert f"first difference at step {joined.seq}" in differs["text"]


def _nodes_of(definition: dict[str, Any]) -> list[Any]:
    from tests.teams import nodes

    return nodes(definition)


def test_somebody_who_is_not_logged_in_sees_and_does_nothing(client: Client, store: Store) -> None:
    run = recorded.finished_run(store)
    stranger = Client(enforce_csrf_checks=True)
    member = Client(enforce_csrf_checks=True)
    member.cookies = client.cookies

    seen = stranger.get(f"/api/runs/{run.run_id}/state")
    without_token = member.post(
        f"/api/runs/{run.run_id}/fork", {"at": 3}, content_type="application/json"
    )

    assert seen.status_code == 401
    assert without_token.status_code == 403
    assert "CSRF" in without_token.json()["message"]
