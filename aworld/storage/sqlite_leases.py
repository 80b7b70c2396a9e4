"""Who may write which run: leases with a fencing epoch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from aworld.storage.base import Lease, RunRecord
from aworld.storage.sqlite_connections import Connections
from aworld.storage.sqlite_lineage import find_run
from aworld.storage.sqlite_runs import records

# A run that is parked is taken only by name. An ended one is never taken.
_UNASKED: Final = "('queued', 'lost', 'running', 'paused')"
_BY_NAME: Final = "('queued', 'lost', 'running', 'paused', 'parked')"


class Leases:
    """Claims, renewals and what has run out. Times come from `now` (UTC microseconds)."""

    def __init__(self, connections: Connections, now: Callable[[], int]) -> None:
        self._connections = connections
        self._now = now

    def claim(self, worker: str, ttl_s: float, run_id: str) -> Lease | None:
        """Take the next run in the queue's order, or the given one, whose lease is free."""
        with self._connections.writing() as connection:
            now = self._now()
            if run_id:
                find_run(connection, run_id)
            found = connection.execute(
                "SELECT run, run_id, epoch FROM runs WHERE NOT hidden AND lease_until <= ? AND "
                + (f"status IN {_BY_NAME} AND run_id = ?" if run_id else f"status IN {_UNASKED}")
                + " ORDER BY priority DESC, position, created_at, run LIMIT 1",
                (now, run_id) if run_id else (now,),
            ).fetchone()
            if found is None:
                return None
            run, name, epoch = found
            lease = Lease(name, worker, epoch + 1, now + round(ttl_s * 1e6))
            connection.execute(
                "UPDATE runs SET worker=?, epoch=?, lease_until=? WHERE run=?",
                (worker, lease.epoch, lease.until, run),
            )
            return lease

    def renew(self, lease: Lease, ttl_s: float) -> Lease | None:
        """Prolong a lease that nobody has taken since; also one that ran out unnoticed."""
        until = self._now() + round(ttl_s * 1e6)
        return lease._replace(until=until) if self._set_until(lease, until) else None

    def release(self, lease: Lease) -> None:
        """Free the run for the next claim."""
        self._set_until(lease, 0)

    def expired(self) -> list[RunRecord]:
        """Running or paused runs that nobody holds."""
        with self._connections.reading() as connection:
            return records(
                connection,
                "WHERE NOT hidden AND status IN ('running', 'paused') AND lease_until <= ?"
                " ORDER BY lease_until, run",
                (self._now(),),
            )

    def _set_until(self, lease: Lease, until: int) -> bool:
        with self._connections.writing() as connection:
            done = connection.execute(
                "UPDATE runs SET lease_until=? WHERE run_id=? AND epoch=? AND worker=?",
                (until, lease.run_id, lease.epoch, lease.worker),
            )
            return done.rowcount == 1
