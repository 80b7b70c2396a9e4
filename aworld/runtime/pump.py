"""Claims runs and drives many of them on one event loop.

Celery, a script, or the single-process server only wake it: which run is whose stands in the store.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from aworld.bus.doorbell import Doorbell, WakeRang
from aworld.errors import AWorldError, StaleEpoch, StoreError, Unwritable
from aworld.events.run import ErrorRaised, RunFailed, RunLost
from aworld.runtime.control import LEASE_S, write_alone
from aworld.runtime.effects import Gate
from aworld.runtime.heartbeat import Heartbeat
from aworld.runtime.launch import begin
from aworld.runtime.node import AnyNode
from aworld.runtime.supervisor import Supervisor
from aworld.storage.base import Lease, RunRecord, Store

logger = logging.getLogger(__name__)

IDLE_S = 0.5
"""How often the queue is looked at without a wake-up."""
REAP_S = 2.0
CLAIMS = 4
"""Runs claimed in one trip to a thread; few, so that idle workers share what waits."""


class Parts(NamedTuple):
    """What a run's record is built into."""

    nodes: Sequence[AnyNode]
    make_gate: Callable[[Supervisor], Gate]


Build = Callable[[RunRecord, Doorbell], Parts]
"""Makes a run's nodes and gate; raises ConfigurationError where the team cannot work."""


class Pump:
    """A worker. `run()` until `stop()`."""

    def __init__(
        self,
        store: Store,
        build: Build,
        doorbell: Doorbell,
        *,
        worker: str,
        concurrency: int = 8,
    ) -> None:
        self._store = store
        self._build = build
        self._doorbell = doorbell
        self._worker = worker
        self._concurrency = concurrency
        self._heartbeat = Heartbeat(store)
        self._wake = asyncio.Event()
        self._stopping = False
        self._running: dict[str, asyncio.Task[None]] = {}

    @property
    def running(self) -> list[str]:
        """Runs it drives now."""
        return list(self._running)

    def wake(self) -> None:
        """Look at the queue now. Call on the pump's loop."""
        self._wake.set()

    async def stop(self, *, grace_s: float = 5.0) -> None:
        """Claim nothing more; runs that do not end in time are left to be taken up."""
        self._stopping = True
        self._wake.set()
        if self._running:
            await asyncio.wait(self._running.values(), timeout=grace_s)
        for task in list(self._running.values()):
            task.cancel()
        await asyncio.gather(*self._running.values(), return_exceptions=True)

    async def run(self) -> None:
        """Claim and drive until stopped."""
        self._heartbeat.start()
        listener = asyncio.create_task(self._listen())
        reaper = asyncio.create_task(reap_for_ever(self._store, self._worker))
        try:
            while not self._stopping:
                self._wake.clear()
                try:
                    await self._claim_all()
                except StoreError:
                    logger.exception("The queue could not be read; trying again.")
                await self._idle()
        finally:
            for task in (listener, reaper):
                task.cancel()
            await asyncio.gather(listener, reaper, return_exceptions=True)
            await asyncio.to_thread(self._heartbeat.stop)

    async def _listen(self) -> None:
        async for _ in self._doorbell.listen((WakeRang,)):
            self._wake.set()

    async def _idle(self) -> None:
        try:
            await asyncio.wait_for(self._wake.wait(), IDLE_S)
        except TimeoutError:
            return

    async def _claim_all(self) -> None:
        while room := self._room():
            claimed = await asyncio.to_thread(self._claim, min(room, CLAIMS))
            if not self._room():  # It was stopped meanwhile.
                await asyncio.to_thread(self._put_back, claimed)
                return
            for lease, record in claimed:
                task = asyncio.create_task(self._drive(lease, record), name=f"run {lease.run_id}")
                self._running[lease.run_id] = task
                task.add_done_callback(partial(self._done, lease.run_id))
            if not claimed:
                return

    def _room(self) -> int:
        """How many more runs may be begun."""
        return 0 if self._stopping else self._concurrency - len(self._running)

    def _claim(self, most: int) -> list[tuple[Lease, RunRecord]]:
        """The next runs that wait."""
        claimed: list[tuple[Lease, RunRecord]] = []
        try:
            while len(claimed) < most:
                lease = self._store.claim(self._worker, ttl_s=LEASE_S)
                if lease is None:
                    break
                claimed.append((lease, self._store.get_run(lease.run_id)))
        except StoreError:
            if not claimed:
                raise
            logger.exception("The rest of the queue could not be read; trying again.")
        return claimed

    def _put_back(self, claimed: Sequence[tuple[Lease, RunRecord]]) -> None:
        for lease, _ in claimed:
            self._store.release(lease)

    def _done(self, run_id: str, task: asyncio.Task[None]) -> None:
        self._running.pop(run_id, None)
        self._wake.set()
        if not task.cancelled() and task.exception() is not None:
            logger.error("Run %s broke its worker's loop.", run_id, exc_info=task.exception())

    async def _drive(self, lease: Lease, record: RunRecord) -> None:
        try:
            parts = self._build(record, self._doorbell)
        except StoreError:
            logger.exception("Run %s could not be read; it will be taken up.", lease.run_id)
            return
        except AWorldError as error:
            await asyncio.to_thread(_refuse, self._store, lease, error)
            self._doorbell.ring_run(lease.run_id, -1)
            return
        await drive(
            self._store,
            lease,
            parts,
            self._doorbell,
            self._heartbeat,
            begun=record.last_seq >= 0,
            put_aside=True,
        )


