"""Runs over HTTP."""

from __future__ import annotations

import json
import os
import struct
import subprocess
import sys
from array import array
from pathlib import Path

import pytest
from django.test import Client

from apps.agents.models import ModelConnection
from aworld.events.run import RunCancelled
from aworld.events.union import encode_json
from aworld.storage.base import RunRecord, Store
from tests.openai_server import OpenAIServer
from tests.web import recorded

pytestmark = pytest.mark.django_db


def test_runs_are_listed_failures_first_with_counts(client: Client, store: Store) -> None:
    good = recorded.finished_run(store)
    bad = recorded.failed_run(store)
    waiting = recorded.queued_run(store)

    answer = client.get("/api/runs").json()

    assert answer["runs"][0]["run_id"] == bad.run_id
    assert {run["run_id"] for run in answer["runs"]} == {good.run_id, bad.run_id, waiting.run_id}
    assert answer["total"] == 3
    assert {name: n for name, n in answer["counts"].items() if n} == {
        "finished": 1,
        "failed": 1,
        "queued": 1,
    }
    assert "team" not in answer["runs"][0]


def test_runs_are_filtered_by_several_statuses(client: Client, store: Store) -> None:
    recorded.finished_run(store)
    bad = recorded.failed_run(store)
    waiting = recorded.queued_run(store)

    answer = client.get("/api/runs?status=failed,queued&order=newest").json()

    assert [run["run_id"] for run in answer["runs"]] == [waiting.run_id, bad.run_id]


@pytest.mark.parametrize(
    ("query", "named"), [("status=broken", "'broken'"), ("order=random", "'random'")]
)
def test_an_unknown_filter_is_named_with_what_there_is(
    client: Client, query: str, named: str
) -> None:
    response = client.get(f"/api/runs?{query}")

    assert response.status_code == 422
    assert named in response.json()["message"]
    assert "newest" in response.json()["message"] or "queued" in response.json()["message"]


def test_a_run_has_its_team_forks_and_labels(client: Client, store: Store) -> None:
    run = recorded.finished_run(store)
    store.put_label(run.run_id, "correct", True, by="ada")

    answer = client.get(f"/api/runs/{run.run_id}").json()

    assert answer["team"] == recorded.TEAM
    assert answer["forks"] == []
    assert [(label["name"], label["value"]) for label in answer["labels"]] == [("correct", True)]
    assert (answer["status"], answer["answer"], answer["last_seq"]) == ("finished", "5", 8)


def test_a_run_that_is_not_there_is_named(client: Client) -> None:
    response = client.get("/api/runs/nothing")

    assert response.status_code == 404
    assert "'nothing'" in response.json()["message"]


def test_events_are_the_bytes_of_the_one_encoder(client: Client, store: Store) -> None:
    run = recorded.finished_run(store)

    body = client.get(f"/api/runs/{run.run_id}/events?after=2&limit=3").content

    expected = b",".join(encode_json(event) for event in store.read(run.run_id, after=2, limit=3))
    assert body == b'{"events":[' + expected + b'],"last_seq":8}'


def test_events_are_filtered_by_kind_actor_and_severity(client: Client, store: Store) -> None:
    run = recorded.failed_run(store)

    def seqs(query: str) -> list[int]:
        answer = client.get(f"/api/runs/{run.run_id}/events?{query}").json()
        return [event["seq"] for event in answer["events"]]

    assert seqs("kinds=tool.called,tool.failed") == [2, 3]
    assert seqs("actors=supervisor") == [0, 1, 4]
    assert seqs("min_severity=2") == [3, 4]


def test_one_event_has_its_payload_whole(client: Client, store: Store) -> None:
    question = "长" * 20_000
    run = recorded.finished_run(store, question)

    listed = client.get(f"/api/runs/{run.run_id}/events?after=2&limit=1").json()["events"][0]
    whole = client.get(f"/api/runs/{run.run_id}/events/3")

    assert listed["payload"]["kind"] == "payload.offloaded"
    assert whole.json()["payload"]["content"] == question
    assert "长" in whole.content.decode()


