"""Model connections over HTTP: their keys go in and never come out."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from apps.agents.model_selectors import model_spec, model_spec_named
from apps.agents.models import ModelConnection
from tests.openai_server import Failure, OpenAIServer

pytestmark = pytest.mark.django_db

KEY = "sk-live-0123456789abcdefWXYZ"
QWEN = {"name": "qwen", "provider": "qwen", "model": "qwen3-32b", "api_key": KEY}


def create(client: Client, **fields: Any) -> dict[str, Any]:
    response = client.post("/api/models", {**QWEN, **fields}, content_type="application/json")
    assert response.status_code == 201, response.content
    model: dict[str, Any] = response.json()
    return model


def test_a_key_is_stored_sealed_and_shown_only_by_its_end(
    client: Client, home: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    made = create(client)

    answers = [
        client.get("/api/models").content,
        client.get(f"/api/models/{made['id']}").content,
        client.put(
            f"/api/models/{made['id']}", {**QWEN, "api_key": None}, content_type="application/json"
        ).content,
        client.get("/api/openapi.json").content,
    ]

    stored = ModelConnection.objects.get()
    spec = model_spec(stored)
    assert (made["has_key"], made["key_hint"]) == (True, "WXYZ")
    assert all(KEY.encode() not in answer for answer in answers)
    assert KEY not in stored.key_sealed
    assert KEY not in caplog.text
    assert KEY not in repr(spec)
    assert spec.api_key == KEY
    assert (home / "encryption_key").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"base_url": "http://ann:secret@x/v1"}, "holds a user name"),
        ({"base_url": "http://[x/v1"}, "is not an HTTP URL"),
        ({"api_key": "sk\r\nX-Other: 1"}, "a line break"),
        ({"parameters": {"temperature": "hot"}}, "cannot be used"),
    ],
)
def test_a_connection_that_cannot_work_is_refused_when_it_is_saved(
    client: Client, fields: dict[str, Any], why: str
) -> None:
    response = client.post("/api/models", {**QWEN, **fields}, content_type="application/json")

    assert response.status_code == 422
    assert why in response.json()["message"]
    assert "secret" not in response.json()["message"]
    assert not ModelConnection.objects.exists()


def test_a_short_key_gives_no_hint(client: Client) -> None:
    assert create(client, api_key="secret")["key_hint"] == ""


def test_saving_without_a_key_keeps_it_and_an_empty_one_removes_it(client: Client) -> None:
    made = create(client)
    address = f"/api/models/{made['id']}"
    without = {name: value for name, value in QWEN.items() if name != "api_key"}

    kept = client.put(address, {**without, "model": "qwen3-8b"}, content_type="application/json")
    spec = model_spec_named("qwen")
    removed = client.put(address, {**without, "api_key": ""}, content_type="application/json")

    assert (kept.json()["has_key"], kept.json()["model"]) == (True, "qwen3-8b")
    assert spec is not None
    assert spec.api_key == KEY
    assert removed.json()["has_key"] is False


def test_a_key_does_not_follow_its_connection_to_another_server(client: Client) -> None:
    made = create(client)
    moved = {**QWEN, "base_url": "https://elsewhere.example/v1", "api_key": None}

    response = client.put(f"/api/models/{made['id']}", moved, content_type="application/json")

    assert response.status_code == 422
    assert "Enter its key again" in response.json()["message"]
    assert ModelConnection.objects.get().base_url == ""


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"provider": "qwn"}, "'qwen'"),
        ({"base_url": "ftp://host"}, "'ftp://host'"),
        ({"name": " "}, "name"),
        ({"price": {"input": -1.0, "output": 1.0}}, "negative"),
    ],
)
def test_a_field_that_cannot_be_used_is_named(
    client: Client, fields: dict[str, Any], named: str
) -> None:
    response = client.post("/api/models", {**QWEN, **fields}, content_type="application/json")

    assert response.status_code == 422
    assert named in response.json()["message"]


def test_a_name_is_taken_once(client: Client) -> None:
    create(client)

    response = client.post("/api/models", QWEN, content_type="application/json")

    assert response.status_code == 409


def test_providers_are_listed(client: Client) -> None:
    names = {provider["name"] for provider in client.get("/api/providers").json()}

    assert {"local", "qwen", "openai-compatible"} <= names


def test_a_connection_is_tried_with_one_question(client: Client) -> None:
    with OpenAIServer(["ready"]) as server:
        made = create(client, provider="openai-compatible", base_url=server.base_url)
        outcome = client.post(f"/api/models/{made['id']}/test").json()
        sent = server.requests[0]

    assert (outcome["ok"], outcome["reply"]) == (True, "ready")
    assert outcome["latency_ms"] >= 0
    assert sent.headers["authorization"] == f"Bearer {KEY}"
    assert ModelConnection.objects.get().state == "ok"


def test_a_wrong_key_shows_the_providers_own_words_and_not_the_key(client: Client) -> None:
    words = "Incorrect API key provided. You can find yours on the console."
    with OpenAIServer([Failure(401, words)]) as server:
        made = create(client, provider="openai-compatible", base_url=server.base_url)
        response = client.post(f"/api/models/{made['id']}/test")

    assert response.status_code == 200
    assert response.json()["ok"] is False
    assert words in response.json()["message"]
    assert KEY not in response.content.decode()
    assert ModelConnection.objects.get().state == "failed"


def test_a_server_that_is_not_there_is_a_failed_test(client: Client) -> None:
    with OpenAIServer() as server:
        address = server.base_url
    made = create(client, provider="openai-compatible", base_url=address)

    outcome = client.post(f"/api/models/{made['id']}/test").json()

    assert outcome["ok"] is False
    assert outcome["message"]
