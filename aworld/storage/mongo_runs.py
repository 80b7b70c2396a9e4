"""Runs' documents in MongoDB: made, read, listed, changed, claimed."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

import msgspec
from pymongo.errors import DuplicateKeyError

from aworld.errors import NotFound, StoreError
from aworld.storage.base import (
    Lease,
    RunFilter,
    RunOrder,
    RunPage,
    RunRecord,
    RunStatus,
)
from aworld.storage.mongo_collections import Collections, Document

_FIELDS: Final = tuple(name for name in RunRecord.__struct_fields__ if name != "run_id")
_QUEUE: Final = [("priority", -1), ("position", 1), ("created_at", 1), ("order", 1)]
_ORDERS: Final[dict[RunOrder, list[tuple[str, int]]]] = {
    "newest": [("created_at", -1), ("order", -1)],
    "oldest": [("created_at", 1), ("order", 1)],
    "queue": _QUEUE,
    "failures_first": [("rank", 1), ("created_at", -1), ("order", -1)],
}
# A run that is parked is taken only by name. An ended one is never taken.
_UNASKED: Final = ["queued", "lost", "running", "paused"]
_CLAIMED_AT_ONCE: Final = 16


def rank(status: str) -> int:
    """Place in the order `failures_first`."""
    return 0 if status in ("failed", "lost") else 1 if status == "running" else 2


class MongoRuns:
    """The part of the store that knows runs, but not their events."""

    def __init__(
        self,
        collections: Collections,
        now: Callable[[], int],
        with_text: Callable[[str], Iterable[str]],
    ) -> None:
        self._all = collections
        self._runs = collections.runs
        self._now = now
        self._with_text = with_text

    def create(self, record: RunRecord) -> RunRecord:
        """Add a run, or return the one with this id."""
        there = self._runs.find_one({"_id": record.run_id})
        if there is not None:
            return _record(there)
        now = self._now()
        record = msgspec.structs.replace(
            record,
            created_at=record.created_at or now,
            position=record.position or float(record.created_at or now),
        )
        first_at = 0
        if record.parent_run_id:
            parent = self.document(record.parent_run_id)
            if not -1 <= record.parent_seq <= parent["last_seq"]:
                raise StoreError(
                    f"Run {record.run_id!r} cannot be forked from {record.parent_run_id!r} at seq "
                    f"{record.parent_seq}: its events end at {parent['last_seq']}."
                )
            first_at = parent["first_at"] if record.parent_seq >= 0 else 0
            record = msgspec.structs.replace(
                record, last_seq=record.parent_seq, indexed_seq=record.parent_seq
            )
        try:
            self._runs.insert_one(_document(record, first_at))
        except DuplicateKeyError:
            return self.get(record.run_id)
        self._all.changed()
        return record

    def get(self, run_id: str) -> RunRecord:
        """One run. Raises NotFound."""
        return _record(self.document(run_id))

    def document(self, run_id: str, *, hidden: bool = False) -> Document:
        """A run's document; `hidden` also finds deleted ones that forks still need. Raises
        NotFound."""
        found = self._runs.find_one({"_id": run_id})
        if found is None or (found["hidden"] and not hidden):
            raise NotFound(f"There is no run {run_id!r}: it was deleted, or lies in another store.")
        return found

    def page(self, where: RunFilter, order: RunOrder, limit: int, offset: int) -> RunPage:
        """Some runs and their total."""
        wanted = self._condition(where, order)
        found = self._runs.find(wanted).sort(_ORDERS[order]).skip(offset).limit(limit)
        runs = [_record(document) for document in found] if limit else []
        return RunPage(runs, self._runs.count_documents(wanted))

    def count_by_status(self) -> dict[str, int]:
        """How many runs there are in each status."""
        groups = self._runs.aggregate(
            [
                {"$match": {"hidden": False}},
                {"$group": {"_id": "$status", "count": {"$sum": 1}}},
            ]
        )
        return {group["_id"]: group["count"] for group in groups}

    def change(self, run_id: str, given: dict[str, Any], only_if: Sequence[RunStatus]) -> bool:
        """Set what is not None; whether the run's status let it. Raises NotFound."""
        self.document(run_id)
        fields = {name: value for name, value in given.items() if value is not None}
        if not fields:
            return False
        if "status" in fields:
            fields["rank"] = rank(fields["status"])
        wanted: Document = {"_id": run_id}
        if only_if:
            wanted["status"] = {"$in": list(only_if)}
        done = self._runs.update_one(wanted, {"$set": fields}).matched_count == 1
        if done:
            self._all.changed()
        return done

    # leases

    def claim(self, worker: str, ttl_s: float, run_id: str) -> Lease | None:
        """Take the next run in the queue's order, or the given one, whose lease is free."""
        wanted: Document = {"hidden": False, "status": {"$in": _UNASKED}}
        if run_id:
            self.document(run_id)
            wanted |= {"_id": run_id, "status": {"$in": [*_UNASKED, "parked"]}}
        while True:
            now = self._now()
            free = {**wanted, "lease_until": {"$lte": now}}
            some = list(self._runs.find(free).sort(_QUEUE).limit(_CLAIMED_AT_ONCE))
            for found in some:
                lease = Lease(found["_id"], worker, found["epoch"] + 1, now + round(ttl_s * 1e6))
                # The epoch only ever grows: who changed it first has the run.
                same = {name: found[name] for name in ("_id", "status", "epoch", "lease_until")}
                taken = self._runs.update_one(
                    {**same, "hidden": False},
                    {"$set": {"worker": worker, "epoch": lease.epoch, "lease_until": lease.until}},
                )
                if taken.modified_count == 1:
                    self._all.changed()
                    return lease
            if not some:
                return None

    def renew(self, lease: Lease, ttl_s: float) -> Lease | None:
        """Prolong a lease that nobody has taken since; also one that ran out unnoticed."""
        until = self._now() + round(ttl_s * 1e6)
        return lease._replace(until=until) if self._set_until(lease, until) else None

    def release(self, lease: Lease) -> None:
        """Free the run for the next claim."""
        self._set_until(lease, 0)

    def expired(self) -> list[RunRecord]:
        """Running or paused runs that nobody holds."""
        wanted = {"status": {"$in": ["running", "paused"]}, "hidden": False}
        found = self._runs.find({**wanted, "lease_until": {"$lte": self._now()}})
        return [_record(document) for document in found.sort("lease_until", 1)]

    def _set_until(self, lease: Lease, until: int) -> bool:
        held = {"_id": lease.run_id, "epoch": lease.epoch, "worker": lease.worker}
        done = self._runs.update_one(held, {"$set": {"lease_until": until}})
        if done.matched_count:
            self._all.changed()
        return done.matched_count == 1

    def _condition(self, where: RunFilter, order: RunOrder) -> Document:
        statuses = where.statuses or (("queued",) if order == "queue" else ())
        wanted: Document = {"hidden": False}
        for field, values in (
            ("status", statuses),
            ("team_name", where.teams),
            ("source", where.sources),
        ):
            if values:
                wanted[field] = {"$in": list(values)}
        for field, value in (
            ("task_id", where.task_id),
            ("parent_run_id", where.parent_run_id),
            ("lanes.tool", where.tool),
            ("tags", where.tag),
        ):
            if value:
                wanted[field] = value
        for field, bound, least in (
            ("created_at", "$gt", where.created_after),
            ("created_at", "$lt", where.created_before),
            ("cost_usd", "$gte", where.min_cost_usd),
        ):
            if least:
                wanted.setdefault(field, {})[bound] = least
        choices = self._choices(where)
        if choices:
            wanted["$and"] = [{"$or": alternatives} for alternatives in choices]
        return wanted

    def _choices(self, where: RunFilter) -> list[list[Document]]:
        """Conditions of which one each must hold."""
        choices: list[list[Document]] = []
        if where.with_errors:
            choices.append([{"errors": {"$gt": 0}}, {"status": {"$in": ["failed", "lost"]}}])
        if where.text:
            pattern = {"$regex": re.escape(where.text), "$options": "i"}
            runs = {"$in": list(self._with_text(where.text))}
            choices.append([{"_id": runs}, {"input": pattern}, {"answer": pattern}])
        return choices


def _document(record: RunRecord, first_at: int) -> Document:
    fields = msgspec.structs.asdict(record)
    return {
        **{name: fields[name] for name in _FIELDS},
        "_id": record.run_id,
        # As text: its keys may be none that MongoDB takes.
        "team": msgspec.json.encode(record.team).decode(),
        "environment": msgspec.json.encode(record.environment).decode(),
        "tags": list(record.tags),
        "first_at": first_at,
        "stored_seq": record.last_seq,
        "lanes": [],
        "hidden": False,
        "rank": rank(record.status),
        "order": time.time_ns(),
        "text_due": False,
    }


def _record(document: Document) -> RunRecord:
    # An older AWorld wrote fewer fields.
    fields = {name: document[name] for name in _FIELDS if name in document}
    fields["team"] = msgspec.json.decode(fields["team"])
    fields["environment"] = msgspec.json.decode(fields.get("environment") or "{}")
    fields["tags"] = tuple(fields["tags"])
    return RunRecord(run_id=document["_id"], **fields)