async def drive(
    store: Store,
    lease: Lease,
    parts: Parts,
    doorbell: Doorbell,
    heartbeat: Heartbeat,
    *,
    begun: bool = False,
    put_aside: bool = False,
) -> None:
    """Drive one leased run to its end under a heartbeat. `begun`: its log surely has its first
    event. `put_aside`: it may be parked while it waits for people."""
    supervisor = Supervisor(
        store,
        lease,
        parts.nodes,
        parts.make_gate,
        on_durable=partial(doorbell.ring_run, lease.run_id),
        put_aside=put_aside,
    )
    heartbeat.watch(supervisor, lease)
    try:
        if not begun:
            await asyncio.to_thread(_begin, store, lease)
        await supervisor.run()
    except StaleEpoch:
        logger.warning("Run %s was taken over by another worker.", lease.run_id)
    except Unwritable as error:
        logger.exception("Run %s cannot be recorded.", lease.run_id)
        await asyncio.to_thread(_give_up, store, lease, error)
    except StoreError:
        logger.exception("Run %s could not be recorded; it will be taken up.", lease.run_id)
    except Exception as error:  # Whoever took it up next would fail at it too, and so for ever.
        logger.exception("Run %s cannot be driven.", lease.run_id)
        await asyncio.to_thread(_give_up, store, lease, error)
    finally:
        heartbeat.unwatch(lease.run_id)


async def reap_for_ever(store: Store, worker: str) -> None:
    """Every two seconds, mark runs whose worker is silent as lost."""
    while True:
        try:
            await asyncio.to_thread(reap, store, worker)
        except StoreError:
            logger.exception("Silent runs could not be looked for; trying again.")
        await asyncio.sleep(REAP_S)


def reap(store: Store, worker: str) -> list[str]:
    """Write `run.lost` for each run whose lease has run out; returns their ids."""
    lost: list[str] = []
    for record in store.expired():
        lease = store.claim(worker, ttl_s=LEASE_S, run_id=record.run_id)
        if lease is None:
            continue
        heartbeat = record.lease_until - int(LEASE_S * 1e6)
        write_alone(store, lease, RunLost(worker=record.worker, last_heartbeat=heartbeat))
        lost.append(record.run_id)
    return lost


def _begin(store: Store, lease: Lease) -> None:
    begin(store, store.get_run(lease.run_id), lease.epoch)


def _give_up(store: Store, lease: Lease, error: Exception) -> None:
    """End a run that no worker can drive; where even that cannot be written, by its row alone."""
    store.release(lease)
    fresh = store.claim(lease.worker, ttl_s=LEASE_S, run_id=lease.run_id)
    if fresh is None:
        return
    try:
        _refuse(store, fresh, error)
    except Unwritable:
        logger.exception("Run %s has a row that no log can begin with.", lease.run_id)
        store.set_run(lease.run_id, status="failed")
        store.release(fresh)
    except StoreError:
        logger.exception("The end of run %s was not recorded.", lease.run_id)


def _refuse(store: Store, lease: Lease, error: Exception) -> None:
    """A run that cannot be driven fails with the reason."""
    text = str(error) or type(error).__name__
    write_alone(
        store,
        lease,
        ErrorRaised(error=text, error_type=type(error).__name__),
        RunFailed(error=text, outcome="error"),
    )
