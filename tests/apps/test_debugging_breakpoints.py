"""A team's breakpoints, and who may command a run that is held."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from apps.runs import debugging_hold
from aworld.events.envelope import Clock
from aworld.storage.base import Store
from tests.apps.debugger import ON_RESULT, Debugger
from tests.teams import SOLVER
from tests.web import recorded

pytestmark = pytest.mark.django_db

ON_CHECK = {"id": "check", "tools": ["logic_check"], "agents": ["verifier"]}


@pytest.fixture
def team(debugger: Debugger) -> str:
    """A stored team of one solver."""
    return str(debugger.post("teams", definition=SOLVER)["id"])


def test_breakpoints_are_kept_beside_the_team_and_copied_into_its_runs(
    debugger: Debugger, team: str
) -> None:
    _, saved = debugger.send("PUT", f"teams/{team}/breakpoints", breakpoints=[ON_RESULT])

    run = debugger.post("runs", team_id=team, input="How much is 2+2?")["run_id"]
    debugger.runs.append(run)
    debugger.until(run, "paused")
    debugger.send("PUT", f"teams/{team}/breakpoints", breakpoints=[])

    assert saved == {"breakpoints": [ON_RESULT], "unbound": []}
    assert debugger.get(f"teams/{team}")["version"] == 1
    assert "breakpoints" not in debugger.get(f"teams/{team}")["definition"]
    # The run keeps those that were in force when it was made.
    assert debugger.get(f"runs/{run}")["team"]["breakpoints"] == [ON_RESULT]
    assert debugger.get(f"teams/{team}/breakpoints") == {"breakpoints": [], "unbound": []}


def test_breakpoints_survive_a_new_version_and_unbound_ones_are_named(
    debugger: Debugger, team: str
) -> None:
    debugger.send("PUT", f"teams/{team}/breakpoints", breakpoints=[ON_RESULT, ON_CHECK])
    verifier = {"name": "verifier", "role": "verifier", "model": "m", "tools": ["logic_check"]}
    before = debugger.get(f"teams/{team}/breakpoints")

    bigger = {**SOLVER, "topology": "pipeline", "agents": [*SOLVER["agents"], verifier]}
    status, _ = debugger.send("PUT", f"teams/{team}", definition=bigger, version=1)
    after = debugger.get(f"teams/{team}/breakpoints")

    assert status == 200
    assert before["breakpoints"] == after["breakpoints"] == [ON_RESULT, ON_CHECK]
    assert {one["id"] for one in before["unbound"]} == {"check"}
    assert "'verifier'" in before["unbound"][0]["message"]
    assert after["unbound"] == []


@pytest.mark.parametrize(
    ("breakpoint", "says"),
    [
        ({"id": ""}, "no id"),
        ({"id": "b", "kinds": ["tool.vanished"]}, "There is no kind 'tool.vanished'"),
        ({"id": "b", "condition": "text contains"}, "expected"),
        ({"id": "b", "every": 0}, "Use 1 or more"),
        ({"id": "b", "when": "during"}, "when"),
    ],
)
def test_a_breakpoint_that_can_never_fire_is_refused_and_nothing_is_kept(
    debugger: Debugger, team: str, breakpoint: dict[str, Any], says: str
) -> None:
    status, answer = debugger.send("PUT", f"teams/{team}/breakpoints", breakpoints=[breakpoint])

    assert status == 400
    assert says in answer["message"]
    assert debugger.get(f"teams/{team}/breakpoints")["breakpoints"] == []


def test_breakpoints_are_tried_on_past_runs_before_they_are_armed(
    debugger: Debugger, team: str
) -> None:
    stops = recorded.finished_run(debugger.store)
    recorded.failed_run(debugger.store)
    returned = debugger.find(stops.run_id, "tool.returned").seq

    all_teams = debugger.post("breakpoints/try", breakpoints=[{**ON_RESULT, "note": "result"}])
    this_team = debugger.post("breakpoints/try", breakpoints=[ON_RESULT], team=team)
    named = debugger.post("breakpoints/try", breakpoints=[ON_RESULT], team="arithmetic")

    assert all_teams == {
        "stops": 1,
        "runs_stopped": 1,
        "runs_looked_at": 2,
        "places": [
            {"run_id": stops.run_id, "seq": returned, "breakpoint": "result", "note": "result"}
        ],
    }
    assert this_team["runs_looked_at"] == 0
    assert (named["stops"], named["runs_looked_at"]) == (1, 2)


@pytest.mark.parametrize(
    "body",
    [
        {"breakpoints": [{"id": "b", "condition": "("}]},
        {"breakpoints": [ON_RESULT], "limit_runs": 0},
    ],
)
def test_what_cannot_be_tried_is_refused_with_400(debugger: Debugger, body: dict[str, Any]) -> None:
    assert debugger.send("POST", "breakpoints/try", **body)[0] == 400


@pytest.fixture
def bob(ada: User) -> Client:
    """Somebody else's browser."""
    browser = Client()
    browser.force_login(User.objects.create_user("bob"))
    return browser


