"""What the API's description says of answers. They are encoded by msgspec; nothing is rebuilt."""

from __future__ import annotations

from typing import Any, get_type_hints

from ninja import Schema
from pydantic import create_model

from aworld.storage.base import RunRecord

# From the store's own row, so that the description cannot drift from it.
_ROW: dict[str, Any] = {
    name: (hint, ...)
    for name, hint in get_type_hints(RunRecord).items()
    if name not in {"team", "environment"}
}
RunOut: type[Schema] = create_model("Run", __base__=Schema, **_ROW)


class RunDetailOut(RunOut):  # type: ignore[misc, valid-type]
    """A run with its team, the runs forked from it, its labels, and `{by, until}` of whoever
    debugs it."""

    team: dict[str, Any]
    environment: dict[str, Any]
    forks: list[str]
    labels: list[dict[str, Any]]
    debugger: dict[str, Any] | None


class RunListOut(Schema):
    """A page of runs; `total` match, `counts` are of all runs by status."""

    runs: list[RunOut]  # type: ignore[valid-type]
    total: int
    counts: dict[str, int]


class EventsOut(Schema):
    """Events as `aworld.events.union.encode_json` writes them, and the run's newest seq."""

    events: list[dict[str, Any]]
    last_seq: int


class MessageOut(Schema):
    """One message of a prompt, and the event it comes from."""

    role: str
    content: str
    tool_calls: list[dict[str, Any]]
    tool_call_id: str
    name: str
    from_seq: int


class PromptOut(Schema):
    """A prompt as it was sent."""

    messages: list[MessageOut]
    tools: list[dict[str, Any]]
    parameters: dict[str, Any]


class TextOut(Schema):
    """Text to copy."""

    text: str


class ProcessOut(Schema):
    """A process that the parent watches, or a worker elsewhere; times in UTC microseconds."""

    name: str
    state: str
    pid: int | None
    restarts: int
    since: int
    last_line: str
    runs: list[str]
