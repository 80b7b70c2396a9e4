"""Tokens with which programs act for a person: made, listed, taken back, recognised."""

from __future__ import annotations

import hashlib
import secrets
import uuid
from typing import Any, NamedTuple

from django.contrib.auth.models import AbstractBaseUser, User
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from apps.accounts.models import AccessToken
from apps.shell.refusals import Invalid, Missing
from aworld.events.envelope import Clock

PREFIX = "aw_"
HINT_CHARACTERS = 4
MOST_NAME = 120
MOST_TOKENS = 50
"""Of one person."""
USE_NOTED_US = 60_000_000
"""How old a noted use must be before another is noted."""


class MadeToken(NamedTuple):
    """A fresh token; its secret is never seen again."""

    token: AccessToken
    secret: str


def token_create(user: AbstractBaseUser, name: str) -> MadeToken:
    """Make a token.

    Raises:
        Invalid: it has no name, or too long a one, or the person has too many.
    """
    name = name.strip()
    if not name or len(name) > MOST_NAME:
        raise Invalid(_("A token needs a name of 1 to %(most)d characters.") % {"most": MOST_NAME})
    if AccessToken.objects.filter(username=user.get_username()).count() >= MOST_TOKENS:
        raise Invalid(_("You have %(most)d tokens. Remove one first.") % {"most": MOST_TOKENS})
    secret = PREFIX + secrets.token_urlsafe(32)
    token = AccessToken.objects.create(
        username=user.get_username(),
        name=name,
        digest=_digest(secret),
        hint=secret[-HINT_CHARACTERS:],
        created_at=Clock().now(),
    )
    return MadeToken(token, secret)


def token_delete(user: AbstractBaseUser, token_id: str) -> None:
    """Take a token back; it does not work from now on.

    Raises:
        Missing: the person has no such token.
    """
    try:
        found = AccessToken.objects.get(pk=uuid.UUID(str(token_id)), username=user.get_username())
    except (AccessToken.DoesNotExist, ValidationError, ValueError):
        raise Missing(_("You have no such token; it may have been removed.")) from None
    found.delete()


def token_list(user: AbstractBaseUser) -> list[dict[str, Any]]:
    """A person's tokens, newest first, without their secrets."""
    return [token_fields(one) for one in AccessToken.objects.filter(username=user.get_username())]


def token_fields(token: AccessToken) -> dict[str, Any]:
    """`{id, name, hint, created_at, used_at}`."""
    return {
        "id": str(token.id),
        "name": token.name,
        "hint": token.hint,
        "created_at": token.created_at,
        "used_at": token.used_at,
    }


def token_user(secret: str) -> User | None:
    """The person whose token it is; None where it is nobody's, or the person may not come in."""
    if not secret.startswith(PREFIX):
        return None
    token = AccessToken.objects.filter(digest=_digest(secret)).first()
    if token is None:
        return None
    user = User.objects.filter(username=token.username, is_active=True).first()
    now = Clock().now()
    if user is not None and now - token.used_at > USE_NOTED_US:
        AccessToken.objects.filter(pk=token.pk).update(used_at=now)
    return user


def _digest(secret: str) -> str:
    # 256 random bits: nothing is gained by a slow hash.
    return hashlib.sha256(secret.encode()).hexdigest()
