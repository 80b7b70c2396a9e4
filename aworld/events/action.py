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
    observation_hash: str = ""
    """Of an environment's action: sha256 of what must be seen again when it is repeated."""
    snapshot: str = ""
    """Of an environment's action: the blob that holds the whole world after it, where it offers
    one."""


class ToolFailed(Payload, frozen=True, tag="tool.failed"):
    """The tool could not, was refused, or does not exist; the model is told `error`. Closes its
    span where one was opened."""

    tool: str
    error: str
    call_id: str = ""
    reason: str = "error"
    """`error`, `timeout`, `unknown_tool`, `malformed_call`, `refused`, `cancelled`, or
    `environment_error`: the run's world broke, which is no fault of the team."""
    source: str = ""
    """As on `tool.returned`."""


class ToolOutcomeUnknown(Payload, frozen=True, tag="tool.outcome_unknown"):
    """The worker died between call and result of a tool that must not run twice."""

    tool: str
    call_id: str = ""


class EnvironmentReset(Payload, frozen=True, tag="environment.reset"):
    """The run's environment is made ready for its task. Opens a span."""

    environment: str
    """Its kind, such as `web`."""
    task: str = ""
    """`suite/id`."""


class EnvironmentObserved(Payload, frozen=True, tag="environment.observed"):
    """What can be seen of it at first. Closes the span of `environment.reset`."""

    observation: Any
    """`{text, data, attachments: [{name, media_type, size, blob}], done}`."""
    observation_hash: str = ""
    """sha256 of what must be seen again when the world is made again."""


class EnvironmentStepped(Payload, frozen=True, tag="environment.stepped"):
    """A person acted by hand in an episode that no run drives. An agent's action is recorded as
    the call of a tool, `tool.called` and what closes it, and not here a second time."""

    action: Any


class EnvironmentSubmitted(Payload, frozen=True, tag="environment.submitted"):
    """The team hands in its answer and asks for the verdict. Opens a span."""

    answer: str


class EnvironmentVerified(Payload, frozen=True, tag="environment.verified"):
    """The environment's own judgement. Closes the span of `environment.submitted`."""

    score: float | None
    """0.0 to 1.0; None where the task is not graded."""
    why: str = ""
    details: dict[str, Any] = {}
    """Each test or metric with what it found."""
    near_miss: str = ""
    """What kept an answer from being right by a little; never changes the score."""


class EnvironmentFailed(Payload, frozen=True, tag="environment.failed"):
    """The world could not be made or could not judge: no verdict on the team. Closes its span."""

    stage: str
    """`reset` or `verify`."""
    error: str
    reason: str = "fault"
    """`fault`, or `cancelled` where the run ended first."""
