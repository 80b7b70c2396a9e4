"""How a run is taken up from its log, and how what is open is closed when it ends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from aworld.errors import AWorldError
from aworld.events.action import (
    EnvironmentFailed,
    EnvironmentReset,
    EnvironmentSubmitted,
    ToolCalled,
    ToolFailed,
)
from aworld.events.control import EditApplied, ForkCreated
from aworld.events.conversation import PersonAnswered
from aworld.events.model import LlmFailed, LlmRequested
from aworld.events.run import RunCancelled, RunCreated, RunPaused, RunResumed, RunStarted
from aworld.events.union import AnyPayload, Event
from aworld.runtime.effective_log import Seen, as_seen
from aworld.runtime.limits import Account
from aworld.runtime.node import ENVIRONMENT, AnyNode
from aworld.runtime.replay import Replay, drafter_for
from aworld.storage.base import Command, RunRecord, Store

PAGE = 5_000
_COMMANDED = RunPaused | RunResumed | RunCancelled | PersonAnswered | EditApplied


class TakenUp(NamedTuple):
    """A run as its log leaves it."""

    log: list[Event]
    replay: Replay
    account: Account
    next_command: int
    """The first command that the log has not seen carried out."""
    last_seq: int
    last_at: int
    """UTC microseconds of the last event."""
    fresh: bool
    """Whether nobody has started it yet."""
    forked: bool
    """Whether it has just been forked: what is open then was never begun in this run."""
    failure: Exception | None
    """Set where the log does not fit the team's code any more, or a node's own code failed."""


def take_up(
    store: Store,
    record: RunRecord,
    nodes: Sequence[AnyNode],
    late: Sequence[AnyNode] = (),
    *,
    until: int | None = None,
) -> TakenUp:
    """Fold a run's log into its nodes, all of it or `until` a seq; `late` nodes joined meanwhile.

    Raises:
        AWorldError: the log does not begin with `run.created`.
    """
    events = read_log(store, record.run_id)
    if until is not None:
        events = events[: until + 1]
    created = events[0].payload if events else None
    if not isinstance(created, RunCreated):
        raise AWorldError(f"Run {record.run_id!r} has no run.created; it cannot be driven.")
    replay = Replay(nodes, drafter_for(record.run_id, events[0]), late)
    account = Account(created.limits)
    next_command = 0
    failure: Exception | None = None
    for step in as_seen(events):
        account.add(step.recorded)
        # What the parent of a fork was commanded is no command of the fork.
        own = step.recorded.seq > record.parent_seq
        if own and isinstance(step.recorded.payload, _COMMANDED):
            next_command = max(next_command, step.recorded.payload.command + 1)
        if failure is None:
            failure = _fold(replay, step)
        else:
            replay.follow(step.seen)
    started = [e.seq for e in events if isinstance(e.payload, RunStarted)]
    forks = [e.seq for e in events if isinstance(e.payload, ForkCreated)]
    forked = bool(forks) and (not started or forks[-1] > started[-1])
    fresh = all(event.kind == "run.created" for event in events)
    return TakenUp(
        events, replay, account, next_command, events[-1].seq, events[-1].at, fresh, forked, failure
    )


def _fold(replay: Replay, step: Seen) -> Exception | None:
    event = step.recorded
    try:
        difference = replay.feed(step)
    except Exception as error:  # a node's own code: the run must end, the worker must not
        return error
    if difference is None:
        return None
    replay.follow(step.seen)
    return AWorldError(
        f"Run {event.run_id!r} cannot be taken up: from step {event.seq} on its log does not fit "
        "this version of its team's code. Fork it before that step, or start it again."
    )


def read_log(store: Store, run_id: str) -> list[Event]:
    """All events of a run, payloads whole."""
    events: list[Event] = []
    while True:
        page = store.read(run_id, after=events[-1].seq if events else -1, limit=PAGE)
        events.extend(whole(store, event) for event in page)
        if len(page) < PAGE:
            return events


def counted_log(store: Store, run_id: str, breakpoints: Sequence[Any]) -> list[Event]:
    """The events that newly armed breakpoints, in plain data, must be told of."""
    # Runs without breakpoints, nearly all of them, pay nothing for them.
    from aworld.runtime.breakpoints import needs_past

    return read_log(store, run_id) if needs_past(breakpoints) else []


def whole(store: Store, event: Event) -> Event:
    """The event with its payload from the blob store where it was offloaded."""
    payload = store.resolve(event)
    return event if payload is event.payload else msgspec.structs.replace(event, payload=payload)


def cut_off(opened: Event) -> AnyPayload:
    """What closes a span that the run's end cuts off."""
    payload = opened.payload
    if isinstance(payload, ToolCalled):
        return ToolFailed(
            payload.tool, "The run ended before the tool did.", payload.call_id, reason="cancelled"
        )
    if isinstance(payload, LlmRequested):
        return LlmFailed("The run ended before the model answered.")
    if isinstance(payload, EnvironmentReset | EnvironmentSubmitted):
        stage = "reset" if isinstance(payload, EnvironmentReset) else "verify"
        error = "The run ended before the environment was ready."
        return EnvironmentFailed(stage, error, reason="cancelled")
    return PersonAnswered("", timed_out=True)


def must_not_repeat(opened: Event) -> bool:
    """Whether an open effect is a call that must not run twice. An environment's world ended with
    its worker: what was done to it is done again anyway."""
    called = opened.payload
    unsafe = isinstance(called, ToolCalled) and called.effect == "unsafe"
    return unsafe and ENVIRONMENT not in opened.recipients


def last_worker(log: Sequence[Event]) -> str:
    """Who drove the run last; "" where nobody has."""
    started = (e.payload for e in reversed(log) if isinstance(e.payload, RunStarted))
    last = next(started, None)
    return last.worker if last is not None else ""


def armed(record: RunRecord, commands: Sequence[Command]) -> list[dict[str, Any]]:
    """The breakpoints in force: those of the last `arm`, else the team's own."""
    plain: list[dict[str, Any]] = list(record.team.get("breakpoints") or ())
    for command in commands:
        if command.name == "arm":
            plain = command.arguments["breakpoints"]
    return plain
