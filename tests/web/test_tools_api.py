"""Tools over HTTP: where they are from, who uses them, what runs say of them, trying them out."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from apps.agents.models import Team
from apps.agents.tool_trials import tool_trials
from aworld.events.action import ToolCalled, ToolFailed, ToolReturned
from aworld.storage.base import Store
from tests.web.recorded import TEAM, append, queued_run

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _trials(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The owner's tools are the installation's; no scratch folder is left open."""
    monkeypatch.setenv("AWORLD_HOME", str(home))
    yield
    tool_trials().shut_down()
    tool_trials.cache_clear()


def post(client: Client, path: str, body: Any = None) -> Any:
    """POST as JSON."""
    return client.post(f"/api{path}", json.dumps(body or {}), "application/json")


def calls_in(store: Store) -> str:
    """A run with a call that went well, one that failed, and one that goes on; its id."""
    run = queued_run(store)
    first = store.read(run.run_id)[-1].seq + 1
    append(
        store,
        run.run_id,
        ("solver", ToolCalled("calculator", {"expression": "2+3"}), {}),
        ("solver", ToolReturned("calculator", "5"), {"span": first}),
        ("solver", ToolCalled("calculator", {"expression": "1/0"}), {}),
        ("solver", ToolFailed("calculator", "Division by zero."), {"span": first + 2}),
        ("solver", ToolCalled("shell", {"command": "sleep 9"}), {}),
        ("solver", ToolFailed("oracle", "There is no tool 'oracle'.", reason="unknown_tool"), {}),
    )
    return run.run_id


def test_the_catalogue_says_where_a_tool_is_from_and_which_agents_have_it(client: Client) -> None:
    team = Team.objects.create(name="arithmetic", definition=TEAM)
    answer = client.get("/api/tool-catalogue").json()
    tools = {tool["name"]: tool for tool in answer["tools"]}
    assert tools["calculator"]["origin"] == "built_in"
    assert tools["calculator"]["teams"] == [
        {"id": str(team.id), "name": "arithmetic", "agents": ["solver"]}
    ]
    assert tools["shell"]["teams"] == []
    assert tools["shell"]["effect"] == "unsafe"


def test_an_agent_without_tools_of_its_own_uses_those_of_its_role(client: Client) -> None:
    definition = {"name": "t", "agents": [{"name": "v", "role": "verifier", "model": "local"}]}
    Team.objects.create(name="t", definition=definition)
    tool = client.get("/api/tools/logic_check").json()
    assert [team["agents"] for team in tool["teams"]] == [["v"]]


def test_a_file_of_the_owner_s_that_is_broken_is_named_with_its_line(
    client: Client, home: Path
) -> None:
    folder = home / "tools"
    folder.mkdir(exist_ok=True)
    (folder / "good.py").write_text(
        "from aworld import BaseTool\n\n\nclass Shout(BaseTool):\n"
        '    """Make a text loud."""\n\n    def get_schema(self):\n'
        '        return {"type": "object", "properties": {"text": {"type": "string"}}}\n\n'
        "    def run(self, text):\n        return text.upper()\n",
        encoding="utf-8",
    )
    (folder / "bad.py").write_text("x = 1\ny = x +\n", encoding="utf-8")
    try:
        answer = client.get("/api/tool-catalogue").json()
        (shout,) = [tool for tool in answer["tools"] if tool["name"] == "shout"]
        assert (shout["origin"], Path(shout["source"]).name) == ("own", "good.py")
        (problem,) = [one for one in answer["problems"] if "bad.py" in str(one)]
        assert problem["where"] == f"{folder / 'bad.py'}:2"
        assert "SyntaxError" in problem["message"]
    finally:
        (folder / "good.py").unlink()
        (folder / "bad.py").unlink()
        client.get("/api/tool-catalogue")


def test_a_tool_comes_with_its_schema_and_an_unknown_one_with_the_nearest_name(
    client: Client,
) -> None:
    tool = client.get("/api/tools/calculator").json()
    assert tool["parameters"]["required"] == ["expression"]
    missing = client.get("/api/tools/calculater")
    assert missing.status_code == 404
    assert "Did you mean 'calculator'?" in missing.json()["message"]