def test_an_event_that_is_not_there_is_named(client: Client, store: Store) -> None:
    run = recorded.finished_run(store)

    response = client.get(f"/api/runs/{run.run_id}/events/99")

    assert response.status_code == 404
    assert "99" in response.json()["message"]


def test_bars_are_columns_that_start_at_multiples_of_eight(client: Client, store: Store) -> None:
    run = recorded.failed_run(store)

    body = client.get(f"/api/runs/{run.run_id}/bars?level=0").content
    magic, head_length = struct.unpack_from("<II", body)
    head = json.loads(body[8 : 8 + head_length])
    bars = store.bars(run.run_id, 0)
    count, at = head["count"], 8 + head_length
    columns: dict[str, list[float]] = {}
    for name, code, size in (
        ("start", "d", 8),
        ("end", "d", 8),
        ("lane", "I", 4),
        ("count", "I", 4),
        ("severity_seq", "I", 4),
        ("longest_seq", "I", 4),
        ("tokens", "I", 4),
        ("cost_usd", "f", 4),
        ("severity", "B", 1),
        ("family", "B", 1),
    ):
        assert at % 8 == 0, name
        columns[name] = list(array(code, body[at : at + size * count]))
        at += size * count + (-size * count % 8)

    assert magic == 0x31524142
    assert at == len(body)
    assert head["lanes"] == bars.lanes
    assert (head["last_seq"], head["run_start_at"]) == (4, store.read(run.run_id)[0].at)
    assert columns["start"] == bars.start
    assert columns["severity"] == bars.severity
    assert columns["severity_seq"] == [seq if seq >= 0 else 0xFFFFFFFF for seq in bars.severity_seq]


def test_bars_between_two_times_are_the_stores(client: Client, store: Store) -> None:
    run = recorded.finished_run(store)

    body = client.get(f"/api/runs/{run.run_id}/bars?level=0&start=2000.5&end=4999.2").content
    head = json.loads(body[8 : 8 + struct.unpack_from("<II", body)[1]])

    assert head["count"] == len(store.bars(run.run_id, 0, start=2000, end=5000).lane)
    assert 0 < head["count"] < 9


def test_a_level_that_there_is_not_is_refused(client: Client, store: Store) -> None:
    run = recorded.finished_run(store)

    response = client.get(f"/api/runs/{run.run_id}/bars?level=13")

    assert response.status_code == 422
    assert "level 13" in response.json()["message"]


def test_the_prompt_of_a_model_call_is_shown_as_sent(client: Client, store: Store) -> None:
    run = recorded.finished_run(store)

    answer = client.get(f"/api/runs/{run.run_id}/context/4").json()

    assert [(m["role"], m["content"], m["from_seq"]) for m in answer["messages"]] == [
        ("system", "You solve questions.", 2),
        ("user", "How much is 2 plus 3?", 3),
    ]
    assert [tool["name"] for tool in answer["tools"]] == ["calculator"]


def test_the_prompt_of_another_event_is_refused(client: Client, store: Store) -> None:
    run = recorded.finished_run(store)

    response = client.get(f"/api/runs/{run.run_id}/context/6")

    assert response.status_code == 422
    assert "'tool.called'" in response.json()["message"]


def test_a_stored_team_is_queued_with_a_copy_of_its_definition(
    client: Client, store: Store
) -> None:
    ModelConnection.objects.create(name="local", provider="local")
    team = client.post(
        "/api/teams", {"definition": recorded.TEAM}, content_type="application/json"
    ).json()

    response = client.post(
        "/api/runs",
        {"team_id": team["id"], "input": "How much is 6 times 7?", "priority": 2},
        content_type="application/json",
    )

    run = response.json()
    assert response.status_code == 201
    assert (run["status"], run["source"], run["priority"]) == ("queued", "web", 2)
    assert store.get_run(run["run_id"]).team == recorded.TEAM
    assert [event.kind for event in store.read(run["run_id"])] == ["run.created"]


