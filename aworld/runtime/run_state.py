"""What every node of a run knew after a step, as whoever debugs it wants to see it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import msgspec

from aworld.errors import ConfigurationError
from aworld.events.action import ToolCalled
from aworld.events.control import EditApplied
from aworld.events.conversation import PersonAsked
from aworld.events.model import LlmRequested
from aworld.events.run import NodeJoined
from aworld.events.traits import TERMINAL
from aworld.events.union import AnyPayload, Event
from aworld.runtime.context import chat_message
from aworld.runtime.effective_log import edited_payload
from aworld.runtime.held import held_back
from aworld.runtime.limits import Account
from aworld.runtime.node import AnyNode
from aworld.runtime.playhead import Fold, NearFolds, fold_to
from aworld.runtime.recovery import whole
from aworld.storage.base import RunRecord, Store

MOST_MESSAGES = 200
"""Messages of a node that are shown; also how much of a long list in its state is."""
MOST_NODES = 10_000


class ShownMessage(msgspec.Struct, frozen=True):
    """One message of a node's context."""

    seq: int
    role: str
    content: str
    tool_calls: list[dict[str, Any]]
    edited: bool


class OpenCall(msgspec.Struct, frozen=True):
    """An effect that has not come back."""

    span: int
    kind: str
    """Of the event that opened it: `llm.requested`, `tool.called`, `person.asked`."""
    what: str
    """The model, the tool, or the question."""
    since: int
    """UTC microseconds."""


class NodeView(msgspec.Struct, frozen=True):
    """One node."""

    name: str
    node_type: str
    role: str
    present: bool
    """Whether it takes part: it has joined, and has not left."""
    phase: str
    messages: list[ShownMessage]
    """The last `MOST_MESSAGES` of its context."""
    messages_total: int
    open_calls: list[OpenCall]
    state: dict[str, Any]
    """Its raw fields; of a long list the last `MOST_MESSAGES`."""
    changed: list[str]
    """Fields that differ from the step before."""


class Spent(msgspec.Struct, frozen=True):
    """How much of a budget was used."""

    used: float
    limit: float | None


class Held(msgspec.Struct, frozen=True):
    """What would be carried out next."""

    actor: str
    payload: AnyPayload


class EditMade(msgspec.Struct, frozen=True):
    """Something a person changed."""

    target: int
    by: str
    seq: int


class RunState(msgspec.Struct, frozen=True):
    """A run after one step."""

    seq: int
    at: int
    """UTC microseconds."""
    paused: bool
    ended: bool
    nodes: list[NodeView]
    budget: dict[str, Spent]
    held: Held | None
    edits: list[EditMade]


def read_state(
    store: Store,
    record: RunRecord,
    nodes: Sequence[AnyNode],
    seq: int,
    near: NearFolds | None = None,
) -> RunState:
    """The state of a run after step `seq`; -1 means its last.

    `nodes` are fresh ones of the run's team.

    Raises:
        ConfigurationError: the run has no such step.
    """
    seq = record.last_seq if seq == -1 else seq
    here = store.read_seqs(record.run_id, [seq]) if 0 <= seq <= record.last_seq else []
    if not here:
        raise ConfigurationError(
            f"Run {record.run_id!r} has no step {seq}; its steps are 0 to {record.last_seq}."
        )
    event = whole(store, here[0])
    before, fold = _folds(store, record.run_id, nodes, event, near)
    edits = _edits(store, record.run_id, seq)
    reader = _Reader(store, record.run_id, edits)
    held = None
    if fold.machine.paused and seq == record.last_seq:
        held = held_back(store, record, nodes, fold)
    return RunState(
        seq=seq,
        at=event.at,
        paused=fold.machine.paused,
        ended=event.kind in TERMINAL,
        nodes=reader.nodes(before, fold),
        budget=_budget(fold.account, event.at),
        held=Held(held.actor, held.payload) if held is not None else None,
        edits=[EditMade(target, edit.by, at) for at, target, edit in edits],
    )


class _Field(NamedTuple):
    """A field of a node's state."""

    length: int
    """Of a list; else 0."""
    shown: Any
    """Plain data; of a list its last `MOST_MESSAGES`."""


def _plain_states(fold: Fold) -> dict[str, dict[str, _Field]]:
    """By node and field. A context of half a million messages is not copied for a click."""
    return {
        name: {field: _plain(getattr(state, field)) for field in state.__struct_fields__}
        for name, state in fold.machine.states.items()
    }


def _plain(value: Any) -> _Field:
    if isinstance(value, list):
        return _Field(len(value), msgspec.to_builtins(value[-MOST_MESSAGES:]))
    return _Field(0, msgspec.to_builtins(value))


