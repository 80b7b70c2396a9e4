"""`/api/tokens`."""

from __future__ import annotations

from django.contrib.auth.base_user import AbstractBaseUser
from django.http import HttpRequest, HttpResponse
from ninja import Router, Schema

from apps.accounts import tokens
from apps.shell.responses import json_response

router = Router()


class TokenIn(Schema):
    """What the token is for, in words of its person."""

    name: str


class TokenOut(Schema):
    """A token, without its secret. Times in UTC microseconds; 0 where it was not used."""

    id: str
    name: str
    hint: str
    created_at: int
    used_at: int


class MadeTokenOut(TokenOut):
    """A fresh token; `secret` is shown this once."""

    secret: str


def _person(request: HttpRequest) -> AbstractBaseUser:
    """Who asks; nobody gets this far without a session."""
    assert isinstance(request.user, AbstractBaseUser)
    return request.user


@router.get("/tokens", response=list[TokenOut], tags=["people"], summary="Your access tokens")
def token_list(request: HttpRequest) -> HttpResponse:
    """Newest first."""
    return json_response(tokens.token_list(_person(request)))


@router.post(
    "/tokens", response={201: MadeTokenOut}, tags=["people"], summary="Make an access token"
)
def token_create(request: HttpRequest, body: TokenIn) -> HttpResponse:
    """201 with the secret, which is never shown again."""
    made = tokens.token_create(_person(request), body.name)
    return json_response({**tokens.token_fields(made.token), "secret": made.secret}, 201)


@router.delete(
    "/tokens/{token_id}", response={204: None}, tags=["people"], summary="Take a token back"
)
def token_delete(request: HttpRequest, token_id: str) -> HttpResponse:
    """204; it does not work from now on."""
    tokens.token_delete(_person(request), token_id)
    return HttpResponse(status=204)
