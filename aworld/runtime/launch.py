"""Bringing runs into the world: the row and the log's first event."""

from __future__ import annotations

import uuid
from typing import Any

import msgspec

from aworld.events.envelope import Clock
from aworld.events.run import Limits, RunCreated
from aworld.events.union import Event
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
) -> RunRecord:
    """Add a run and write its `run.created`.

    With `worker` the run is created leased to it for `lease_ttl_s` seconds, so that no other
    worker can take it first; the lease is `created_lease(record)`.

    Raises:
        ConfigurationError: the team's limits cannot be read.
    """
    clock = Clock()
    now = clock.now()
    record = RunRecord(
        run_id=run_id or new_run_id(),
        project_id=project_id,
        team_name=str(team.get("name", "")),
        team=team,
        input=input,
        task_id=task_id,
        attempt=attempt,
        seed=seed,
        source=source,
        tags=tags,
        priority=priority,
        status="running" if worker else "queued",
        created_at=now,
        worker=worker,
        epoch=1 if worker else 0,
        lease_until=now + int(lease_ttl_s * 1e6) if worker else 0,
    )
    limits = team_limits(team)
    stored = store.create_run(record)
    if stored.last_seq < 0:
        store.append(stored.run_id, stored.epoch, [_first_event(stored, limits)])
    return store.get_run(stored.run_id)


def _first_event(record: RunRecord, limits: Limits) -> Event:
    created = RunCreated(
        team_name=record.team_name,
        input=record.input,
        team=record.team,
        source=record.source,
        limits=limits,
        seed=record.seed,
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


def team_limits(team: dict[str, Any]) -> Limits:
    """The limits of a team's definition; what is not set has its default."""
    from aworld.errors import ConfigurationError

    try:
        return msgspec.convert(team.get("limits") or {}, Limits)
    except msgspec.ValidationError as error:
        raise ConfigurationError(
            f"The limits of team {team.get('name', '')!r} cannot be used: {error}."
        ) from error
