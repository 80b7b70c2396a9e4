"""What a fresh world has to go through to be where a log left the old one.

A world ends with the worker that made it, and a fork has none. It is brought back by its newest
snapshot, or reset, and by repeating the actions since; each time what is seen must be the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, TypeGuard

import msgspec

from aworld.events.action import (
    EnvironmentObserved,
    EnvironmentReset,
    ToolCalled,
    ToolFailed,
    ToolReturned,
)
from aworld.events.control import GateDecided
from aworld.events.run import Limits
from aworld.events.union import AnyPayload, Event
from aworld.runtime.limits import Account
from aworld.runtime.node import ENVIRONMENT


class Done(NamedTuple):
    """An action that was carried out, and what came of it."""

    seq: int
    """Of its call."""
    called: ToolCalled
    outcome: ToolReturned | ToolFailed


class Past(NamedTuple):
    """What has become of a run's world so far."""

    observed: EnvironmentObserved
    observed_seq: int
    actions: list[Done]
    """In the order in which they were begun, which is the order they were carried out in."""
    began_s: float
    """Seconds the run had been running when the world was ready."""

    def newest_snapshot(self) -> int | None:
        """The position in `actions` behind which there is a snapshot; None where none is."""
        with_one = (i for i, done in enumerate(self.actions) if _snapshot(done))
        return max(with_one, default=None)


class CatchUp(NamedTuple):
    """How a world would be brought back."""

    snapshot_seq: int | None
    """The action whose snapshot is restored; None where the world is reset."""
    repeated: int
    """How many actions are carried out again."""

    def __str__(self) -> str:
        again = f"{self.repeated} action{'' if self.repeated == 1 else 's'} repeated"
        if self.snapshot_seq is None:
            return f"reset, then {again}"
        return f"by the snapshot of step {self.snapshot_seq}, then {again}"


def past_of(events: Iterable[Event]) -> Past | None:
    """What a log tells of its world; None where it was not ready yet."""
    account = Account(Limits())
    began_s = 0.0
    observed: EnvironmentObserved | None = None
    observed_seq = -1
    calls: dict[int, ToolCalled] = {}
    found: dict[int, Done] = {}
    for event in events:
        account.add(event)
        payload = event.payload
        if isinstance(payload, EnvironmentReset):
            observed, calls, found = None, {}, {}
        elif isinstance(payload, EnvironmentObserved):
            observed, observed_seq = payload, event.seq
            began_s = account.seconds(event.at)
        elif isinstance(payload, ToolCalled) and ENVIRONMENT in event.recipients:
            calls[event.seq] = payload
        elif isinstance(payload, GateDecided) and payload.call in calls:
            if payload.decision == "change" and payload.stage == "before":
                calls[payload.call] = msgspec.structs.replace(
                    calls[payload.call], arguments=payload.changed
                )
        elif event.span in calls and _was_carried_out(payload):
            found[event.span] = Done(event.span, calls[event.span], payload)
    if observed is None:
        return None
    return Past(observed, observed_seq, [found[seq] for seq in sorted(found)], began_s)


def catch_up_of(events: Iterable[Event]) -> CatchUp | None:
    """How a fork behind these events would bring its world back; None where there is none."""
    past = past_of(events)
    if past is None:
        return None
    at = past.newest_snapshot()
    if at is None:
        return CatchUp(None, len(past.actions))
    return CatchUp(past.actions[at].seq, len(past.actions) - at - 1)


def _was_carried_out(outcome: AnyPayload) -> TypeGuard[ToolReturned | ToolFailed]:
    """A mocked, replayed or refused action changed no world; one that failed may have."""
    if isinstance(outcome, ToolReturned):
        return not outcome.source
    return isinstance(outcome, ToolFailed) and outcome.reason == "error" and not outcome.source


def _snapshot(done: Done) -> str:
    return done.outcome.snapshot if isinstance(done.outcome, ToolReturned) else ""
