"""Removing a run from MongoDB: at once where nothing hangs on it, else all but what forks share.

The deciding write hides the run. What follows may be cut off by a crash; it is taken up again by
`finish`.
"""

from __future__ import annotations

from aworld.errors import StoreError
from aworld.storage.mongo_collections import Collections, Document
from aworld.storage.mongo_notes import MongoNotes
from aworld.storage.mongo_text import MongoText

NOTHING = -1


class Deletion:
    """Deletes runs."""

    def __init__(self, collections: Collections, text: MongoText, notes: MongoNotes) -> None:
        self._all = collections
        self._text = text
        self._notes = notes

    def delete(self, run: Document, now: int) -> None:
        """Delete a run; parents that were kept for it alone go too.

        Raises:
            StoreError: a worker holds its lease.
        """
        free = {"_id": run["_id"], "lease_until": {"$lte": now}}
        if not self._all.runs.update_one(free, {"$set": {"hidden": True}}).matched_count:
            raise StoreError(
                f"Run {run['_id']!r} is held by worker {run['worker']!r}: cancel it, or wait "
                "until its lease ends, then delete it."
            )
        self._clear(run)

    def finish(self) -> None:
        """Do what interrupted deletions have left to do."""
        for run in list(self._all.runs.find({"hidden": True})):
            self._clear(run)

    def _clear(self, run: Document) -> None:
        self._notes.forget(run["_id"])
        found: Document | None = run
        while found is not None:
            needed = self._needed_by_forks(found["_id"])
            self._trim(found["_id"], needed)
            if needed != NOTHING:
                return
            self._all.runs.delete_one({"_id": found["_id"]})
            found = self._all.runs.find_one({"_id": found["parent_run_id"], "hidden": True})

    def _needed_by_forks(self, run_id: str) -> int:
        """The last seq that a fork shares, one kept for its own forks counted."""
        found = self._all.runs.find_one({"parent_run_id": run_id}, sort=[("parent_seq", -1)])
        return NOTHING if found is None else int(found["parent_seq"])

    def _trim(self, run_id: str, keep: int) -> None:
        """Remove all of a run's events after `keep`, with what was made of them. A block that
        straddles it stays whole: readers stop at the run's last seq."""
        self._text.forget(run_id, keep)
        behind = {"run": run_id, "first_seq": {"$gt": keep}}
        self._all.runs.update_one({"_id": run_id}, {"$min": {"last_seq": keep}})
        self._all.blocks.delete_many(behind)
        self._all.detail.delete_many(behind)
        self._notes.forget_snapshots(run_id, keep)
