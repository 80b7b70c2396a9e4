"""Events in MongoDB: packed blocks, read along a run's lineage, appended under its epoch.

A block counts once the run's `last_seq` covers it. Appending is two writes: the block, whose
(run, first_seq) is unique, then one conditional update of the run's document, which decides. A
block whose writer died in between is completed by the next append of the same lease, and thrown
away by that of a later one; it was never acknowledged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec
from bson.binary import Binary
from pymongo.errors import DuplicateKeyError

from aworld.errors import SequenceConflict, StaleEpoch
from aworld.events.union import AnyPayload, Event, Offloaded, decode
from aworld.storage import blocks
from aworld.storage.event_facts import Facts, facts
from aworld.storage.mongo_collections import Collections, Document
from aworld.storage.mongo_runs import rank
from aworld.storage.offload import Prepared, prepare
from aworld.storage.run_summary import Changes, changes


class Part(NamedTuple):
    """A stretch of a run's events that lies under one run's id."""

    run: str
    first: int
    last: int


class MongoEvents:
    """Reads and appends events."""

    def __init__(
        self,
        collections: Collections,
        document: Callable[..., Document],
        put_blob: Callable[[bytes], str],
        resolve: Callable[[Event], AnyPayload],
    ) -> None:
        self._all = collections
        self._document = document
        self._put_blob = put_blob
        self._resolve = resolve

    # reading

    def lineage(self, run: Document) -> list[Part]:
        """The stretches that make up a run's events, oldest ancestor first."""
        parts: list[Part] = []
        last = run["last_seq"]
        while True:
            shares = bool(run["parent_run_id"]) and run["parent_seq"] >= 0
            first = run["parent_seq"] + 1 if shares else 0
            if first <= last:
                parts.append(Part(run["_id"], first, last))
            if not shares:
                return parts[::-1]
            last = min(last, run["parent_seq"])
            run = self._document(run["parent_run_id"], hidden=True)

    def read(self, run: Document, after: int, limit: int) -> list[Event]:
        """Events with seq > after, in order, those of parents included."""
        events: list[Event] = []
        for part in self.lineage(run):
            if part.last <= after or len(events) >= limit:
                continue
            first = max(part.first, after + 1)
            for block in self.part_blocks(part, first, {"data": 1}):
                found = blocks.unpack(bytes(block["data"]))
                events += [event for event in found if first <= event.seq <= part.last]
                if len(events) >= limit:
                    break
        return events[:limit]

    def read_seqs(self, run: Document, seqs: Iterable[int]) -> list[Event]:
        """These events, in order; missing ones are left out. Each block is unpacked once."""
        wanted = sorted(set(seqs))
        events: list[Event] = []
        for part in self.lineage(run):
            block: list[Event] = []
            for seq in (seq for seq in wanted if part.first <= seq <= part.last):
                if not block or seq > block[-1].seq:
                    found = next(self.part_blocks(part, seq, {"data": 1}), None)
                    block = blocks.unpack(bytes(found["data"])) if found else []
                if block and block[0].seq <= seq <= block[-1].seq:
                    events.append(block[seq - block[0].seq])
        return events

    def part_blocks(
        self, part: Part, seq: int, fields: Document, only: Document | None = None
    ) -> Iterator[Document]:
        """The part's blocks, from the one that holds `seq` on; `only` restricts them further."""
        holder = self._all.blocks.find_one(
            {"run": part.run, "first_seq": {"$lte": seq}}, {"first_seq": 1},
            sort=[("first_seq", -1)],
        )  # fmt: skip
        start = holder["first_seq"] if holder else seq
        wanted = {"run": part.run, "first_seq": {"$gte": start, "$lte": part.last}, **(only or {})}
        yield from self._all.blocks.find(wanted, {**fields, "first_seq": 1}).sort("first_seq", 1)

    # appending

    def append(self, run_id: str, epoch: int, events: Sequence[Event]) -> int:
        """See `Store.append`."""
        _check_dense(run_id, events)
        prepared = [prepare(event, self._put_blob) for event in events]
        same = 0  # How many of them were seen to be there.
        while True:
            run = self._document(run_id)
            if epoch != run["epoch"]:
                raise StaleEpoch(
                    f"Run {run_id!r} is written under epoch {run['epoch']} now, not {epoch}: "
                    "another worker holds its lease. Stop writing it."
                )
            last: int = run["last_seq"]
            if not prepared:
                return last
            first = prepared[0].event.seq
            if first > last + 1:
                raise SequenceConflict(
                    f"Run {run_id!r} ends at seq {last}, the block starts at {first}: "
                    "append what lies between first."
                )
            known = min(last + 1 - first, len(prepared))
            self._check_same(run, prepared[same:known])
            same = known
            if known == len(prepared):
                return last
            self._append_block(run, prepared[known:])

    def _append_block(self, run: Document, rest: list[Prepared]) -> None:
        """Write the first block of what is left; the caller looks again how far the run is."""
        _, end = next(blocks.split([one.data for one in rest]))
        block = self._block(run, rest[:end])
        try:
            self._all.blocks.insert_one(block)
        except DuplicateKeyError:
            where = {"run": run["_id"], "first_seq": block["first_seq"]}
            found = self._all.blocks.find_one(where)
            if found is None:
                return
            if found["epoch"] != run["epoch"]:
                # Of a lease that is over: its writer cannot bring it to count any more.
                self._all.blocks.delete_one({"_id": found["_id"], "epoch": found["epoch"]})
                return
            block = found
        self._count_block(run, block)

    def _block(self, run: Document, prepared: list[Prepared]) -> Document:
        payloads = [
            self._resolve(one.event) if isinstance(one.event.payload, Offloaded)
            else one.event.payload
            for one in prepared
        ]  # fmt: skip
        known = [facts(one.event, payload) for one, payload in zip(prepared, payloads, strict=True)]
        closes = [fact.closes for fact in known if fact.closes is not None]
        sums = changes(zip(known, payloads, strict=True))
        block: Document = {
            "run": run["_id"],
            "first_seq": known[0].seq,
            "last_seq": known[-1].seq,
            "epoch": run["epoch"],
            "data": Binary(blocks.pack([one.data for one in prepared])),
            "rows": Binary(msgspec.msgpack.encode([tuple(fact) for fact in known])),
            "sums": Binary(msgspec.msgpack.encode(sums)),
            "kinds": sorted({fact.kind for fact in known}),
            "actors": sorted({fact.actor for fact in known}),
            "severity": max(fact.severity for fact in known),
            "first_at": known[0].at,
            "last_at": known[-1].at,
            "blobs": sorted({blob for one in prepared for blob in one.blobs}),
        }
        if closes:
            block["least_closes"] = min(closes)
        return block

    def _count_block(self, run: Document, block: Document) -> None:
        sums = msgspec.msgpack.decode(bytes(block["sums"]), type=Changes)
        lanes = [(lane["actor"], lane["tool"]) for lane in run["lanes"]]
        new = [
            lane
            for lane in dict.fromkeys((row.actor, row.tool) for row in rows_of(block))
            if lane not in lanes
        ]
        same = {"_id": run["_id"], "epoch": run["epoch"], "last_seq": run["last_seq"]}
        update: dict[str, Any] = {
            "$set": {
                "last_seq": block["last_seq"],
                "text_due": True,
                "first_at": run["first_at"] if run["last_seq"] >= 0 else block["first_at"],
                **_values(sums, run),
            },
            "$inc": {
                name: getattr(sums, name)
                for name in ("errors", "warnings", "model_calls", "tool_calls", "input_tokens",
                             "output_tokens", "cost_usd", "questions")
            },
        }  # fmt: skip
        if new:
            each = [{"actor": actor, "tool": tool} for actor, tool in new]
            update["$push"] = {"lanes": {"$each": each}}
        self._all.runs.update_one(same, update)

    def _check_same(self, run: Document, known: Sequence[Prepared]) -> None:
        """Whether events that are there already are these very ones."""
        if not known:
            return
        there = self.read(run, known[0].event.seq - 1, len(known))
        for old, new in zip(there, known, strict=True):
            # Decoded again: a whole number in a field of floats is written as it was given.
            if old != decode(new.data):
                raise SequenceConflict(
                    f"Run {run['_id']!r} has another event at seq {old.seq}: a {old.kind!r} of "
                    f"{old.actor!r}, not this {new.event.kind!r} of {new.event.actor!r}. Read "
                    "the log again and number anew."
                )


def rows_of(block: Document) -> list[Facts]:
    """The facts of a block's events."""
    return [Facts(*row) for row in msgspec.msgpack.decode(bytes(block["rows"]))]


def _values(sums: Changes, run: Document) -> Document:
    values: Document = {}
    if sums.status is not None:
        values["status"], values["rank"] = sums.status, rank(sums.status)
    if sums.first_started_at is not None and not run["started_at"]:
        values["started_at"] = sums.first_started_at
    for name in ("finished_at", "answer", "error", "score"):
        value = getattr(sums, name)
        if value is not None:
            values[name] = value
    return values


def _check_dense(run_id: str, events: Sequence[Event]) -> None:
    for seq, event in enumerate(events, max(events[0].seq, 0) if events else 0):
        if event.run_id != run_id:
            raise SequenceConflict(
                f"An event of run {event.run_id!r} stands in a block of run {run_id!r}: "
                "append it to its own run."
            )
        if event.seq != seq:
            raise SequenceConflict(
                f"A block of run {run_id!r} has seq {event.seq} where {seq} "
                "must follow: number its events without gaps."
            )
