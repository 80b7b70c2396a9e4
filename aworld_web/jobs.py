"""Who drives runs: a pump in a Celery worker, or in the web process itself.

Both are one thread with one event loop (`aworld.runtime.jobs`); this module gives them the models
of the stored connections. Keys are decrypted here, in the process that calls the model.
"""

from __future__ import annotations

import functools
import logging
import os
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import msgspec
from django.db import close_old_connections

from apps.agents.model_selectors import whole_spec
from apps.runs.stores import run_store
from apps.runs.wake import doorbell
from aworld.agents.build import build_team
from aworld.agents.runner import parts_of
from aworld.agents.team import read_team
from aworld.bus.doorbell import Doorbell
from aworld.environments.record import task_of
from aworld.errors import ConfigurationError, StoreError
from aworld.llm.base import Model
from aworld.llm.registry import make_model
from aworld.runtime.jobs import InProcessJobs
from aworld.runtime.pump import REAP_S, Parts, Pump, reap
from aworld.storage.base import RunRecord
from aworld.tools import registry

log = logging.getLogger(__name__)

CONCURRENCY = 16
"""Runs that one worker drives at once; AWORLD_CONCURRENCY overrides it."""


def worker_name() -> str:
    """`host:pid`, as it stands in a run's row."""
    return f"{socket.gethostname()}:{os.getpid()}"


class Connections:
    """Models by their connection's name; made once for each version of a connection.

    A pump builds runs on its event loop, where Django lets nobody read its database; a thread of
    its own does that, for the millisecond it takes.
    """

    def __init__(self) -> None:
        self._made: dict[str, tuple[bytes, Model]] = {}
        self._reader = ThreadPoolExecutor(1, thread_name_prefix="connections")

    def find(self, name: str) -> Model:
        """The model of a connection.

        Raises:
            ConfigurationError: there is no such connection, or no model can be made of it.
        """
        spec = self._reader.submit(_stored_spec, name).result()
        if spec is None:
            raise ConfigurationError(
                f"There is no model connection {name!r}. Add it under Settings, or choose another "
                "model for the agent."
            )
        fingerprint = msgspec.json.encode(spec)
        made = self._made.get(name)
        if made is None or made[0] != fingerprint:
            # The old one may be in use by a run; its connections close with the loop.
            made = self._made[name] = (fingerprint, make_model(spec))
        return made[1]


def _stored_spec(name: str) -> dict[str, Any] | None:
    """The connection as it is stored, or stands in config.yaml, now."""
    close_old_connections()
    return whole_spec(name)


def make_pump() -> Pump:
    """A pump over this process's store; call on the loop that will run it."""
    store = run_store()
    connections = Connections()

    def build(record: RunRecord, bell: Doorbell) -> Parts:
        team = read_team(record.team)
        task = task_of(record.environment)
        built = build_team(team, connections.find, registry.get, task)
        return parts_of(built, store, record, bell)

    return Pump(
        store,
        build,
        doorbell(),
        worker=worker_name(),
        concurrency=int(os.environ.get("AWORLD_CONCURRENCY", CONCURRENCY)),
    )


@functools.cache
def worker_jobs() -> InProcessJobs:
    """This process's pump, not started yet at the first call."""
    return InProcessJobs(make_pump)


class CeleryJobs:
    """Wakes one worker through Celery."""

    def wake(self) -> None:
        """Never blocks for long, never raises: the workers look at the queue by themselves too."""
        from kombu.exceptions import OperationalError

        from aworld_web.celery import wake

        try:
            wake.apply_async(retry=False, ignore_result=True)
        except (OperationalError, OSError):
            log.warning("No worker could be woken; the run waits until one looks at the queue.")


class Reaper:
    """Marks runs as lost whose worker fell silent, also while no worker is left to see it."""

    def __init__(self) -> None:
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="reaper", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """End it after its current look."""
        self._stop.set()
        self._thread.join(timeout=5)

    def _run(self) -> None:
        while not self._stop.wait(REAP_S):
            try:
                lost = reap(run_store(), worker_name())
            except StoreError:
                log.exception("Silent runs could not be looked for; trying again.")
                continue
            for run_id in lost:
                log.warning("Run %s is lost: its worker fell silent.", run_id)
