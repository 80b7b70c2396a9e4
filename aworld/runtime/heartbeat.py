"""Keeps the leases of a worker's runs, and brings them their commands, from a thread of its own.

A thread, because a loop that is busy for ten seconds would otherwise look dead.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time

from aworld.errors import StoreError
from aworld.runtime.control import LEASE_S
from aworld.runtime.supervisor import Supervisor
from aworld.storage.base import Lease, Store

logger = logging.getLogger(__name__)

POLL_S = 0.25
RENEW_S = LEASE_S / 3


class Heartbeat:
    """One thread for all runs of this process. Start it, `watch` runs, `stop` it."""

    def __init__(self, store: Store, *, ttl_s: float = LEASE_S) -> None:
        self._store = store
        self._ttl_s = ttl_s
        self._lock = threading.Lock()
        self._watched: dict[str, _Watched] = {}
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._beat, name="heartbeat", daemon=True)

    def start(self) -> None:
        """Begin to beat."""
        self._thread.start()

    def stop(self) -> None:
        """Beat no more; leases run out by themselves unless released."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(timeout=5)

    def watch(self, supervisor: Supervisor, lease: Lease) -> None:
        """Keep this run's lease. Call on the run's loop."""
        with self._lock:
            self._watched[lease.run_id] = _Watched(
                supervisor, lease, asyncio.get_running_loop(), time.monotonic() + RENEW_S
            )

    def unwatch(self, run_id: str) -> None:
        """Let it go."""
        with self._lock:
            self._watched.pop(run_id, None)

    def _beat(self) -> None:
        seen_version = -1
        while not self._stop.wait(POLL_S):
            with self._lock:
                watched = list(self._watched.values())
            if not watched:
                continue
            try:
                version = self._store.version()
                for one in watched:
                    if version != seen_version:
                        self._bring_commands(one)
                    if time.monotonic() >= one.renew_at:
                        self._renew(one)
                seen_version = version
            except StoreError:
                logger.exception("The heartbeat could not reach the store; it tries again.")
            except RuntimeError:
                # A loop was closed between listing and calling it: its runs are gone.
                logger.debug("A watched loop has ended.", exc_info=True)

    def _bring_commands(self, one: _Watched) -> None:
        run_id = one.lease.run_id
        for command in self._store.commands(run_id, after=one.supervisor.next_command - 1):
            one.loop.call_soon_threadsafe(one.supervisor.command, command)

    def _renew(self, one: _Watched) -> None:
        renewed = self._store.renew(one.lease, ttl_s=self._ttl_s)
        if renewed is None:
            self.unwatch(one.lease.run_id)
            one.loop.call_soon_threadsafe(one.supervisor.lease_lost)
            return
        one.lease = renewed
        one.renew_at = time.monotonic() + RENEW_S


class _Watched:
    """A run whose lease is kept."""

    def __init__(
        self,
        supervisor: Supervisor,
        lease: Lease,
        loop: asyncio.AbstractEventLoop,
        renew_at: float,
    ) -> None:
        self.supervisor = supervisor
        self.lease = lease
        self.loop = loop
        self.renew_at = renew_at
