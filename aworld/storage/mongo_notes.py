"""What stands beside a run's events in MongoDB: folded states, commands, labels; and blobs."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Callable, Iterable
from typing import Any

import msgspec
from pymongo.errors import DuplicateKeyError

from aworld.errors import NotFound
from aworld.storage.base import BlobInfo, Command, Label
from aworld.storage.blocks import compress, decompress
from aworld.storage.mongo_collections import Collections, Document, add_numbered
from aworld.storage.mongo_events import Part


class MongoNotes:
    """Snapshots by seq, commands and labels by number."""

    def __init__(self, collections: Collections, now: Callable[[], int]) -> None:
        self._all = collections
        self._now = now

    def put_snapshot(self, run: Document, seq: int, state: bytes) -> None:
        """Keep a state, compressed; the same seq again replaces it."""
        name = f"snapshot:{uuid.uuid4().hex}"
        self._all.put_bytes(name, compress(state))
        where = {"run": run["_id"], "number": seq}
        before = self._all.snapshots.find_one(where)
        self._all.snapshots.update_one(where, {"$set": {"state": name}}, upsert=True)
        if before is not None:
            self._all.remove_bytes(before["state"])

    def latest_snapshot(
        self, parts: Iterable[Part], before: int | None
    ) -> tuple[int, bytes] | None:
        """The newest one at or before a seq; `parts` from the newest to the oldest."""
        for part in parts:
            last = part.last if before is None else min(part.last, before)
            found = self._all.snapshots.find_one(
                {"run": part.run, "number": {"$lte": last}}, sort=[("number", -1)]
            )
            if found is not None:
                return found["number"], decompress(self._all.get_bytes(found["state"]))
        return None

    def put_command(self, run: Document, name: str, arguments: dict[str, Any], by: str) -> int:
        """Add a command under the next number."""
        fields = {"name": name, "arguments": _json(arguments), "by": by, "at": self._now()}
        return add_numbered(self._all.commands, run["_id"], fields)

    def commands(self, run: Document, after: int) -> list[Command]:
        """Those with a larger number."""
        found = self._all.commands.find({"run": run["_id"], "number": {"$gt": after}})
        return [
            Command(one["number"], one["name"], msgspec.json.decode(one["arguments"]), one["by"],
                    one["at"])
            for one in found.sort("number", 1)
        ]  # fmt: skip

    def put_label(self, run: Document, name: str, value: Any, by: str, seq: int) -> None:
        """Add a label."""
        fields = {"seq": seq, "name": name, "value": _json(value), "by": by, "at": self._now()}
        add_numbered(self._all.labels, run["_id"], fields)

    def labels(self, run: Document) -> list[Label]:
        """All of a run's own, oldest first."""
        found = self._all.labels.find({"run": run["_id"]}).sort("number", 1)
        return [
            Label(run["_id"], one["seq"], one["name"], msgspec.json.decode(one["value"]),
                  one["by"], one["at"])
            for one in found
        ]  # fmt: skip

    def forget(self, run_id: str) -> None:
        """Remove a run's commands and labels."""
        self._all.commands.delete_many({"run": run_id})
        self._all.labels.delete_many({"run": run_id})

    def forget_snapshots(self, run_id: str, after: int) -> None:
        """Remove the snapshots behind a seq."""
        where = {"run": run_id, "number": {"$gt": after}}
        for found in list(self._all.snapshots.find(where)):
            self._all.snapshots.delete_one({"_id": found["_id"]})
            self._all.remove_bytes(found["state"])


class MongoBlobs:
    """Bytes by their sha256. The document counts; its bytes lie under a name of their own."""

    def __init__(self, collections: Collections, now: Callable[[], int]) -> None:
        self._all = collections
        self._now = now

    def put(self, data: bytes) -> str:
        """Keep bytes; returns their sha256. What is there already becomes young again."""
        sha256 = hashlib.sha256(data).hexdigest()
        if self._touch(sha256):
            return sha256
        name = f"blob:{uuid.uuid4().hex}"
        self._all.put_bytes(name, data)
        document = {"_id": sha256, "size": len(data), "data": name, "at": self._now()}
        try:
            self._all.blobs.insert_one(document)
        except DuplicateKeyError:
            self._all.remove_bytes(name)
            self._touch(sha256)
        return sha256

    def get(self, sha256: str) -> bytes:
        """The bytes. Raises NotFound."""
        return self._all.get_bytes(self._find(sha256)["data"])

    def info(self, sha256: str) -> BlobInfo:
        """The size. Raises NotFound."""
        return BlobInfo(sha256, self._find(sha256)["size"])

    def sweep(self, age_us: int) -> int:
        """Remove blobs that no block names and that are older; returns the bytes freed."""
        freed = 0
        for found in list(self._all.blobs.find({"at": {"$lt": self._now() - age_us}})):
            if self._all.blocks.find_one({"blobs": found["_id"]}, {"_id": 1}) is not None:
                continue
            # Only as it was found: a `put` meanwhile made it young, and it stays.
            same = {"_id": found["_id"], "at": found["at"], "data": found["data"]}
            if self._all.blobs.delete_one(same).deleted_count:
                self._all.remove_bytes(found["data"])
                freed += found["size"]
        return freed

    def _touch(self, sha256: str) -> bool:
        touched = self._all.blobs.update_one({"_id": sha256}, {"$set": {"at": self._now()}})
        return touched.matched_count == 1

    def _find(self, sha256: str) -> Document:
        found = self._all.blobs.find_one({"_id": sha256})
        if found is None:
            raise NotFound(f"There is no blob {sha256!r}: it was never put here, or swept away.")
        return found


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()
