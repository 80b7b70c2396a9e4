"""Environments over HTTP: tasks without answers, suites that are brought, episodes by hand."""

from __future__ import annotations

import io
import json
import os
import socket
import subprocess
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from apps.agents.models import ModelConnection, Team
from apps.tasks.environment_services import hands
from aworld.environments.registry import tasks_of
from aworld.storage.base import RunFilter, Store
from tests.environments.locked_box import boxes
from tests.web.recorded import TEAM

pytestmark = pytest.mark.django_db

PROBLEMS = b'{"id": "sum", "problem": "How much is 1+1?", "answer": "SECRET-2"}\n'


@pytest.fixture(autouse=True)
def _closed(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Suites are the installation's; no episode is left open."""
    monkeypatch.setenv("AWORLD_HOME", str(home))
    yield
    hands().shut_down()
    hands.cache_clear()


@pytest.fixture
def box() -> Iterator[None]:
    """Boxes are a kind of environment meanwhile."""
    with boxes():
        yield


@pytest.fixture
def staff(client: Client, ada: User) -> Client:
    """Ada's browser; she is one of staff."""
    ada.is_staff = True
    ada.save()
    return client


def post(client: Client, path: str, body: Any = None) -> Any:
    """POST as JSON."""
    return client.post(f"/api{path}", json.dumps(body or {}), "application/json")


def bring(client: Client, files: dict[str, bytes], **fields: str) -> Any:
    """Import into the environment `math`."""
    uploads = [SimpleUploadedFile(name, data) for name, data in files.items()]
    body = {"suite": "sums", "paths": "\n".join(files), **fields, "files": uploads}
    return client.post("/api/environments/math/import", body)


def team() -> Team:
    """One that can run."""
    ModelConnection.objects.create(name="local", provider="local")
    return Team.objects.create(name="arithmetic", definition=TEAM)


def test_every_kind_says_its_suites_and_what_this_machine_lacks(client: Client) -> None:
    kinds = {kind["name"]: kind for kind in client.get("/api/environments").json()}
    assert set(kinds) >= {"gaia", "math", "osworld", "terminal", "web"}
    suites = {suite["name"]: suite["tasks"] for suite in kinds["gaia"]["suites"]}
    assert suites == {"gaia-own": 30}
    assert all(one["why"] for one in kinds["terminal"]["support"] if not one["supported"])


def test_tasks_are_filtered_and_their_answers_stay_on_the_server(client: Client) -> None:
    answer = client.get("/api/suites/gaia-own/tasks?level=2&tag=zip").json()
    assert answer["count"] == 30
    assert [level["count"] for level in answer["levels"]] == [10, 10, 10]
    assert 0 < answer["total"] < 10
    assert all(task["level"] == "2" and "zip" in task["tags"] for task in answer["tasks"])
    page = client.get("/api/suites/gaia-own/tasks?limit=500").content.decode()
    for task in tasks_of("gaia-own"):
        whole = client.get(f"/api/suites/gaia-own/task?id={task.id}").content.decode()
        assert '"data"' not in whole + page
        assert "Annotator" not in whole + page


def test_a_task_s_files_are_saved_and_no_others(client: Client) -> None:
    task = client.get("/api/suites/gaia-own/task?id=orchard_ledger").json()
    (file,) = task["files"]
    saved = client.get(file["url"])
    assert (saved.status_code, len(saved.content)) == (200, file["size"])
    assert client.get("/api/suites/gaia-own/files/1?task=orchard_ledger").status_code == 404
    assert client.get("/api/suites/gaia-own/task?id=nothing").status_code == 404
    assert client.get("/api/suites/nothing/tasks").status_code == 404


def test_staff_brings_a_suite_and_others_may_not(client: Client, ada: User) -> None:
    assert bring(client, {"a.jsonl": PROBLEMS}).status_code == 403
    ada.is_staff = True
    ada.save()
    made = bring(client, {"folder/a.jsonl": PROBLEMS})
    assert (made.status_code, made.json()["tasks"], made.json()["by"]) == (201, 1, "ada")
    page = client.get("/api/suites/sums/tasks")
    assert page.json()["imported"] is True
    assert b"SECRET" not in page.content
    assert client.delete("/api/suites/sums").status_code == 204
    assert client.delete("/api/suites/gaia-own").status_code == 404


def test_an_archive_that_is_none_or_leads_out_is_refused_in_words(staff: Client) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("../../x.jsonl", PROBLEMS)
    for data, said in ((b"PK no", "cannot be unpacked"), (packed.getvalue(), "leads out")):
        answer = bring(staff, {"a.zip": data})
        assert answer.status_code == 422
        assert said in answer.json()["message"]
    twice = bring(staff, {"a.jsonl": PROBLEMS}, paths="a\na")
    assert twice.status_code == 422


def test_a_person_acts_by_hand_and_is_judged(client: Client, box: None) -> None:
    begun = post(client, "/episodes", {"task": "boxes/plain"})
    assert begun.status_code == 201
    episode = begun.json()
    assert episode["observation"]["text"] == "The dial is at 0."
    assert [action["name"] for action in episode["actions"]] == ["turn", "open"]
    path = f"/episodes/{episode['id']}"
    turned = post(client, f"{path}/step", {"name": "turn", "arguments": {"clicks": 7}}).json()
    assert (turned["steps"], turned["observation"]["text"]) == (1, "The dial is at 7.")
    post(client, f"{path}/step", {"name": "open"})
    judged = post(client, f"{path}/verify", {"answer": "a pearl"}).json()
    assert judged["verdict"]["score"] == 1.0
    assert [entry["kind"] for entry in judged["journal"]] == [
        "environment.reset",
        "environment.stepped",
        "environment.stepped",
        "environment.verified",
    ]
    assert 0 <= judged["idle_s"] < judged["idle_limit_s"]
    assert client.delete(f"/api{path}").status_code == 204
    assert client.get(f"/api{path}").status_code == 404


def test_what_cannot_be_done_is_said_and_the_episode_goes_on(client: Client, box: None) -> None:
    id = post(client, "/episodes", {"task": "boxes/plain"}).json()["id"]
    for action, said in (
        ({"name": "fly"}, "There is no action 'fly'"),
        ({"name": "turn", "arguments": {"clicks": "many"}}, "'turn' does not fit"),
    ):
        answer = post(client, f"/episodes/{id}/step", action)
        assert answer.status_code == 422
        assert said in answer.json()["message"]
    assert post(client, f"/episodes/{id}/observe").status_code == 200
    assert post(client, f"/episodes/{id}/reset").json()["steps"] == 0


def test_an_episode_is_its_person_s_and_one_person_has_two_at_most(
    client: Client, box: None
) -> None:
    id = post(client, "/episodes", {"task": "boxes/plain"}).json()["id"]
    other = Client()
    other.force_login(User.objects.create_user("eve"))
    assert other.get(f"/api/episodes/{id}").status_code == 403
    assert post(other, f"/episodes/{id}/step", {"name": "open"}).status_code == 403
    assert other.delete(f"/api/episodes/{id}").status_code == 403
    assert [row["mine"] for row in other.get("/api/episodes").json()] == [False]
    assert post(other, "/episodes", {"task": "boxes/plain"}).status_code == 201
    assert post(client, "/episodes", {"task": "boxes/plain"}).status_code == 201
    third = post(client, "/episodes", {"task": "boxes/plain"})
    assert third.status_code == 409
    assert [row["task"] for row in third.json()["extra"]["episodes"]] == ["boxes/plain"] * 2


def test_what_a_killed_process_left_is_removed(client: Client, box: None, home: Path) -> None:
    ended = subprocess.Popen(["true"])
    ended.wait()
    host = socket.gethostname()
    (home / "by_hand" / f"{host}-{ended.pid}" / "workspace").mkdir(parents=True)
    (home / "by_hand" / f"elsewhere-{ended.pid}").mkdir()
    post(client, "/episodes", {"task": "boxes/plain"})
    left = {folder.name for folder in (home / "by_hand").iterdir()}
    assert left == {f"{host}-{os.getpid()}", f"elsewhere-{ended.pid}"}


def test_a_suite_is_run_with_a_team_task_by_task(client: Client, store: Store) -> None:
    body = {"team_id": str(team().id), "level": "1", "attempts": 2}
    made = post(client, "/suites/gaia-own/runs", body)
    assert (made.status_code, made.json()["queued"]) == (201, 20)
    page = store.list_runs(RunFilter(tag="suite:gaia-own"), order="queue", limit=50)
    assert page.total == 20
    assert page.runs[0].task_id.startswith("gaia-own/")
    assert page.runs[0].environment["kind"] == "gaia"
    none = post(client, "/suites/gaia-own/runs", {**body, "level": "9"})
    assert none.status_code == 422
    assert "would queue 0 runs" in none.json()["message"]
