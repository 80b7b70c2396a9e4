"""Access tokens: shown once, kept as digests, taken back."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from apps.accounts.models import AccessToken
from apps.accounts.tokens import token_create, token_user

pytestmark = pytest.mark.django_db


def make(client: Client, name: str) -> Any:
    """POST /api/tokens."""
    return client.post("/api/tokens", json.dumps({"name": name}), "application/json")


def test_a_token_is_shown_once_and_stands_for_its_person(client: Client, ada: User) -> None:
    made = make(client, "my editor")
    assert made.status_code == 201
    secret = made.json()["secret"]
    assert token_user(secret) == ada
    listed = client.get("/api/tokens")
    assert secret not in listed.content.decode()
    (token,) = listed.json()
    assert (token["name"], token["hint"]) == ("my editor", secret[-4:])
    assert token["used_at"] > 0
    assert secret not in str(AccessToken.objects.values().get())


def test_a_token_that_was_taken_back_stands_for_nobody(client: Client) -> None:
    made = make(client, "x").json()
    assert client.delete(f"/api/tokens/{made['id']}").status_code == 204
    assert token_user(made["secret"]) is None
    assert client.delete(f"/api/tokens/{made['id']}").status_code == 404


def test_a_token_of_somebody_who_may_not_come_in_any_more_stands_for_nobody(ada: User) -> None:
    secret = token_create(ada, "x").secret
    User.objects.filter(pk=ada.pk).update(is_active=False)
    assert token_user(secret) is None


def test_nobody_sees_or_takes_back_anothers_token(client: Client) -> None:
    other = User.objects.create_user("bob", password="a long word")
    token = token_create(other, "his")
    assert client.get("/api/tokens").json() == []
    assert client.delete(f"/api/tokens/{token.token.id}").status_code == 404
    assert token_user(token.secret) == other


@pytest.mark.parametrize("secret", ["", "aw_", "aw_x" * 99, "Bearer", "aw_\0"])
def test_what_is_no_token_stands_for_nobody(secret: str) -> None:
    assert token_user(secret) is None


@pytest.mark.parametrize("name", ["", " ", "x" * 121])
def test_a_token_without_a_usable_name_is_not_made(client: Client, name: str) -> None:
    assert make(client, name).status_code in (400, 422)
    assert not AccessToken.objects.exists()