def command(browser: Client, run_id: str, name: str, **body: Any) -> tuple[int, Any]:
    """Status and JSON of somebody's command."""
    answer = browser.post(
        f"/api/runs/{run_id}/{name}", json.dumps(body), content_type="application/json"
    )
    return answer.status_code, answer.json()


def test_one_person_holds_a_run_and_the_others_are_told_who(
    debugger: Debugger, bob: Client
) -> None:
    run = debugger.ask(ON_RESULT)
    last = debugger.until(run, "paused").last_seq

    mine = debugger.post(f"runs/{run}/debugger", take=True)["holder"]
    taken = command(bob, run, "debugger", take=True)
    refused = [
        command(bob, run, "resume"),
        command(bob, run, "step"),
        command(bob, run, "edit", target=last - 2, after={"text": "9"}),
        command(bob, run, "arm", breakpoints=[]),
    ]
    seen = bob.get(f"/api/runs/{run}").json()["debugger"]
    given_back = debugger.post(f"runs/{run}/debugger", take=False)["holder"]

    assert mine["by"] == "ada"
    assert [status for status, _ in [taken, *refused]] == [409] * 5
    assert all("ada is debugging" in answer["message"] for _, answer in [taken, *refused])
    assert taken[1]["extra"]["holder"] == mine == seen
    assert debugger.store.get_run(run).last_seq == last
    assert given_back is None
    assert command(bob, run, "resume")[0] == 200
    assert debugger.until(run, "finished").answer == "Answer: 5"


def test_a_run_can_always_be_cancelled(debugger: Debugger, bob: Client) -> None:
    run = debugger.ask(ON_RESULT)
    debugger.until(run, "paused")
    debugger.post(f"runs/{run}/debugger", take=True)

    assert command(bob, run, "cancel")[0] == 200
    debugger.until(run, "cancelled")


def test_a_hold_without_a_command_is_free_after_a_minute(
    client: Client, bob: Client, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = recorded.finished_run(store).run_id
    first = command(client, run, "debugger", take=True)[1]["holder"]
    later = Clock().now() + 61_000_000

    class Later:
        def now(self) -> int:
            return later

    monkeypatch.setattr(debugging_hold, "Clock", Later)

    assert debugging_hold.run_holder(run) is None
    assert first["until"] < later


def test_a_command_renews_the_hold_of_its_sender(debugger: Debugger, bob: Client) -> None:
    run = debugger.ask(ON_RESULT)
    debugger.until(run, "paused")
    debugger.post(f"runs/{run}/debugger", take=True)
    taken = len(debugger.store.labels(run))

    debugger.post(f"runs/{run}/arm", breakpoints=[])
    at_once = len(debugger.store.labels(run))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(debugging_hold, "RENEW_US", 0)
        debugger.post(f"runs/{run}/arm", breakpoints=[])

    assert at_once == taken
    assert len(debugger.store.labels(run)) == taken + 1
    # It is no label that people gave.
    assert debugger.get(f"runs/{run}")["labels"] == []
