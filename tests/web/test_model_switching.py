"""A model is switched in the settings or in config.yaml, and the next run asks the new one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from apps.agents.model_selectors import whole_spec
from aworld.llm.configured import VARIABLE
from tests.openai_server import Failure, OpenAIServer

pytestmark = pytest.mark.django_db

MODEL: dict[str, Any] = {
    "name": "writer",
    "provider": "vllm",
    "model": "m",
    "price": {"input": 1.0, "output": 2.0},
}
JSON = "application/json"


@pytest.fixture(autouse=True)
def config(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    file = tmp_path / "config.yaml"
    monkeypatch.setenv(VARIABLE, str(file))
    monkeypatch.chdir(tmp_path)
    return file


@pytest.fixture
def servers() -> Iterator[tuple[OpenAIServer, OpenAIServer]]:
    with OpenAIServer(default="one") as first, OpenAIServer(default="two") as second:
        yield first, second


def write(config: Path, text: str) -> None:
    config.write_text(text, encoding="utf-8")


def create(client: Client, **fields: Any) -> dict[str, Any]:
    response = client.post("/api/models", {**MODEL, **fields}, content_type=JSON)
    assert response.status_code == 201, response.content
    made: dict[str, Any] = response.json()
    return made


def test_limits_and_fallbacks_are_kept_and_shown(client: Client) -> None:
    limits = {"requests_per_minute": 60, "cost_per_day_usd": 2.5}
    made = create(client, limits=limits, fallbacks=["spare"])
    assert (made["limits"], made["fallbacks"]) == (limits, ["spare"])
    assert made["spending"] == {"day_usd": 0.0, "month_usd": 0.0}
    assert create(client, name="spare")["spending"] is None


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"limits": {"concurrent": 0}}, "give a number above 0"),
        ({"limits": {"calls": 1}}, "There is no limit"),
        ({"limits": {"cost_per_day_usd": 1}, "price": None}, "A budget needs the price"),
        ({"fallbacks": ["writer"]}, "cannot fall back on itself"),
    ],
)
def test_what_cannot_work_is_refused_when_it_is_saved(
    client: Client, fields: dict[str, Any], why: str
) -> None:
    response = client.post("/api/models", {**MODEL, **fields}, content_type=JSON)
    assert response.status_code == 422
    assert why in response.json()["message"]


def test_a_model_of_config_yaml_is_used_instead_and_changed_only_there(
    client: Client, config: Path
) -> None:
    create(client, model="of-settings")
    write(config, "models: {writer: {provider: ollama, model: of-file, api_key: sk-1}}")
    shown = client.get("/api/models").json()
    refused = client.delete("/api/models/config:writer")

    assert [(m["source"], m["hidden"], m["model"]) for m in shown] == [
        ("settings", True, "of-settings"),
        ("config.yaml", False, "of-file"),
    ]
    assert b"sk-1" not in client.get("/api/models/config:writer").content
    assert refused.status_code == 409
    assert "stands in config.yaml" in refused.json()["message"]
    assert (whole_spec("writer") or {})["model"] == "of-file"


def test_a_file_that_cannot_be_read_leaves_the_pages_standing(client: Client, config: Path) -> None:
    create(client)
    write(config, "models: [")
    assert [model["name"] for model in client.get("/api/models").json()] == ["writer"]
    assert client.get("/api/teams").status_code == 200


def test_nonsense_of_the_file_is_shown_as_far_as_it_can_be_read(
    client: Client, config: Path
) -> None:
    write(config, "models: {writer: {price: dear, limits: [1], fallbacks: 7, parameters: x}}")
    (shown,) = client.get("/api/models").json()
    assert (shown["name"], shown["provider"]) == ("writer", "openai-compatible")
    assert (shown["price"], shown["limits"], shown["fallbacks"]) == (None, {}, [])


def test_a_test_asks_this_connection_alone(
    client: Client, servers: tuple[OpenAIServer, OpenAIServer], config: Path
) -> None:
    first, second = servers
    first.reply(Failure(401, "no such key"))
    create(client, name="spare", base_url=second.base_url)
    made = create(client, base_url=first.base_url, fallbacks=["spare"])
    write(config, f"models: {{f: {{provider: vllm, model: m, base_url: {second.base_url}}}}}")

    failed = client.post(f"/api/models/{made['id']}/test").json()
    went_well = client.post("/api/models/config:f/test").json()

    assert (failed["ok"], "no such key" in failed["message"]) == (False, True)
    assert (went_well["ok"], went_well["reply"]) == (True, "two")


def test_presets_say_what_is_different(client: Client) -> None:
    by_name = {provider["name"]: provider for provider in client.get("/api/providers").json()}
    assert by_name["azure"]["url_example"].endswith("/openai/v1")
    assert by_name["anthropic"]["key_env"] == "ANTHROPIC_API_KEY"
    assert all(by_name["qwen"]["quirks"])
