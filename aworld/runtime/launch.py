"""Bringing runs into the world: the row and the log's first event."""

from __future__ import annotations

import contextlib
import uuid
from typing import Any

import msgspec

from aworld.environments.record import allowed_s, without_answers
from aworld.errors import ConfigurationError, StaleEpoch, Unwritable
from aworld.events.envelope import Clock
from aworld.events.run import Limits, RunCreated
from aworld.events.union import Event, encode
from aworld.runtime.machine import SUPERVISOR
from aworld.storage.base import Lease, RunRecord, Store


def new_run_id() -> str:
    """A fresh id: 32 hexadecimal digits, sorted by time in their first 12."""
    milliseconds = Clock().now() // 1000
    return f"{milliseconds:012x}{uuid.uuid4().hex[:20]}"


def create_run(
    store: Store,
    *,
    team: dict[str, Any],
    input: str,
    source: str,
    run_id: str = "",
    task_id: str = "",
    attempt: int = 0,
    seed: int = 0,
    priority: int = 0,
    project_id: str = "default",
    tags: tuple[str, ...] = (),
    worker: str = "",
    lease_ttl_s: float = 0.0,
    environment: dict[str, Any] | None = None,
) -> RunRecord:
    """Add a run and write its `run.created`.

    With `worker` the run is created leased to it for `lease_ttl_s` seconds, so that no other
    worker can take it first; the lease is `created_lease(record)`. `environment` is what
    `aworld.environments.record.environment_of` makes of a task.

    Raises:
        ConfigurationError: the team's limits cannot be read, or the log cannot keep what it is
            given.
    """
    now = Clock().now()
    record = RunRecord(
        run_id=run_id or new_run_id(),
        project_id=project_id,
        team_name=str(team.get("name", "")),
        team=team,
        input=input,
        task_id=task_id,
        attempt=attempt,
        seed=seed,
        environment=environment or {},
        source=source,
        tags=tags,
        priority=priority,
        status="running" if worker else "queued",
        created_at=now,
        worker=worker,
        epoch=1 if worker else 0,
        lease_until=now + int(lease_ttl_s * 1e6) if worker else 0,
    )
    _must_be_writable(record)
    stored = store.create_run(record)
    # Where a worker was quicker and claimed the row, it begins the log.
    with contextlib.suppress(StaleEpoch):
        begin(store, stored, stored.epoch)
    return store.get_run(stored.run_id)


def begin(store: Store, record: RunRecord, epoch: int) -> None:
    """Write a run's `run.created`, where whoever made its row was stopped before that.

    Raises:
        StaleEpoch: another worker has the run.
    """
    if record.last_seq < 0:
        store.append(record.run_id, epoch, [_first_event(record)])


def _must_be_writable(record: RunRecord) -> None:
    """Refuse, before there is a row, what no log can keep: a row without a log would be tried for
    ever."""
    try:
        encode(_first_event(record))
    except Unwritable as error:
        raise ConfigurationError(
            f"The run of team {record.team_name!r} cannot be recorded: {error.__cause__}. Its "
            "question and definition hold text, lists, objects and numbers of at most 64 bits."
        ) from None


def _first_event(record: RunRecord) -> Event:
    created = RunCreated(
        team_name=record.team_name,
        input=record.input,
        team=record.team,
        source=record.source,
        limits=run_limits(record),
        seed=record.seed,
        environment=without_answers(record.environment),
    )
    return Event(
        run_id=record.run_id,
        seq=0,
        at=record.created_at,
        actor=SUPERVISOR,
        payload=created,
        task_id=record.task_id,
        attempt=record.attempt,
    )


def created_lease(record: RunRecord) -> Lease:
    """The lease of a run that was created already leased."""
    return Lease(record.run_id, record.worker, record.epoch, record.lease_until)


def run_limits(record: RunRecord) -> Limits:
    """The team's limits, its time no longer than that of the run's task."""
    limits = team_limits(record.team)
    allowed = allowed_s(record.environment)
    if allowed is None or (limits.seconds is not None and limits.seconds <= allowed):
        return limits
    return msgspec.structs.replace(limits, seconds=allowed)


def team_limits(team: dict[str, Any]) -> Limits:
    """The limits of a team's definition; what is not set has its default."""
    try:
        return msgspec.convert(team.get("limits") or {}, Limits)
    except msgspec.ValidationError as error:
        raise ConfigurationError(
            f"The limits of team {team.get('name', '')!r} cannot be used: {error}."
        ) from error
