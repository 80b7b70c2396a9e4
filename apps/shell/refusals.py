"""What the API says no with: each has a status and, where it helps, data beside the sentence."""

from __future__ import annotations

from typing import Any


class Refusal(Exception):
    """A request that cannot be carried out. The message says what, which, and what to do."""

    status = 400

    def __init__(self, message: str, **extra: Any) -> None:
        super().__init__(message)
        self.message = message
        self.extra = extra


class Invalid(Refusal):
    """What was sent cannot work; `extra` names the places."""

    status = 422


class Missing(Refusal):
    """There is no such thing."""

    status = 404


class Conflict(Refusal):
    """The thing has changed, or is in a state that does not allow this."""

    status = 409


class Forbidden(Refusal):
    """This person may not do that."""

    status = 403
