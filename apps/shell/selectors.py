"""What every page needs to know first."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.http import HttpRequest

from apps.shell import setup_state
from aworld import __version__


def product_version() -> str:
    """The product's version."""
    return __version__


def setup() -> dict[str, Any]:
    """How far the first set-up is."""
    return setup_state.setup_state(settings.HOME)


def processes() -> list[dict[str, Any]]:
    """What the parent process runs."""
    return setup_state.processes(settings.HOME)


def session(request: HttpRequest) -> dict[str, Any]:
    """Who is there, and what kind of installation this is."""
    user = request.user
    return {
        "user": {"username": user.get_username(), "is_staff": user.is_staff}
        if isinstance(user, User)
        else None,
        "version": product_version(),
        "mode": setup_state.mode(settings.HOME, single_process=settings.SINGLE_PROCESS),
        "setup": setup(),
    }
