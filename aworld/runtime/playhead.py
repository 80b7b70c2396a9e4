"""The state of a run at any step: what each node knew, what was open, what had been used.

State is a fold of the log. A fold over a million events takes too long for a click, so it is kept
every few thousand events as a snapshot; a seek reads the nearest one and folds the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, Protocol

import msgspec

from aworld.errors import ConfigurationError
from aworld.events.control import EditApplied
from aworld.events.run import Limits, NodeJoined, RunCreated
from aworld.events.traits import closes_span, opens_span
from aworld.events.union import AnyPayload, Event
from aworld.runtime.effective_log import edited_payload
from aworld.runtime.limits import Account, Used
from aworld.runtime.machine import Machine
from aworld.runtime.node import AnyNode
from aworld.runtime.recovery import whole
from aworld.storage.base import Store

SNAPSHOT_EVERY = 2_500
"""Events between two snapshots."""
NEAR, NEAR_EVERY = 1_000, 200
"""So many events back folds are kept at hand while the playhead moves, and so far apart."""
PAGE = 2_500


class Snapshot(msgspec.Struct, frozen=True):
    """A fold as it is kept; a newer layout of a node's state makes it unreadable, not wrong."""

    seq: int
    states: dict[str, msgspec.Raw]
    present: tuple[str, ...]
    paused: bool
    open_spans: tuple[int, ...]
    limits: Limits
    used: Used
    at: int = 0
    """Time of the last event, UTC microseconds."""


def pack(seq: int, at: int, machine: Machine, open_spans: Iterable[int], account: Account) -> bytes:
    """A state as it is kept."""
    states = {
        name: msgspec.Raw(msgspec.msgpack.encode(state)) for name, state in machine.states.items()
    }
    return msgspec.msgpack.encode(
        Snapshot(
            seq,
            states,
            tuple(machine.nodes),
            machine.paused,
            tuple(open_spans),
            account.limits,
            account.used(),
            at,
        )
    )


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
        elif isinstance(event.payload, NodeJoined) and event.actor not in self.machine.nodes:
            self._take_part(event.actor)
        self.machine.feed(event)
        self.account.add(event)
        if opens_span(event):
            self.open_spans[event.seq] = None
        elif closes_span(event) and event.span is not None:
            self.open_spans.pop(event.span, None)
        self.seq, self.at = event.seq, event.at

    def _take_part(self, name: str) -> None:
        """A node that joined late, or again."""
        if name in self._known:
            self.machine.add(self._known[name])

    def pack(self) -> bytes:
        """The fold as a snapshot's bytes."""
        return pack(self.seq, self.at, self.machine, self.open_spans, self.account)

    def unpack(self, data: bytes) -> bool:
        """Go on from a snapshot; False where it cannot be read, then nothing has changed."""
        try:
            kept = msgspec.msgpack.decode(data, type=Snapshot)
            states = {
                name: msgspec.msgpack.decode(raw, type=self._known[name].state_type)
                for name, raw in kept.states.items()
                if name in self._known
            }
        except msgspec.MsgspecError:
            return False
        for name in list(self.machine.nodes):
            if name not in kept.present:
                self.machine.remove(name)
        self.machine.states.update(states)
        self.machine.paused = kept.paused
        self.account = Account(kept.limits, kept.used)
        self.open_spans = dict.fromkeys(kept.open_spans)
        self.seq, self.at = kept.seq, kept.at
        return True


class NearFolds(Protocol):
    """Packed folds that are at hand, so that the next seek near by has little to fold."""

    def newest(self, run_id: str, *, before: int) -> tuple[int, bytes] | None:
        """The seq and bytes of the newest one at or before a seq."""
        ...

    def keep(self, run_id: str, seq: int, packed: bytes) -> None:
        """Remember the fold after `seq`."""
        ...


def fold_to(
    store: Store,
    run_id: str,
    nodes: Sequence[AnyNode],
    seq: int,
    near: NearFolds | None = None,
) -> Fold:
    """The state after step `seq`, edits applied up to then included.

    Raises:
        ConfigurationError: the run has no such step.
    """
    edits = _edits_until(store, run_id, seq)
    fold = Fold(nodes)
    _go_on_from(fold, store, run_id, seq, edits, near)
    shown = {edit.target: edit.payload for edit in edits}
    while fold.seq < seq:
        behind = fold.seq
        page = store.read(run_id, after=behind, limit=min(PAGE, seq - behind))
        if not page:
            raise ConfigurationError(f"Run {run_id!r} has no step {seq}; its last is {behind}.")
        for event in page:
            payload = shown.get(event.seq)
            if payload is None:
                fold.follow(whole(store, event))
            else:
                fold.follow(msgspec.structs.replace(event, payload=payload))
            if near is not None and _worth_keeping(event.seq, seq):
                _keep_near(near, fold, run_id, edits)
        far = fold.seq // SNAPSHOT_EVERY > max(behind, 0) // SNAPSHOT_EVERY
        if far and not _spanning(edits, fold.seq):
            store.put_snapshot(run_id, fold.seq, fold.pack())
    return fold


def _worth_keeping(at: int, seq: int) -> bool:
    """Whether somebody who goes back from `seq` will soon be here."""
    return at % NEAR_EVERY == 0 and seq - at < NEAR


def _keep_near(near: NearFolds, fold: Fold, run_id: str, edits: Sequence[_Edit]) -> None:
    if not _spanning(edits, fold.seq):
        near.keep(run_id, fold.seq, fold.pack())


class _Edit(NamedTuple):
    seq: int
    target: int
    payload: AnyPayload


def _go_on_from(
    fold: Fold,
    store: Store,
    run_id: str,
    seq: int,
    edits: Sequence[_Edit],
    near: NearFolds | None,
) -> None:
    """Begin at the newest kept fold that saw what the nodes see now."""
    before = seq
    while before >= 0:
        kept = near.newest(run_id, before=before) if near is not None else None
        if kept is None or before - kept[0] > SNAPSHOT_EVERY // 2:
            stored = store.latest_snapshot(run_id, before=before)
            if stored is not None and (kept is None or stored[0] > kept[0]):
                kept = stored
        if kept is None:
            return
        spanning = _spanning(edits, kept[0])
        if not spanning and fold.unpack(kept[1]):
            return
        # One that saw an event before it was edited will not do, nor one that cannot be read.
        before = min([kept[0], *(edit.target for edit in spanning)]) - 1


def _spanning(edits: Sequence[_Edit], seq: int) -> list[_Edit]:
    """Edits made behind `seq` of what lies at or before it."""
    return [edit for edit in edits if edit.target <= seq < edit.seq]


def _edits_until(store: Store, run_id: str, seq: int) -> list[_Edit]:
    """In the order they were made."""
    edits: list[_Edit] = []
    for event in store.query(run_id, kinds=("edit.applied",), limit=10_000):
        payload = store.resolve(event)
        if isinstance(payload, EditApplied) and event.seq <= seq:
            edits.append(_Edit(event.seq, payload.target, edited_payload(payload)))
    return edits


def node_states(fold: Fold) -> dict[str, Any]:
    """Each node's state as plain data: `{name: {field: value}}`."""
    plain: dict[str, Any] = msgspec.to_builtins(fold.machine.states)
    return plain
