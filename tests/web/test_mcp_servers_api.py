"""MCP servers over HTTP: secrets go in and never come out, and what they offer comes out."""

from __future__ import annotations

import json
import logging
import sys
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from apps.agents.mcp_selectors import known_servers
from apps.agents.models import McpServer
from tests.tools.mcp_programs import hand

pytestmark = pytest.mark.django_db

SECRET = "tok-0123456789abcdef"


@pytest.fixture
def staff(client: Client, ada: User) -> Client:
    """Ada's browser; she is one of staff."""
    ada.is_staff = True
    ada.save()
    return client


def entry(marks: Path, **fields: Any) -> dict[str, Any]:
    """The server written by hand, as a form sends it."""
    spec = hand(marks)
    plain = {"name": "hand", "command": spec.command, "args": list(spec.args), "env": spec.env}
    return {**plain, **fields}


def post(client: Client, path: str, body: Any = None) -> Any:
    """POST as JSON."""
    return client.post(f"/api{path}", json.dumps(body or {}), "application/json")


def put(client: Client, path: str, body: Any) -> Any:
    """PUT as JSON."""
    return client.put(f"/api{path}", json.dumps(body), "application/json")


def patch(client: Client, path: str, body: Any) -> Any:
    """PATCH as JSON."""
    return client.patch(f"/api{path}", json.dumps(body), "application/json")


def test_a_pasted_text_adds_all_its_servers_and_names_what_it_ignored(staff: Client) -> None:
    config = {
        "mcpServers": {
            "files": {"command": "npx", "args": ["-y", "server"], "disabled": False},
            "search": {"url": "https://example.org/mcp?key=" + SECRET},
        }
    }
    answer = post(staff, "/mcp-servers/import", {"config": config})
    assert answer.status_code == 201
    made = answer.json()
    assert [(one["name"], one["way"], one["address"]) for one in made["servers"]] == [
        ("files", "stdio", "npx"),
        ("search", "http", "https://example.org/mcp"),
    ]
    assert made["ignored"] == ["files.disabled"]


def test_of_a_pasted_text_with_a_taken_name_nothing_is_added(staff: Client) -> None:
    post(staff, "/mcp-servers", {"name": "b", "command": "x"})
    config = {"mcpServers": {"a": {"command": "x"}, "b": {"command": "x"}}}
    answer = post(staff, "/mcp-servers/import", {"config": config})
    assert answer.status_code == 409
    assert "'b' already" in answer.json()["message"]
    assert [one["name"] for one in staff.get("/api/mcp-servers").json()] == ["b"]


@pytest.mark.parametrize("config", [None, [], {}, {"mcpServers": {"a": 1}}, "text"])
def test_a_pasted_text_of_another_form_is_refused_in_words(staff: Client, config: Any) -> None:
    answer = post(staff, "/mcp-servers/import", {"config": config})
    assert answer.status_code in (400, 422)
    assert len(answer.json()["message"]) > 20


