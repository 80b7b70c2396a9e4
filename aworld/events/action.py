"""`tool.*` and `environment.*`: what is done to the world."""

from __future__ import annotations

from typing import Any

from aworld.events.envelope import Payload


class ToolCalled(Payload, frozen=True, tag="tool.called"):
    """A tool is called. Opens a span."""

    tool: str
    arguments: dict[str, Any]
    call_id: str = ""
    """The model's id of the call, which the answer must carry back."""
    effect: str = "unsafe"
    """`read_only`, `idempotent` or `unsafe`: what may be done after a crash."""


class ToolReturned(Payload, frozen=True, tag="tool.returned"):
    """The tool's result. Closes its span."""

    tool: str
    text: str
    data: Any = None
    call_id: str = ""
    attachments: tuple[dict[str, Any], ...] = ()
    """`{name, media_type, size, blob}`; the bytes are in the blob store."""
    source: str = ""
    """Where the outcome comes from if not from the tool: `replay:<seq>` (the parent's), `mock`, or
    `person:<name>`."""


class ToolFailed(Payload, frozen=True, tag="tool.failed"):
    """The tool could not, was refused, or does not exist; the model is told `error`. Closes its
    span where one was opened."""

    tool: str
    error: str
    call_id: str = ""
    reason: str = "error"
    """`error`, `timeout`, `unknown_tool`, `malformed_call`, `refused`, `cancelled`."""
    source: str = ""
    """As on `tool.returned`."""


class ToolOutcomeUnknown(Payload, frozen=True, tag="tool.outcome_unknown"):
    """The worker died between call and result of a tool that must not run twice."""

    tool: str
    call_id: str = ""


class EnvironmentReset(Payload, frozen=True, tag="environment.reset"):
    """An environment starts a task."""

    environment: str
    task: str = ""


class EnvironmentObserved(Payload, frozen=True, tag="environment.observed"):
    """What can be seen of it."""

    observation: Any
    observation_hash: str = ""


class EnvironmentStepped(Payload, frozen=True, tag="environment.stepped"):
    """An action was carried out."""

    action: Any


class EnvironmentVerified(Payload, frozen=True, tag="environment.verified"):
    """The environment's own judgement."""

    score: float
    why: str = ""
