"""Who may come in."""

from __future__ import annotations

import ipaddress

from django.conf import settings
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.utils.translation import gettext as _

from apps.accounts import enter_token
from apps.shell.refusals import Forbidden

DEMO = "demo"
"""The person that the one-time link logs in; has no password."""


def from_loopback(request: HttpRequest) -> bool:
    """Whether the browser is on this machine; a proxy's visitors are not."""
    if request.headers.get("X-Forwarded-For") or request.headers.get("Forwarded"):
        return False
    try:
        return ipaddress.ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False


def demo_user() -> User:
    """The owner of a local installation; made where there is none yet."""
    user, made = User.objects.get_or_create(
        username=DEMO, defaults={"is_staff": True, "is_superuser": True}
    )
    if made:
        user.set_unusable_password()
        user.save(update_fields=["password"])
    return user


def enter_with_token(request: HttpRequest, token: str) -> User:
    """The person whom a one-time link logs in.

    Raises:
        Forbidden: not from this machine, or the token is unknown or used.
    """
    if not from_loopback(request):
        raise Forbidden(
            _(
                "A one-time link works only in a browser on the machine that runs the server. "
                "Log in with a user name and a password instead."
            )
        )
    if not enter_token.spend(settings.HOME, token):
        raise Forbidden(
            _(
                "This link was used already, or a newer one replaced it. "
                "'aworld up' prints a new one each time it starts."
            )
        )
    return demo_user()
