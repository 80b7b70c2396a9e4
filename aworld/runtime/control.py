"""What people may do to a run from any process: cancel, pause, resume, answer.

A running run gets a command in the store's queue; its supervisor carries it out. A run that no
worker holds is changed here, under a lease of its own, so that the log stays the truth.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from aworld.errors import AWorldError
from aworld.events.conversation import PersonAsked
from aworld.events.envelope import Clock
from aworld.events.run import RunCancelled
from aworld.events.union import AnyPayload, Event
from aworld.runtime.approval import read_answer
from aworld.runtime.editing import identity, make_edit, stand_in
from aworld.runtime.launch import begin
from aworld.runtime.machine import SUPERVISOR
from aworld.runtime.node import AnyNode
from aworld.runtime.recovery import read_log
from aworld.storage.base import ENDED, Lease, RunRecord, Store

LEASE_S = 9.0
"""How long a worker may be silent before its run counts as lost."""


def cancel(store: Store, run_id: str, *, by: str, reason: str = "") -> RunRecord:
    """End a run. A run that has ended already is left as it is."""
    record = store.get_run(run_id)
    if record.status in ENDED:
        return record
    if record.status in {"running", "paused"}:
        store.put_command(run_id, "cancel", {"reason": reason}, by=by)
        return store.get_run(run_id)
    lease = store.claim(by or "control", ttl_s=LEASE_S, run_id=run_id)
    if lease is None:
        # A worker was quicker; it will see the command.
        store.put_command(run_id, "cancel", {"reason": reason}, by=by)
        return store.get_run(run_id)
    write_alone(store, lease, RunCancelled(by=by, reason=reason))
    return store.get_run(run_id)


def pause(store: Store, run_id: str, *, by: str, reason: str = "") -> RunRecord:
    """Stop every node at its next gate.

    Raises:
        AWorldError: the run is not running.
    """
    record = store.get_run(run_id)
    if record.status == "paused":
        return record
    if record.status != "running":
        raise AWorldError(f"Run {run_id!r} is {record.status}; only a running run can be paused.")
    store.put_command(run_id, "pause", {"reason": reason}, by=by)
    return store.get_run(run_id)


def resume(store: Store, run_id: str, *, by: str) -> RunRecord:
    """Let a paused or parked run go on.

    Raises:
        AWorldError: the run is neither.
    """
    record = store.get_run(run_id)
    if record.status not in {"paused", "parked"}:
        raise AWorldError(f"Run {run_id!r} is {record.status}; only a paused run can be resumed.")
    return _command_paused(store, run_id, "resume", {}, by)


def answer(store: Store, run_id: str, span: int, text: str, *, by: str) -> RunRecord:
    """Answer a `person.asked` by the seq that asked; a run that was parked meanwhile goes on.

    Raises:
        AWorldError: the run has ended, or nobody asks there.
        ConfigurationError: something is to be allowed, and the answer neither does so nor refuses.
    """
    record = store.get_run(run_id)
    if record.status in ENDED:
        raise AWorldError(f"Run {run_id!r} is {record.status}; its questions are closed.")
    asked = store.read_seqs(run_id, [span])
    if not asked or asked[0].kind != "person.asked":
        raise AWorldError(f"Event {span} of run {run_id!r} asks no question.")
    payload = store.resolve(asked[0])
    if isinstance(payload, PersonAsked) and payload.approval is not None:
        read_answer(text)
    store.put_command(run_id, "answer", {"span": span, "answer": text}, by=by)
    # One that was put aside, or parked, is taken up again to hear it.
    store.set_run(run_id, status="queued", only_if=("parked",))
    return store.get_run(run_id)


def step(store: Store, run_id: str, *, by: str) -> RunRecord:
    """Let a paused run do one thing, then hold it again.

    Raises:
        AWorldError: the run is not paused.
    """
    return _command_paused(store, run_id, "step", {}, by)


def run_to(store: Store, run_id: str, seq: int, *, by: str) -> RunRecord:
    """Let a paused run go on until a node's event has this number or a larger one.

    Raises:
        AWorldError: the run is not paused, or that step is past.
    """
    record = store.get_run(run_id)
    if seq <= record.last_seq:
        raise AWorldError(f"Step {seq} of run {run_id!r} is past; it is at {record.last_seq}.")
    return _command_paused(store, run_id, "run_to", {"seq": seq}, by)


def edit(
    store: Store,
    run_id: str,
    target: int,
    after: dict[str, Any],
    *,
    nodes: Sequence[AnyNode],
    by: str,
) -> RunRecord:
    """Change what the nodes of a paused run see of an event; `after` holds the changed fields.

    Raises:
        ConfigurationError: the event cannot be edited, or the fields do not fit its kind.
        AWorldError: the run is not paused, or the event was acted on already.
    """
    _must_be_held(store.get_run(run_id))
    log = read_log(store, run_id)
    made = make_edit(log, target, after, nodes)
    arguments = {
        "target": target,
        "before": made.before,
        "after": made.after,
        "seen": log[-1].seq,
    }
    return _command_paused(store, run_id, "edit", arguments, by)


def substitute(
    store: Store, run_id: str, span: int, payload: dict[str, Any], *, opened: Event, by: str
) -> RunRecord:
    """Answer instead of the model, the tool or the person that `opened` waits for.

    A negative span means what would begin next in a paused run; then `opened` is its draft.

    Raises:
        ConfigurationError: the fields do not fit.
        AWorldError: the run has ended, or is not paused where it would have to be.
    """
    record = store.get_run(run_id)
    if record.status in ENDED:
        raise AWorldError(f"Run {run_id!r} is {record.status}; nothing waits for an answer.")
    plain = msgspec.to_builtins(stand_in(opened, payload, by=by))
    arguments = {"span": span, "payload": plain, "wanted": identity(opened)}
    if span < 0:
        return _command_paused(store, run_id, "substitute", arguments, by)
    store.put_command(run_id, "substitute", arguments, by=by)
    return store.get_run(run_id)


def arm(store: Store, run_id: str, breakpoints: list[dict[str, Any]], *, by: str) -> RunRecord:
    """Put these breakpoints in the place of the run's own.

    Raises:
        ConfigurationError: a breakpoint cannot be used.
        AWorldError: the run has ended.
    """
    from aworld.runtime.breakpoints import read_breakpoints

    read_breakpoints(breakpoints)
    record = store.get_run(run_id)
    if record.status in ENDED:
        raise AWorldError(f"Run {run_id!r} is {record.status}; it will not stop any more.")
    store.put_command(run_id, "arm", {"breakpoints": breakpoints}, by=by)
    return record


def _command_paused(
    store: Store, run_id: str, name: str, arguments: dict[str, Any], by: str
) -> RunRecord:
    _must_be_held(store.get_run(run_id))
    store.put_command(run_id, name, arguments, by=by)
    # A parked run is taken up again first.
    store.set_run(run_id, status="queued", only_if=("parked",))
    return store.get_run(run_id)


def _must_be_held(record: RunRecord) -> None:
    if record.status not in {"paused", "parked"}:
        raise AWorldError(f"Run {record.run_id!r} is {record.status}; pause it first.")


def write_alone(store: Store, lease: Lease, *payloads: AnyPayload) -> int:
    """Append supervisor events to a run that no supervisor drives, and give the lease back."""
    begin(store, store.get_run(lease.run_id), lease.epoch)
    record = store.get_run(lease.run_id)
    last = store.read(lease.run_id, after=record.last_seq - 1, limit=1)
    clock = Clock(not_before=last[-1].at if last else 0)
    events = [
        Event(
            run_id=lease.run_id,
            seq=record.last_seq + 1 + i,
            at=clock.now(),
            actor=SUPERVISOR,
            payload=payload,
        )
        for i, payload in enumerate(payloads)
    ]
    seq = store.append(lease.run_id, lease.epoch, events)
    store.release(lease)
    return seq
