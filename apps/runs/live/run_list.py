"""Which runs of the list have changed since the last look."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from apps.runs.encoding import run_fields
from aworld.storage.base import RunFilter, RunRecord, Store

WINDOW = 200
"""Newest runs, and queued ones in their order, that are looked at."""


class Changes(NamedTuple):
    """What the list's pages need to know."""

    changed: list[dict[str, Any]]
    removed: list[str]
    counts: dict[str, int]

    @property
    def any(self) -> bool:
        """Whether there is anything to tell."""
        return bool(self.changed or self.removed)


class RunList:
    """Remembers the rows it saw. Used by one thread at a time."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[str, RunRecord] = {}

    def changes(self) -> Changes:
        """What differs from the last call; at the first call everything."""
        newest = self._store.list_runs(order="newest", limit=WINDOW).runs
        queued = self._store.list_runs(
            RunFilter(statuses=("queued",)), order="queue", limit=WINDOW
        ).runs
        seen = {record.run_id: _still(record) for record in (*newest, *queued)}
        changed = [
            run_fields(record)
            for run_id, record in seen.items()
            if self._known.get(run_id) != record
        ]
        removed = self._removed(seen, newest)
        self._known = seen
        return Changes(changed, removed, self._store.count_by_status())

    def _removed(self, seen: dict[str, RunRecord], newest: list[RunRecord]) -> list[str]:
        """Known runs that should be among the newest and are not."""
        oldest = newest[-1].created_at if len(newest) == WINDOW else 0
        return [
            run_id
            for run_id, record in self._known.items()
            if run_id not in seen and record.created_at > oldest
        ]


def _still(record: RunRecord) -> RunRecord:
    """The row without what moves while nothing happens."""
    return msgspec.structs.replace(record, lease_until=0, indexed_seq=-1)