def test_a_team_that_cannot_run_says_why_before_it_runs(client: Client, store: Store) -> None:
    team = {"name": "empty", "agents": []}

    response = client.post(
        "/api/runs", {"team": team, "input": "?"}, content_type="application/json"
    )

    assert response.status_code == 422
    assert [problem["where"] for problem in response.json()["extra"]["problems"]] == ["agents"]
    assert store.list_runs().total == 0


@pytest.mark.parametrize(
    "body", [{"input": " ", "team": recorded.TEAM}, {"input": "x"}, {"team": recorded.TEAM}]
)
def test_a_run_without_question_or_team_is_refused(
    client: Client, store: Store, body: dict[str, object]
) -> None:
    response = client.post("/api/runs", body, content_type="application/json")

    assert response.status_code == 422
    assert store.list_runs().total == 0


def test_a_queued_run_that_is_cancelled_ends_with_an_event(client: Client, store: Store) -> None:
    run = recorded.queued_run(store)

    answer = client.post(f"/api/runs/{run.run_id}/cancel").json()

    last = store.read(run.run_id)[-1]
    assert answer["status"] == "cancelled"
    assert isinstance(last.payload, RunCancelled)
    assert last.payload.by == "ada"


def test_a_running_run_gets_commands(client: Client, store: Store) -> None:
    run = recorded.queued_run(store)
    recorded.started(store, run.run_id)

    client.post(f"/api/runs/{run.run_id}/pause")
    client.post(f"/api/runs/{run.run_id}/cancel")

    assert [(c.name, c.by) for c in store.commands(run.run_id)] == [
        ("pause", "ada"),
        ("cancel", "ada"),
    ]


@pytest.mark.parametrize("command", ["pause", "resume"])
def test_a_command_that_does_not_fit_the_state_is_refused(
    client: Client, store: Store, command: str
) -> None:
    run = recorded.finished_run(store)

    response = client.post(f"/api/runs/{run.run_id}/{command}")

    assert response.status_code == 409
    assert "finished" in response.json()["message"]


def test_an_answer_where_nobody_asks_is_refused(client: Client, store: Store) -> None:
    run = recorded.queued_run(store)

    response = client.post(
        f"/api/runs/{run.run_id}/answer",
        {"span": 0, "answer": "42"},
        content_type="application/json",
    )

    assert response.status_code == 409


def test_the_queue_is_reordered_by_placing_a_run_before_another(
    client: Client, store: Store
) -> None:
    first, second, third = (recorded.queued_run(store, name) for name in "abc")

    client.patch(
        f"/api/runs/{third.run_id}", {"before": second.run_id}, content_type="application/json"
    )

    queue = client.get("/api/runs?status=queued&order=queue").json()["runs"]
    assert [run["run_id"] for run in queue] == [first.run_id, third.run_id, second.run_id]


def test_a_run_placed_first_is_taken_next(client: Client, store: Store) -> None:
    first, second = (recorded.queued_run(store, name) for name in "ab")

    client.patch(
        f"/api/runs/{second.run_id}", {"before": first.run_id}, content_type="application/json"
    )

    lease = store.claim("worker", ttl_s=60)
    assert lease is not None
    assert lease.run_id == second.run_id


def test_a_run_that_left_the_queue_cannot_be_moved(client: Client, store: Store) -> None:
    run = recorded.finished_run(store)

    response = client.patch(
        f"/api/runs/{run.run_id}", {"priority": 5}, content_type="application/json"
    )

    assert response.status_code == 409


