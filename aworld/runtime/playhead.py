"""The state of a run at any step: what each node knew, what was open, what had been used.

State is a fold of the log. A fold over a million events takes too long for a click, so it is kept
every few thousand events as a snapshot; a seek reads the nearest one and folds the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from aworld.errors import ConfigurationError
from aworld.events.control import EditApplied
from aworld.events.run import Limits, RunCreated
from aworld.events.traits import closes_span, opens_span
from aworld.events.union import AnyPayload, Event
from aworld.runtime.effective_log import edited_payload
from aworld.runtime.limits import Account, Used
from aworld.runtime.machine import Machine
from aworld.runtime.node import AnyNode
from aworld.runtime.recovery import whole
from aworld.storage.base import Store

SNAPSHOT_EVERY = 5_000
"""Events between two snapshots."""
PAGE = 2_000


class Snapshot(msgspec.Struct, frozen=True):
    """A fold as it is kept; a newer layout of a node's state makes it unreadable, not wrong."""

    seq: int
    states: dict[str, msgspec.Raw]
    present: tuple[str, ...]
    paused: bool
    open_spans: tuple[int, ...]
    limits: Limits
    used: Used


class Fold:
    """A run's state at one step."""

    def __init__(self, nodes: Iterable[AnyNode]) -> None:
        self._known = {node.name: node for node in nodes}
        self.machine = Machine(self._known.values())
        self.account = Account(Limits())
        self.open_spans: dict[int, None] = {}
        self.seq = -1
        self.at = 0

    def follow(self, event: Event) -> None:
        """Fold the next event, as its nodes see it."""
        if isinstance(event.payload, RunCreated):
            self.account = Account(event.payload.limits)
        self.machine.feed(event)
        self.account.add(event)
        if opens_span(event):
            self.open_spans[event.seq] = None
        elif closes_span(event) and event.span is not None:
            self.open_spans.pop(event.span, None)
        self.seq, self.at = event.seq, event.at

    def pack(self) -> bytes:
        """The fold as a snapshot's bytes."""
        states = {
            name: msgspec.Raw(msgspec.msgpack.encode(state))
            for name, state in self.machine.states.items()
        }
        return msgspec.msgpack.encode(
            Snapshot(
                self.seq,
                states,
                tuple(self.machine.nodes),
                self.machine.paused,
                tuple(self.open_spans),
                self.account.limits,
                self.account.used(),
            )
        )

    def unpack(self, data: bytes) -> bool:
        """Go on from a snapshot; False where it cannot be read, then nothing has changed."""
        try:
            kept = msgspec.msgpack.decode(data, type=Snapshot)
            states = {
                name: msgspec.msgpack.decode(raw, type=self._known[name].state_type)
                for name, raw in kept.states.items()
            }
        except (msgspec.MsgspecError, KeyError):
            return False
        for name in list(self.machine.nodes):
            if name not in kept.present:
                self.machine.remove(name)
        self.machine.states.update(states)
        self.machine.paused = kept.paused
        self.account = Account(kept.limits, kept.used)
        self.open_spans = dict.fromkeys(kept.open_spans)
        self.seq = kept.seq
        return True


def fold_to(store: Store, run_id: str, nodes: Sequence[AnyNode], seq: int) -> Fold:
    """The state after step `seq`, edits applied up to then included.

    Raises:
        ConfigurationError: the run has no such step.
    """
    edits = _edits_until(store, run_id, seq)
    fold = Fold(nodes)
    # A snapshot from before an edit saw the event unedited; one behind its target will not do.
    newest = min([seq, *(target - 1 for target in edits)])
    kept = store.latest_snapshot(run_id, before=newest) if newest >= 0 else None
    if kept is not None:
        fold.unpack(kept[1])
    while fold.seq < seq:
        page = store.read(run_id, after=fold.seq, limit=min(PAGE, seq - fold.seq))
        if not page:
            raise ConfigurationError(f"Run {run_id!r} has no step {seq}; its last is {fold.seq}.")
        for event in page:
            fold.follow(_as_edited(whole(store, event), edits))
        if not edits and fold.seq // SNAPSHOT_EVERY > page[0].seq // SNAPSHOT_EVERY:
            store.put_snapshot(run_id, fold.seq, fold.pack())
    return fold


def _edits_until(store: Store, run_id: str, seq: int) -> dict[int, AnyPayload]:
    edits: dict[int, AnyPayload] = {}
    for event in store.query(run_id, kinds=("edit.applied",), limit=10_000):
        payload = store.resolve(event)
        if isinstance(payload, EditApplied) and event.seq <= seq:
            edits[payload.target] = edited_payload(payload)
    return edits


def _as_edited(event: Event, edits: dict[int, AnyPayload]) -> Event:
    payload = edits.get(event.seq)
    return event if payload is None else msgspec.structs.replace(event, payload=payload)


def node_states(fold: Fold) -> dict[str, Any]:
    """Each node's state as plain data: `{name: {field: value}}`."""
    plain: dict[str, Any] = msgspec.to_builtins(fold.machine.states)
    return plain
