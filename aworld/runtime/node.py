"""What takes part in a run: a state machine that is told events and says what it wants.

A node never acts. `apply` folds an event into its state, `decide` looks at the state and returns
intents; the supervisor carries them out through the gate and records what came of it. So a node
can be parked, taken up on another machine, replayed and forked from its log alone.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Protocol, TypeVar

import msgspec

from aworld.events.union import AnyPayload, Event
from aworld.llm.base import Parameters


class Say(msgspec.Struct, frozen=True):
    """Record something and tell it to other nodes: a message, a plan, a verdict."""

    payload: AnyPayload
    recipients: tuple[str, ...] = ()
    topic: str = ""
    caused_by: tuple[int, ...] = ()


class CallModel(msgspec.Struct, frozen=True):
    """Ask the node's model. The prompt is a list of the events that carry its messages."""

    context: tuple[int, ...]
    """Seqs, in order; the first is the node's own `node.joined` (system prompt and tools)."""
    parameters: Parameters = Parameters()
    caused_by: tuple[int, ...] = ()


class CallTool(msgspec.Struct, frozen=True):
    """Have a tool called."""

    call_id: str
    tool: str
    arguments: dict[str, Any]
    caused_by: tuple[int, ...] = ()
    recipients: tuple[str, ...] = ()
    """Who is told of it and of its outcome: the environment, of one of its actions."""


class AskPerson(msgspec.Struct, frozen=True):
    """Put a question to a person; the node goes on when `person.answered` comes."""

    question: str
    choices: tuple[str, ...] = ()
    default: str | None = None
    timeout_s: float | None = None
    caused_by: tuple[int, ...] = ()


class ResetEnvironment(msgspec.Struct, frozen=True):
    """Have the run's environment made ready."""

    environment: str
    task: str
    recipients: tuple[str, ...] = ()
    """Who is told what can be seen of it."""
    caused_by: tuple[int, ...] = ()


class VerifyEnvironment(msgspec.Struct, frozen=True):
    """Hand the answer to the environment's node and have the episode judged; both are told."""

    answer: str
    caused_by: tuple[int, ...] = ()


class Finish(msgspec.Struct, frozen=True):
    """End the run with an answer. Only a coordinator may."""

    answer: str
    verified: bool | None = None
    caused_by: tuple[int, ...] = ()


class Fail(msgspec.Struct, frozen=True):
    """End the run without an answer. Only a coordinator may, or an environment that broke."""

    error: str
    outcome: str = "error"
    caused_by: tuple[int, ...] = ()


Intent = (
    Say | CallModel | CallTool | AskPerson | ResetEnvironment | VerifyEnvironment | Finish | Fail
)

ENVIRONMENT = "environment"
"""The name of the environment's node: whoever names it as recipient speaks to the run's world."""

StateT = TypeVar("StateT", bound=msgspec.Struct)


class Node(Protocol[StateT]):
    """One participant.

    `apply` may change `state` in place and return it. Both methods must depend on nothing but
    their arguments: no clock, no randomness, no I/O. `decide` is asked again only after all that
    it wanted before has been recorded and applied, so it need not remember what it asked for.
    """

    @property
    def name(self) -> str:
        """Unique in the run."""
        ...

    @property
    def role(self) -> str:
        """Recorded with each of its events; "" for none."""
        ...

    @property
    def topics(self) -> Collection[str]:
        """Topics it listens to, beside what is addressed to it."""
        ...

    @property
    def state_type(self) -> type[StateT]:
        """For reading a snapshot back."""
        ...

    def joined(self) -> AnyPayload:
        """Its `node.joined` payload."""
        ...

    def initial(self) -> StateT:
        """Its state before any event."""
        ...

    def apply(self, state: StateT, event: Event) -> StateT:
        """Fold an event: its own, one addressed to it, one on its topics, or a broadcast."""
        ...

    def decide(self, state: StateT) -> Sequence[Intent]:
        """What it wants now; empty while it waits."""
        ...


AnyNode = Node[Any]
