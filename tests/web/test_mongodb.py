"""Definitions on MongoDB: the same application, another database."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from django.core.management import call_command

from tests.web.live_server import WebServer


@pytest.fixture
def server(tmp_path: Path, mongodb_uri: str) -> Iterator[WebServer]:
    uri = f"{mongodb_uri.rstrip('/')}/aworld_{uuid.uuid4().hex[:12]}"
    made = WebServer(tmp_path, AWORLD_MONGODB_URI=uri)
    made.manage("migrate", "-v0")
    yield made
    made.stop()


async def call(
    session: aiohttp.ClientSession, method: str, path: str, **body: Any
) -> tuple[int, Any]:
    """Status and JSON of a call with the CSRF token."""
    tokens = {cookie.key: cookie.value for cookie in session.cookie_jar}
    headers = {"X-CSRFToken": tokens.get("csrftoken", "")}
    async with session.request(method, path, headers=headers, **body) as response:
        return response.status, await response.json() if response.status != 204 else None


async def test_people_teams_models_and_tasks_live_on_mongodb(server: WebServer) -> None:
    seeded = server.manage("aworld_seed")
    again = server.manage("aworld_seed")
    await asyncio.to_thread(server.start)
    async with server.browser() as session:
        _, who = await call(session, "GET", "/api/session")
        _, teams = await call(session, "GET", "/api/teams")
        team = next(team for team in teams if team["name"] == "arithmetic")
        address = f"/api/teams/{team['id']}"
        body = {"definition": {**team["definition"], "description": "Edited"}, "version": 1}
        saved = await call(session, "PUT", address, json=body)
        stale = await call(session, "PUT", address, json=body)
        taken = await call(session, "POST", "/api/teams", json={"definition": {"name": "solver"}})
        model = {"name": "qwen", "provider": "qwen", "model": "qwen3-32b", "api_key": "k" * 20}
        made = await call(session, "POST", "/api/models", json=model)
        form = aiohttp.FormData({"set": "own"})
        form.add_field("file", '{"key": "a", "question": "方程?"}\n', filename="own.jsonl")
        imported = await call(session, "POST", "/api/tasks/import", data=form)
        _, found = await call(session, "GET", "/api/tasks?text=方程")
        removed = await call(session, "DELETE", f"/api/tasks/{found['tasks'][0]['id']}")

    assert who["user"] == {"username": "demo", "is_staff": True}
    assert "team 'arithmetic'" in seeded
    assert again == ""
    assert team["problems"] == []
    assert (saved[0], saved[1]["version"], saved[1]["description"]) == (200, 2, "Edited")
    assert (stale[0], taken[0]) == (409, 409)
    assert (made[0], made[1]["has_key"]) == (201, True)
    assert imported == (200, {"added": 1, "updated": 0, "problems": []})
    assert [task["question"] for task in found["tasks"]] == ["方程?"]
    assert {one["name"]: one["count"] for one in found["sets"]} == {"own": 1, "word problems": 30}
    assert removed == (204, None)
    assert not (server.home / "web.sqlite3").exists()


def test_the_migrations_for_mongodb_say_what_the_models_say(server: WebServer) -> None:
    assert "No changes" in server.manage("makemigrations", "--check", "--dry-run")


@pytest.mark.django_db
def test_the_migrations_say_what_the_models_say(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("makemigrations", "--check", "--dry-run")

    assert "No changes" in capsys.readouterr().out