def test_tags_are_set_on_any_run(client: Client, store: Store) -> None:
    run = recorded.finished_run(store)

    answer = client.patch(
        f"/api/runs/{run.run_id}",
        {"tags": ["good", "good", " seen "]},
        content_type="application/json",
    ).json()

    assert answer["tags"] == ["good", "seen"]


def test_a_deleted_run_is_gone(client: Client, store: Store) -> None:
    run = recorded.finished_run(store)

    response = client.delete(f"/api/runs/{run.run_id}")

    assert (response.status_code, response.content) == (204, b"")
    assert client.get(f"/api/runs/{run.run_id}").status_code == 404


def test_a_running_run_is_not_deleted(client: Client, store: Store) -> None:
    run = recorded.queued_run(store)
    recorded.started(store, run.run_id)

    response = client.delete(f"/api/runs/{run.run_id}")

    assert response.status_code == 409
    assert "Cancel it" in response.json()["message"]


def test_a_search_finds_events_in_two_chinese_characters(client: Client, store: Store) -> None:
    run = recorded.finished_run(store, "求解一元二次方程")

    answer = client.get("/api/search", {"q": "方程"}).json()

    assert {hit["run_id"] for hit in answer["hits"]} == {run.run_id}
    assert answer["indexed"] is True
    assert "方程" in answer["hits"][0]["snippet"]


def test_a_run_copied_as_python_runs_again(client: Client, store: Store, tmp_path: Path) -> None:
    question = 'Say "你好"\n'
    with OpenAIServer(["Answer: 你好"]) as provider:
        ModelConnection.objects.create(
            name="local",
            provider="openai-compatible",
            model="m",
            base_url=provider.base_url,
            key_sealed="sealed",
            parameters={"temperature": 0.5},
        )
        run = recorded.finished_run(store, question)
        text = client.get(f"/api/runs/{run.run_id}/copy?as=python").json()["text"]
        done = subprocess.run(
            [sys.executable, "-c", text],
            env={**os.environ, "AWORLD_HOME": str(tmp_path), "AWORLD_LLM_API_KEY": "sk-own"},
            capture_output=True,
            encoding="utf-8",
            check=False,
            timeout=60,
        )

    assert done.returncode == 0, done.stderr
    sent = provider.requests[0]
    assert "sealed" not in text
    assert "你好" in done.stdout
    assert sent.body["messages"][-1]["content"] == question
    assert sent.body["temperature"] == 0.5
    assert [tool["function"]["name"] for tool in sent.body["tools"]] == ["calculator"]
    assert sent.headers["authorization"] == "Bearer sk-own"


def test_a_run_is_copied_as_a_curl_call(client: Client, store: Store) -> None:
    run = recorded.finished_run(store, "It's 2+3")

    text = client.get(f"/api/runs/{run.run_id}/copy?as=curl").json()["text"]

    assert "http://testserver/api/runs" in text
    assert "X-CSRFToken" in text


def test_an_unknown_form_of_copy_is_refused(client: Client, store: Store) -> None:
    run = recorded.finished_run(store)

    assert client.get(f"/api/runs/{run.run_id}/copy?as=perl").status_code == 422


def test_the_api_describes_itself(client: Client) -> None:
    description = client.get("/api/openapi.json").json()
    paths, shapes = description["paths"], description["components"]["schemas"]

    assert {"/api/session", "/api/runs", "/api/runs/{run_id}/bars", "/api/tasks/import"} <= set(
        paths
    )
    assert client.get("/api/docs").status_code == 200
    assert set(shapes["Run"]["properties"]) == set(RunRecord.__struct_fields__) - {
        "team",
        "environment",
    }
    assert set(shapes["ModelOut"]["properties"]).isdisjoint({"api_key", "key_sealed"})


def test_an_address_that_there_is_not_answers_in_the_same_shape(client: Client) -> None:
    response = client.get("/api/nothing")

    assert response.status_code == 404
    assert response.json()["extra"] == {"docs": "/api/docs"}
