"""What somebody who debugs a run does to it. Each is a command in the store's queue, or a fork."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from django.utils.translation import gettext as _

from apps.agents.selectors import breakpoints_read
from apps.runs import wake
from apps.runs.debugging_hold import hold_check
from apps.runs.selectors import run_record, whole_event
from apps.runs.stores import run_store
from apps.shell.refusals import Conflict, Refusal
from aworld.agents.nodes import recorded_nodes
from aworld.errors import AWorldError, ConfigurationError, StoreError
from aworld.events.traits import CLOSERS, closes_span, opens_span
from aworld.events.union import Event
from aworld.runtime import control
from aworld.runtime.editing import ActedOn
from aworld.runtime.fork import fork_run
from aworld.runtime.held import next_wanted
from aworld.runtime.recovery import read_log
from aworld.storage.base import RunRecord

MOST_CLOSERS = 10_000


@contextmanager
def refusals() -> Iterator[None]:
    """The library's own words: 400 where what was sent does not fit, 409 where the run does not."""
    try:
        yield
    except StoreError:
        raise
    except ActedOn as error:
        raise Conflict(str(error), acted_on=error.acted_on) from None
    except ConfigurationError as error:
        raise Refusal(str(error)) from None
    except AWorldError as error:
        raise Conflict(str(error)) from None


def _commanded(record: RunRecord) -> RunRecord:
    wake.commanded(record.run_id, record.last_seq)
    return record


def run_step(run_id: str, by: str) -> RunRecord:
    """Let a paused run do one thing.

    Raises:
        Missing: no such run.
        Conflict: it is not paused, or someone else debugs it.
    """
    hold_check(run_id, by)
    with refusals():
        return _commanded(control.step(run_store(), run_id, by=by))


def run_run_to(run_id: str, seq: int, by: str) -> RunRecord:
    """Let a paused run go on to a step.

    Raises:
        Missing: no such run.
        Conflict: it is not paused, the step is past, or someone else debugs it.
    """
    hold_check(run_id, by)
    with refusals():
        return _commanded(control.run_to(run_store(), run_id, seq, by=by))


def run_edit(run_id: str, target: int, after: dict[str, Any], by: str) -> RunRecord:
    """Change what a paused run's nodes see of an event.

    Raises:
        Missing: no such run.
        Refusal: 400, the event or the fields cannot be changed so.
        Conflict: it is not paused, a node has acted on the event, or someone else debugs it.
    """
    hold_check(run_id, by)
    store = run_store()
    nodes = recorded_nodes(store, run_record(run_id))
    with refusals():
        return _commanded(control.edit(store, run_id, target, after, nodes=nodes, by=by))


def run_substitute(run_id: str, span: int, payload: dict[str, Any], by: str) -> RunRecord:
    """Answer instead of the model, the tool or the person.

    Raises:
        Missing: no such run or event.
        Refusal: 400, the fields do not fit.
        Conflict: nothing waits there, or someone else debugs it.
    """
    hold_check(run_id, by)
    opened = _open_span(run_id, span) if span >= 0 else _held(run_id)
    with refusals():
        return _commanded(
            control.substitute(run_store(), run_id, span, payload, opened=opened, by=by)
        )


def run_arm(run_id: str, plain: list[Any], by: str) -> RunRecord:
    """Put these breakpoints in the place of the run's.

    Raises:
        Missing: no such run.
        Refusal: 400, one of them cannot be used.
        Conflict: it has ended, or someone else debugs it.
    """
    hold_check(run_id, by)
    breakpoints = breakpoints_read(plain)
    with refusals():
        return _commanded(control.arm(run_store(), run_id, breakpoints, by=by))


def run_fork(
    run_id: str,
    at: int,
    *,
    edits: Mapping[str, dict[str, Any]],
    policies: Mapping[str, str],
    by: str,
) -> RunRecord:
    """Queue a run that shares this one's steps up to `at`, changed, and goes on by itself.

    Raises:
        Missing: no such run.
        Refusal: 400, the step, an edit or a policy does not fit.
        Conflict: an edited event was acted on before `at`.
    """
    store = run_store()
    nodes = recorded_nodes(store, run_record(run_id))
    with refusals():
        fork = fork_run(
            store,
            run_id,
            at,
            nodes=nodes,
            edits={_seq(key): fields for key, fields in edits.items()},
            policies=policies,
            by=by,
        )
    wake.queued(fork.run_id)
    return fork


def _seq(key: str) -> int:
    if not (key.isascii() and key.isdigit()):
        raise ConfigurationError(f"{key!r} is no step. The keys of `edits` are numbers of events.")
    return int(key)


def _open_span(run_id: str, span: int) -> Event:
    """The event that opened a span which is open still."""
    opened = whole_event(run_id, span)
    if not opens_span(opened):
        raise Refusal(
            _("Event %(seq)d of run %(run)r is %(kind)r and waits for no answer.")
            % {"seq": span, "run": run_id, "kind": opened.kind}
        )
    closers = run_store().query(
        run_id, kinds=tuple(CLOSERS), actors=(opened.actor,), after=span, limit=MOST_CLOSERS
    )
    closed = next((one for one in closers if one.span == span and closes_span(one)), None)
    if closed is not None:
        raise Conflict(
            _("Event %(seq)d of run %(run)r was answered at step %(closed)d already.")
            % {"seq": span, "run": run_id, "closed": closed.seq},
            closed=closed.seq,
        )
    return opened


def _held(run_id: str) -> Event:
    """The draft of what a paused run would begin next."""
    store, record = run_store(), run_record(run_id)
    held = None
    if record.status in {"paused", "parked"}:
        held = next_wanted(read_log(store, run_id), recorded_nodes(store, record))
    if held is None:
        raise Conflict(
            _("Nothing is held back in run %(run)r, which is %(status)s. Pause it first.")
            % {"run": run_id, "status": record.status}
        )
    return held
