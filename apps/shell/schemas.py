"""What the API's description says of answers."""

from __future__ import annotations

from typing import Any, Literal

from ninja import Schema


class ErrorOut(Schema):
    """Every error: what, which, and what to do; `extra` has data beside it."""

    message: str
    extra: dict[str, Any]


class UserOut(Schema):
    """Who is logged in."""

    username: str
    is_staff: bool


class StepOut(Schema):
    """One step of the set-up; `progress` from 0 to 1, null where it cannot be told."""

    name: str
    state: Literal["waiting", "running", "done", "failed"]
    detail: str
    progress: float | None


class SetupOut(Schema):
    """How far the set-up is."""

    ready: bool
    steps: list[StepOut]


class SessionOut(Schema):
    """Who is there, and what kind of installation this is."""

    user: UserOut | None
    version: str
    mode: Literal["embedded", "cluster", "single-process"]
    setup: SetupOut


class HitOut(Schema):
    """One event that contains the searched text."""

    run_id: str
    seq: int
    kind: str
    actor: str
    snippet: str


class SearchOut(Schema):
    """Hits; `indexed` is false while some events are not searchable yet."""

    hits: list[HitOut]
    indexed: bool