def test_secrets_are_stored_encrypted_and_never_shown(
    staff: Client, home: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    body = {
        "name": "search",
        "url": f"https://127.0.0.1:9/mcp?key={SECRET}",
        "headers": {"Authorization": f"Bearer {SECRET}"},
    }
    made = post(staff, "/mcp-servers", body)
    server_id = made.json()["id"]
    tested = post(staff, f"/mcp-servers/{server_id}/test")
    shown = staff.get("/api/mcp-servers")
    assert tested.json()["ok"] is False
    assert shown.json()[0]["headers"] == ["Authorization"]
    assert shown.json()[0]["url"] == "https://127.0.0.1:9/mcp?…"
    everything = (made.content + tested.content + shown.content).decode() + caplog.text
    assert SECRET not in everything
    assert SECRET not in McpServer.objects.get().spec_sealed


def test_a_change_keeps_the_secrets_that_it_does_not_give(staff: Client, tmp_path: Path) -> None:
    url = f"https://example.org/mcp?key={SECRET}"
    body = {"name": "a", "url": url, "headers": {"X-Key": SECRET, "X-Old": "1"}}
    server_id = post(staff, "/mcp-servers", body).json()["id"]
    changed = {"name": "b", "url": "https://example.org/mcp?…", "headers": {"X-Key": None}}
    assert put(staff, f"/mcp-servers/{server_id}", changed).status_code == 200
    (known,) = known_servers()
    assert (known.spec.name, known.spec.url) == ("b", url)
    assert known.spec.headers == {"X-Key": SECRET}


@pytest.mark.parametrize("url", ["https://evil.example/mcp", "https://evil.example/mcp?…"])
def test_a_secret_never_goes_to_a_server_it_was_not_entered_for(staff: Client, url: str) -> None:
    body = {"name": "a", "url": "https://example.org/mcp?k=1", "headers": {"X-Key": SECRET}}
    server_id = post(staff, "/mcp-servers", body).json()["id"]
    moved = {"name": "a", "url": url, "headers": {"X-Key": None}}
    answer = put(staff, f"/mcp-servers/{server_id}", moved)
    assert answer.status_code in (400, 422)
    assert "must be entered" in answer.json()["message"]


def test_a_test_shows_the_tools_and_agents_get_those_that_are_picked(
    staff: Client, tmp_path: Path
) -> None:
    server_id = post(staff, "/mcp-servers", entry(tmp_path)).json()["id"]
    tried = post(staff, f"/mcp-servers/{server_id}/test").json()
    assert tried["ok"] is True
    assert tried["server"]["server"] == "hand 1"
    assert tried["server"]["state"] == "ok"
    assert {tool["offered_as"] for tool in tried["server"]["tools"]} >= {"mcp__hand__look"}
    assert all(tool["offered"] for tool in tried["server"]["tools"])
    picked = patch(staff, f"/mcp-servers/{server_id}", {"tools": ["look"]}).json()
    assert [tool["name"] for tool in picked["tools"] if tool["offered"]] == ["look"]
    (known,) = known_servers()
    assert known.spec.tools == ("look",)
    every = patch(staff, f"/mcp-servers/{server_id}", {"tools": None}).json()
    assert all(tool["offered"] for tool in every["tools"])
    patch(staff, f"/mcp-servers/{server_id}", {"enabled": False})
    assert known_servers() == []


def test_a_failed_test_says_what_the_server_wrote(staff: Client) -> None:
    code = "import sys; sys.exit('no licence on this machine')"
    body = {"name": "a", "command": sys.executable, "args": ["-c", code]}
    server_id = post(staff, "/mcp-servers", body).json()["id"]
    tried = post(staff, f"/mcp-servers/{server_id}/test").json()
    assert tried["ok"] is False
    assert "no licence on this machine" in tried["message"]
    assert tried["server"]["message"] == tried["message"]
    assert tried["server"]["state"] == "failed"


def test_a_server_whose_secrets_cannot_be_decrypted_says_so_and_can_be_entered_anew(
    staff: Client,
) -> None:
    McpServer.objects.create(name="a", spec_sealed="gAAAA-nonsense")
    shown = staff.get("/api/mcp-servers").json()[0]
    assert (shown["state"], "cannot be decrypted" in shown["message"]) == ("failed", True)
    assert known_servers() == []
    body = {"name": "a", "command": "x"}
    assert put(staff, f"/mcp-servers/{shown['id']}", body).json()["command"] == "x"


def test_whoever_is_not_of_staff_sees_servers_and_starts_none(
    client: Client, tmp_path: Path
) -> None:
    McpServer.objects.create(name="a", spec_sealed="gAAAA-nonsense")
    (shown,) = client.get("/api/mcp-servers").json()
    assert "args" not in shown
    path = f"/mcp-servers/{shown['id']}"
    refused = [
        post(client, "/mcp-servers", entry(tmp_path)),
        post(client, "/mcp-servers/import", {"config": {}}),
        post(client, f"{path}/test"),
        put(client, path, entry(tmp_path)),
        patch(client, path, {"enabled": False}),
        client.delete(f"/api{path}"),
    ]
    assert {answer.status_code for answer in refused} == {403}
    assert "Only staff" in refused[0].json()["message"]
    assert McpServer.objects.count() == 1


def test_a_removed_server_is_gone_and_an_unknown_one_is_said_to_be(staff: Client) -> None:
    server_id = post(staff, "/mcp-servers", {"name": "a", "command": "x"}).json()["id"]
    assert staff.delete(f"/api/mcp-servers/{server_id}").status_code == 204
    for path in (server_id, "nonsense"):
        assert staff.delete(f"/api/mcp-servers/{path}").status_code == 404
