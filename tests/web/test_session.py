"""Who gets in, and how."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client

from apps.accounts import enter_token
from aworld.storage.base import Store

pytestmark = pytest.mark.django_db


def test_the_session_is_readable_without_a_log_in_and_brings_the_csrf_cookie() -> None:
    response = Client().get("/api/session")

    assert response.status_code == 200
    assert response.json()["user"] is None
    assert response.json()["mode"] == "single-process"
    assert response.json()["setup"] == {"ready": True, "steps": []}
    assert response.cookies["csrftoken"].value


def test_the_session_names_the_person_who_is_logged_in(client: Client) -> None:
    assert client.get("/api/session").json()["user"] == {"username": "ada", "is_staff": False}


def test_the_api_answers_401_with_where_to_log_in_without_a_session() -> None:
    response = Client().get("/api/runs")

    assert response.status_code == 401
    assert response.json()["extra"] == {"login": "/login"}
    assert "not logged in" in response.json()["message"]


def test_pages_lead_to_the_log_in_without_a_session() -> None:
    response = Client().get("/runs/abc?seq=4")

    assert response.status_code == 302
    assert response["Location"] == "/login?next=/runs/abc%3Fseq%3D4"


def test_the_one_time_link_logs_in_once(home: Path) -> None:
    token = enter_token.make(home)
    first, second = Client(), Client()

    entered = first.get("/enter", {"token": token, "next": "/runs"})
    again = second.get("/enter", {"token": token})

    assert (entered.status_code, entered["Location"]) == (302, "/runs")
    assert first.get("/api/session").json()["user"] == {"username": "demo", "is_staff": True}
    assert again.status_code == 403
    assert "used already" in again.content.decode()
    assert second.get("/api/session").json()["user"] is None


def test_a_newer_one_time_link_replaces_the_older(home: Path) -> None:
    old = enter_token.make(home)
    enter_token.make(home)

    assert Client().get("/enter", {"token": old}).status_code == 403


@pytest.mark.parametrize("token", ["", "../secret_key", "unknown"])
def test_a_wrong_token_does_not_log_in(home: Path, token: str) -> None:
    enter_token.make(home)

    assert Client().get("/enter", {"token": token}).status_code == 403


def test_the_one_time_link_works_only_from_this_machine(home: Path) -> None:
    token = enter_token.make(home)

    from_afar = Client().get("/enter", {"token": token}, REMOTE_ADDR="192.0.2.7")
    by_proxy = Client().get("/enter", {"token": token}, headers={"X-Forwarded-For": "192.0.2.7"})

    assert (from_afar.status_code, by_proxy.status_code) == (403, 403)
    assert enter_token.spend(home, token), "a refused visit does not spend the token"


def test_the_one_time_link_does_not_lead_to_another_site(home: Path) -> None:
    token = enter_token.make(home)

    response = Client().get("/enter", {"token": token, "next": "https://evil.example/"})

    assert response["Location"] == "/"


def test_a_password_logs_in(ada: User) -> None:
    browser = Client()

    page = browser.get("/login")
    wrong = browser.post("/login", {"username": "ada", "password": "no"})
    right = browser.post("/login", {"username": "ada", "password": "a long word", "next": "/teams"})

    assert "aworld up" in page.content.decode()
    assert "correct username and password" in wrong.content.decode()
    assert (right.status_code, right["Location"]) == (302, "/teams")


def test_a_change_without_the_csrf_token_is_refused(ada: User, store: Store) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(ada)
    body = {"definition": {"name": "t", "agents": []}}

    refused = browser.post("/api/teams", body, content_type="application/json")
    browser.get("/api/session")
    token = browser.cookies["csrftoken"].value
    accepted = browser.post(
        "/api/teams", body, content_type="application/json", headers={"X-CSRFToken": token}
    )

    assert refused.status_code == 403
    assert "X-CSRFToken" in refused.json()["message"]
    assert accepted.status_code == 201


def test_a_foreign_host_name_is_refused(client: Client) -> None:
    assert client.get("/api/session", headers={"Host": "evil.example"}).status_code == 400


def test_pages_may_only_load_what_comes_from_here(client: Client) -> None:
    policy = client.get("/api/session")["Content-Security-Policy"]

    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy


def test_messages_come_in_chinese_where_the_browser_asks_for_it(client: Client) -> None:
    response = client.get("/api/runs/none", headers={"Accept-Language": "zh-CN,zh;q=0.9"})

    assert "none" in response.json()["message"]
    assert "运行" in response.json()["message"]
