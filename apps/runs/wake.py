"""Telling the rest of the installation that something changed. Losing one costs latency only."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from django.conf import settings

from aworld.bus.doorbell import Doorbell

if TYPE_CHECKING:
    from aworld.runtime.jobs import Jobs

_jobs: list[Jobs] = []


def use(jobs: Jobs) -> None:
    """Who is woken when a run is queued; the web process chooses at its start."""
    _jobs[:] = [jobs]


def drop(jobs: Jobs) -> None:
    """Wake these no more; they are about to stop."""
    if jobs in _jobs:
        _jobs.remove(jobs)


@functools.cache
def doorbell() -> Doorbell:
    """The process's doorbell: over Redis where there is one, else within the process."""
    return Doorbell(settings.CONFIG.redis_url)


def queued(run_id: str) -> None:
    """A run waits in the queue."""
    for jobs in _jobs:
        jobs.wake()
    doorbell().ring_run(run_id, 0)


def commanded(run_id: str, last_seq: int) -> None:
    """A run has a command, or its row changed."""
    doorbell().ring_run(run_id, last_seq)
    doorbell().wake()
