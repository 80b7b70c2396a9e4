"""What a block of events changes in its run's row."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from aworld.events.action import EnvironmentVerified
from aworld.events.model import LlmResponded
from aworld.events.run import (
    RunCancelled,
    RunFailed,
    RunFinished,
    RunStarted,
)
from aworld.events.union import AnyPayload
from aworld.storage.base import ENDED, RunStatus
from aworld.storage.event_facts import Facts

_STATUS_OF: dict[str, RunStatus] = {
    "run.started": "running",
    "run.paused": "paused",
    "run.resumed": "running",
    "run.parked": "parked",
    "run.finished": "finished",
    "run.failed": "failed",
    "run.cancelled": "cancelled",
    "run.lost": "lost",
}

_QUESTIONS: dict[str, int] = {"person.asked": 1, "person.answered": -1}


class Changes(msgspec.Struct):
    """Sums to add to the row, and values to set where they are not None."""

    errors: int = 0
    warnings: int = 0
    model_calls: int = 0
    tool_calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = 0.0
    status: RunStatus | None = None
    first_started_at: int | None = None
    """To set only where the row has none."""
    finished_at: int | None = None
    """0 where the run goes on."""
    answer: str | None = None
    error: str | None = None
    score: float | None = None
    questions: int = 0


def changes(events: Iterable[tuple[Facts, AnyPayload]]) -> Changes:
    """The changes of some successive events, each with its whole payload."""
    sums = Changes()
    for fact, payload in events:
        severity, kind = fact.severity, fact.kind
        if severity:
            if severity == 2:
                sums.errors += 1
            else:
                sums.warnings += 1
        if kind == "llm.requested":
            sums.model_calls += 1
        elif kind == "tool.called":
            sums.tool_calls += 1
        elif fact.tokens or fact.cost_usd:
            assert isinstance(payload, LlmResponded)
            sums.input_tokens += payload.input_tokens
            sums.output_tokens += payload.output_tokens
            sums.cost_usd += payload.cost_usd or 0.0
        elif kind in _STATUS_OF:
            _run_event(sums, fact, payload)
        elif kind in _QUESTIONS:
            sums.questions += _QUESTIONS[kind]
        elif isinstance(payload, EnvironmentVerified):
            sums.score = payload.score
    return sums


def _run_event(sums: Changes, fact: Facts, payload: AnyPayload) -> None:
    """What the supervisor says of the run as a whole."""
    status = _STATUS_OF[fact.kind]
    sums.status = status
    sums.finished_at = fact.at if status in ENDED else 0
    if isinstance(payload, RunStarted):
        if sums.first_started_at is None:
            sums.first_started_at = fact.at
    elif isinstance(payload, RunFinished):
        sums.answer = payload.answer
    elif isinstance(payload, RunFailed):
        sums.error = payload.error
    elif isinstance(payload, RunCancelled):
        sums.error = payload.reason