def test_usage_counts_calls_errors_and_time_from_the_log(client: Client, store: Store) -> None:
    calls_in(store)
    calls_in(store)
    answer = client.get("/api/tool-usage").json()
    assert (answer["runs_looked_at"], answer["runs_total"]) == (2, 2)
    calculator = answer["tools"]["calculator"]
    assert (calculator["runs"], calculator["calls"], calculator["errors"]) == (2, 4, 2)
    assert (calculator["total_us"], calculator["longest_us"]) == (4000, 1000)
    assert answer["tools"]["shell"]["errors"] == 0
    assert answer["tools"]["oracle"]["errors"] == 2


def test_calls_are_listed_failures_first_each_with_its_run_and_event(
    client: Client, store: Store
) -> None:
    run_id = calls_in(store)
    answer = client.get("/api/tools/calculator/calls").json()
    assert [(call["ok"], call["text"]) for call in answer["calls"]] == [
        (False, "Division by zero."),
        (True, "5"),
    ]
    failed = answer["calls"][0]
    assert (failed["run_id"], failed["reason"], failed["us"]) == (run_id, "error", 1000)
    assert json.loads(failed["arguments"]) == {"expression": "1/0"}
    event = client.get(f"/api/runs/{run_id}/events/{failed['seq']}").json()
    assert event["payload"]["kind"] == "tool.called"
    only = client.get("/api/tools/calculator/calls?errors=1").json()
    assert [call["ok"] for call in only["calls"]] == [False]
    (open_one,) = client.get("/api/tools/shell/calls").json()["calls"]
    assert (open_one["reason"], open_one["end_seq"]) == ("open", None)


def test_a_tool_is_tried_out_in_a_folder_of_ones_own(client: Client) -> None:
    trial = post(client, "/tool-trials").json()["id"]
    body = {"tool": "calculator", "arguments": {"expression": "23*47"}}
    answer = post(client, f"/tool-trials/{trial}/calls", body).json()
    assert (answer["ok"], answer["text"], answer["number"]) == (True, "1081", 1)
    wrong = post(client, f"/tool-trials/{trial}/calls", {"tool": "calculator"}).json()
    assert (wrong["ok"], wrong["reason"]) == (False, "malformed_call")
    assert client.delete(f"/api/tool-trials/{trial}").status_code == 204
    gone = post(client, f"/tool-trials/{trial}/calls", body)
    assert gone.status_code == 404


@pytest.mark.parametrize("timeout_s", [0, -1, 601, "soon"])
def test_a_time_limit_out_of_range_is_refused(client: Client, timeout_s: Any) -> None:
    trial = post(client, "/tool-trials").json()["id"]
    body = {"tool": "calculator", "arguments": {"expression": "1"}, "timeout_s": timeout_s}
    assert post(client, f"/tool-trials/{trial}/calls", body).status_code == 422


def test_nobody_calls_in_another_s_folder(client: Client, db: None) -> None:
    trial = post(client, "/tool-trials").json()["id"]
    other = Client()
    other.force_login(User.objects.create_user("eve"))
    body = {"tool": "calculator", "arguments": {"expression": "1"}}
    assert post(other, f"/tool-trials/{trial}/calls", body).status_code == 404
    assert other.delete(f"/api/tool-trials/{trial}").status_code == 404
    assert post(Client(), "/tool-trials").status_code in (401, 403)


def test_the_files_of_an_event_come_from_the_log(client: Client, store: Store) -> None:
    run = queued_run(store)
    picture, page = b"\x89PNG\r\n...", b"<script>alert(1)</script>"
    files = [
        {"name": "a.png", "media_type": "image/png", "size": 9, "blob": store.put_blob(picture)},
        {"name": 'x";\n.html', "media_type": "text/html", "size": 9, "blob": store.put_blob(page)},
        {"name": "gone", "media_type": "image/png", "size": 9, "blob": "0" * 64},
        {"name": "out", "media_type": "image/png", "size": 9, "blob": "../../secret_key"},
    ]
    seq = store.read(run.run_id)[-1].seq + 1
    append(store, run.run_id, ("a", ToolReturned("t", "", attachments=tuple(files)), {}))
    address = f"/api/runs/{run.run_id}/files/{seq}"
    shown = client.get(f"{address}/0")
    assert (shown["Content-Type"], shown.content) == ("image/png", picture)
    saved = client.get(f"{address}/1")
    assert saved["Content-Type"] == "application/octet-stream"
    assert saved["Content-Disposition"] == "attachment; filename*=UTF-8''x%22%3B%0A.html"
    assert "sandbox" in saved["Content-Security-Policy"]
    for number in (2, 3, 4):
        assert client.get(f"{address}/{number}").status_code == 404
    assert client.get(f"/api/runs/{run.run_id}/files/0/0").status_code == 404
