"""One person debugs a run at a time; everybody may look."""

from __future__ import annotations

from django.utils.translation import gettext as _

from apps.runs import wake
from apps.runs.debugging_holder import HOLD_US, LABEL, Holder, holder_of
from apps.runs.selectors import run_record
from apps.runs.stores import run_store
from apps.shell.refusals import Conflict
from aworld.events.envelope import Clock

RENEW_US = 10_000_000
"""A hold that is younger is not renewed: each renewal is a label."""


def run_holder(run_id: str) -> Holder | None:
    """Who holds a run now.

    Raises:
        Missing: no such run.
    """
    run_record(run_id)
    return holder_of(run_store().labels(run_id), Clock().now())


def hold_take(run_id: str, by: str, *, take: bool) -> Holder | None:
    """Take the debugger of a run, or give it back; who holds it then.

    Raises:
        Missing: no such run.
        Conflict: someone else holds it.
    """
    held = run_holder(run_id)
    if not take and (held is None or held.by != by):
        return held
    _refuse_other(run_id, held, by)
    run_store().put_label(run_id, LABEL, take, by=by)
    held = run_holder(run_id)
    if take:
        _refuse_other(run_id, held, by)
    wake.commanded(run_id, run_record(run_id).last_seq)
    return held


def hold_check(run_id: str, by: str) -> None:
    """Let a command pass; where its sender holds the run, the hold is renewed.

    Raises:
        Missing: no such run.
        Conflict: someone else holds it.
    """
    held = run_holder(run_id)
    _refuse_other(run_id, held, by)
    if held is not None and held.until - Clock().now() < HOLD_US - RENEW_US:
        run_store().put_label(run_id, LABEL, True, by=by)


def _refuse_other(run_id: str, held: Holder | None, by: str) -> None:
    if held is not None and held.by != by:
        raise Conflict(
            _(
                "%(name)s is debugging run %(run)r. Ask them to give it back, or wait a minute: "
                "without a command of theirs it is free by itself."
            )
            % {"name": held.by, "run": run_id},
            holder=held._asdict(),
        )
