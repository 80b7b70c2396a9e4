"""The run's environment as a node: it has itself reset, and ends the run where its world broke."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeGuard

import msgspec

from aworld.agents.pipeline import COORDINATOR
from aworld.environments.base import Task
from aworld.environments.record import reference_of
from aworld.events.action import (
    EnvironmentFailed,
    EnvironmentObserved,
    EnvironmentReset,
    EnvironmentSubmitted,
    EnvironmentVerified,
    ToolFailed,
)
from aworld.events.run import NodeJoined
from aworld.events.union import AnyPayload, Event
from aworld.runtime.node import ENVIRONMENT, Fail, Intent, ResetEnvironment


class EnvironmentState(msgspec.Struct):
    """Where the episode is."""

    phase: Literal["new", "reset", "resetting", "ready", "judging", "judged", "broken"] = "new"
    error: str = ""
    last: int = -1


class EnvironmentNode:
    """The world that the team acts on."""

    name = ENVIRONMENT
    role = ""
    topics: tuple[str, ...] = ()
    state_type = EnvironmentState

    def __init__(self, task: Task) -> None:
        self._kind = task.environment
        self._reference = reference_of(task)

    def joined(self) -> AnyPayload:
        """What it is; the actions are offered to agents as their tools."""
        return NodeJoined("environment", instructions=f"{self._kind}: {self._reference}")

    def initial(self) -> EnvironmentState:
        """Before the run starts."""
        return EnvironmentState()

    def apply(self, state: EnvironmentState, event: Event) -> EnvironmentState:
        """Fold one event."""
        payload = event.payload
        if isinstance(payload, NodeJoined):
            state.phase = "reset"
        elif isinstance(payload, EnvironmentReset):
            state.phase = "resetting"
        elif isinstance(payload, EnvironmentObserved):
            state.phase = "ready"
        elif isinstance(payload, EnvironmentSubmitted):
            state.phase = "judging"
        elif isinstance(payload, EnvironmentVerified):
            state.phase = "judged"
        elif _broke(payload):
            state.phase, state.error = "broken", payload.error
        else:
            return state
        state.last = event.seq
        return state

    def decide(self, state: EnvironmentState) -> Sequence[Intent]:
        """Its reset, and the run's end where the world broke."""
        cause = (state.last,)
        if state.phase == "reset":
            return [ResetEnvironment(self._kind, self._reference, (COORDINATOR,), cause)]
        if state.phase == "broken":
            return [Fail(state.error, "environment_error", cause)]
        return []


def _broke(payload: AnyPayload) -> TypeGuard[EnvironmentFailed | ToolFailed]:
    """Whether the world is at fault; one that the run's end cut off is not."""
    if isinstance(payload, EnvironmentFailed):
        return payload.reason == "fault"
    return isinstance(payload, ToolFailed) and payload.reason == "environment_error"
