"""`run.*`: the life of a run. Only the supervisor writes these."""

from __future__ import annotations

from typing import Any

import msgspec

from aworld.events.envelope import Payload


class Limits(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where a run stops by itself. None means no limit."""

    steps: int | None = 60
    """Model calls of the whole run."""
    tokens: int | None = None
    """Input and output tokens of the whole run."""
    seconds: float | None = 900.0
    """Time while running; pauses do not count."""
    cost_usd: float | None = None


class RunCreated(Payload, frozen=True, tag="run.created"):
    """Someone asked for a run. Always seq 0."""

    team_name: str
    input: str
    team: dict[str, Any] = {}
    """The immutable copy of the team's definition."""
    source: str = "script"
    """`web`, `command_line`, `script`, `rollout`, `fork`, `import`."""
    limits: Limits = Limits()
    seed: int = 0
    environment: dict[str, Any] = {}
    """`{kind, suite, task_id, task}` where the run has one. The task's `data`, which holds its
    answers, stays in the run's row."""


class RunStarted(Payload, frozen=True, tag="run.started"):
    """A worker took the run and begins, or goes on after it was lost or parked."""

    worker: str
    epoch: int = 0
    resumed: bool = False


class RunPaused(Payload, frozen=True, tag="run.paused"):
    """Every node stops at its next gate."""

    by: str = ""
    reason: str = ""
    command: int = -1
    """Number of the command that asked for it; -1 where none did."""


class RunResumed(Payload, frozen=True, tag="run.resumed"):
    """The nodes go on."""

    by: str = ""
    command: int = -1
    """Number of the command that asked for it; -1 where none did."""


class RunParked(Payload, frozen=True, tag="run.parked"):
    """The paused run gave its worker back."""


class RunFinished(Payload, frozen=True, tag="run.finished"):
    """The team gave its answer."""

    answer: str
    verified: bool | None = None
    """Whether a verifier passed it; None when none looked."""


class RunFailed(Payload, frozen=True, tag="run.failed"):
    """The run ended without an answer."""

    error: str
    outcome: str = "error"
    """`error`, `limit`, `no_answer`, `infrastructure`, or `environment_error`: the run's world
    could not be made, broke, or could not judge."""


class RunCancelled(Payload, frozen=True, tag="run.cancelled"):
    """A person or a policy ended it."""

    by: str = ""
    reason: str = ""
    command: int = -1
    """Number of the command that asked for it; -1 where none did."""


class RunLost(Payload, frozen=True, tag="run.lost"):
    """The worker's lease ran out. Another takes the run up from its log."""

    worker: str
    last_heartbeat: int
    """UTC microseconds."""


class NodeJoined(Payload, frozen=True, tag="node.joined"):
    """Something takes part in the run from here on."""

    node_type: str
    """`agent`, `tool`, `environment`, `trainer`, `person`, `coordinator`."""
    role: str = ""
    instructions: str = ""
    """The system prompt as the model gets it, without the tool list."""
    model: str = ""
    tools: tuple[dict[str, Any], ...] = ()
    """Schemas of the tools on offer, as the model gets them."""


class NodeLeft(Payload, frozen=True, tag="node.left"):
    """It takes part no longer; its open work is given back."""

    reason: str = ""


class LimitReached(Payload, frozen=True, tag="limit.reached"):
    """A limit ended something. Says which, how much was allowed, how much was used."""

    limit: str
    allowed: float
    used: float


class ErrorRaised(Payload, frozen=True, tag="error.raised"):
    """A fault of the harness itself, or of a node's own code."""

    error: str
    error_type: str = ""
    traceback: str = ""