def _folds(
    store: Store, run_id: str, nodes: Sequence[AnyNode], event: Event, near: NearFolds | None
) -> tuple[dict[str, dict[str, _Field]], Fold]:
    """The states before the event, as plain data, and the fold after it."""
    if event.seq == 0:
        return _plain_states(Fold(nodes)), fold_to(store, run_id, nodes, 0, near)
    fold = fold_to(store, run_id, nodes, event.seq - 1, near)
    before = _plain_states(fold)
    if isinstance(event.payload, EditApplied):
        # The nodes see the past otherwise now, so it is folded anew.
        return before, fold_to(store, run_id, nodes, event.seq, near)
    fold.follow(event)
    return before, fold


def _edits(store: Store, run_id: str, seq: int) -> list[tuple[int, int, EditApplied]]:
    """`(seq, target, edit)` of the edits up to a step."""
    found: list[tuple[int, int, EditApplied]] = []
    for event in store.query(run_id, kinds=("edit.applied",), limit=10_000):
        payload = store.resolve(event)
        if isinstance(payload, EditApplied) and event.seq <= seq:
            found.append((event.seq, payload.target, payload))
    return found


class _Reader:
    """Brings the events back that a state refers to."""

    def __init__(
        self, store: Store, run_id: str, edits: Iterable[tuple[int, int, EditApplied]]
    ) -> None:
        self._store = store
        self._run_id = run_id
        self._edited = {target: edited_payload(edit) for _, target, edit in edits}

    def nodes(self, before: dict[str, dict[str, _Field]], fold: Fold) -> list[NodeView]:
        """Every node that has joined, in the order they did; then those that will."""
        states = _plain_states(fold)
        joined, gone = self._members(fold.seq)
        calls = self._open_calls(fold.open_spans)
        names = [*joined, *(name for name in states if name not in joined)]
        return [
            self._node(
                name,
                joined.get(name),
                name not in gone,
                calls.get(name, []),
                states.get(name) or {},
                before.get(name) or {},
            )
            for name in names
        ]

    def _node(
        self,
        name: str,
        joined: NodeJoined | None,
        here: bool,
        calls: list[OpenCall],
        state: dict[str, _Field],
        before: dict[str, _Field],
    ) -> NodeView:
        context = state.get("context", _Field(0, []))
        return NodeView(
            name=name,
            node_type=joined.node_type if joined is not None else "agent",
            role=joined.role if joined is not None else "",
            present=joined is not None and here,
            phase=str(state["phase"].shown) if "phase" in state else "",
            messages=self._messages(context.shown),
            messages_total=context.length,
            open_calls=calls,
            state={field: value.shown for field, value in state.items()},
            changed=[field for field in state if state[field] != before.get(field)],
        )

    def _members(self, seq: int) -> tuple[dict[str, NodeJoined], set[str]]:
        """Who has joined up to a step, and who of them has left again."""
        joined: dict[str, NodeJoined] = {}
        gone: set[str] = set()
        found = self._store.query(
            self._run_id, kinds=("node.joined", "node.left"), limit=MOST_NODES
        )
        for event in found:
            if event.seq > seq:
                break
            payload = self._payload(event)
            if isinstance(payload, NodeJoined):
                joined[event.actor] = payload
                gone.discard(event.actor)
            else:
                gone.add(event.actor)
        return joined, gone

    def _messages(self, context: Sequence[int]) -> list[ShownMessage]:
        found = {event.seq: event for event in self._store.read_seqs(self._run_id, context)}
        shown: list[ShownMessage] = []
        for seq in context:
            if seq not in found:
                continue
            event = msgspec.structs.replace(found[seq], payload=self._payload(found[seq]))
            message = chat_message(event)
            if message is not None:
                calls = [msgspec.to_builtins(call) for call in message.tool_calls]
                edited = seq in self._edited
                shown.append(ShownMessage(seq, message.role, message.content, calls, edited))
        return shown

    def _open_calls(self, spans: Iterable[int]) -> dict[str, list[OpenCall]]:
        by_node: dict[str, list[OpenCall]] = {}
        for event in self._store.read_seqs(self._run_id, spans):
            call = OpenCall(event.seq, event.kind, _what(self._payload(event)), event.at)
            by_node.setdefault(event.actor, []).append(call)
        return by_node

    def _payload(self, event: Event) -> AnyPayload:
        edited = self._edited.get(event.seq)
        return edited if edited is not None else self._store.resolve(event)


def _what(payload: AnyPayload) -> str:
    if isinstance(payload, LlmRequested):
        return payload.model
    if isinstance(payload, ToolCalled):
        return payload.tool
    return payload.question if isinstance(payload, PersonAsked) else ""


def _budget(account: Account, at: int) -> dict[str, Spent]:
    limits = account.limits
    return {
        "steps": Spent(account.steps, limits.steps),
        "tokens": Spent(account.tokens, limits.tokens),
        "seconds": Spent(account.seconds(at), limits.seconds),
        "cost_usd": Spent(account.cost_usd, limits.cost_usd),
    }
