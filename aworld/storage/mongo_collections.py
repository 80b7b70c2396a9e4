"""The MongoDB collections of a store: connection, indexes, and large bytes cut into documents.

Nothing here relies on transactions over several documents. Reads use an equality prefix and a
range on an index; claims are a find and a conditional update.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, ParamSpec, TypeVar

from bson.binary import Binary
from bson.codec_options import CodecOptions, TypeDecoder, TypeRegistry
from bson.int64 import Int64
from pymongo import ASCENDING, DESCENDING, IndexModel, MongoClient, WriteConcern
from pymongo.collection import Collection
from pymongo.errors import ConfigurationError as MongoConfigurationError
from pymongo.errors import DuplicateKeyError, InvalidURI, PyMongoError

from aworld.errors import StoreError

Document = dict[str, Any]

CHUNK_BYTES: Final = 1 << 20
"""A document holds at most 16 MB; larger bytes lie in several."""
CONNECT_MS: Final = 10_000
LAYOUT: Final = 1
"""Grows whenever an index is added."""

P = ParamSpec("P")
R = TypeVar("R")


class _PlainNumbers(TypeDecoder):
    """pymongo reads 64-bit numbers as a class of its own, which msgspec does not write."""

    bson_type = Int64

    def transform_bson(self, value: Int64) -> int:
        """The same number."""
        return int(value)


_CODEC: Final[CodecOptions[Document]] = CodecOptions(type_registry=TypeRegistry([_PlainNumbers()]))


class Collections:
    """One database. Safe for threads; give each process its own."""

    def __init__(self, uri: str, database: str) -> None:
        """Connect and make the indexes.

        Raises:
            StoreError: the URI is none, or nobody answers there.
        """
        try:
            self.client: MongoClient[Document] = MongoClient(
                uri, serverSelectionTimeoutMS=CONNECT_MS, appname="aworld"
            )
        except (InvalidURI, MongoConfigurationError, ValueError) as error:
            raise StoreError(
                f"AWORLD_MONGODB_URI is not a MongoDB URI ({error}): write mongodb://host:port/"
            ) from error
        # Acknowledged means in the journal: it survives the death of the server.
        durable = WriteConcern(w=1, j=True)
        if database:
            base = self.client.get_database(database, _CODEC, write_concern=durable)
        else:
            base = self.client.get_default_database("aworld", _CODEC, write_concern=durable)
        self.runs: Collection[Document] = base["runs"]
        self.blocks: Collection[Document] = base["blocks"]
        self.detail: Collection[Document] = base["detail"]
        self.text: Collection[Document] = base["text_pages"]
        self.blobs: Collection[Document] = base["blobs"]
        self.chunks: Collection[Document] = base["chunks"]
        self.snapshots: Collection[Document] = base["snapshots"]
        self.commands: Collection[Document] = base["commands"]
        self.labels: Collection[Document] = base["labels"]
        self._state: Collection[Document] = base["state"]
        try:
            said(self._make_indexes)()
        except StoreError:
            self.client.close()
            raise

    def _make_indexes(self) -> None:
        """Make what is missing; a database that has them all is asked once."""
        if self._state.find_one({"_id": "indexes", "layout": LAYOUT}) is not None:
            return
        for collection, keys, unique in (
            (self.runs, [["status", "priority-", "position"], ["status", "created_at-"],
                         ["hidden", "created_at-"], ["parent_run_id"], ["text_due"]], False),
            (self.blocks, [["run", "first_seq"]], True),
            (self.blocks, [["blobs"]], False),
            (self.detail, [["run", "level", "first_seq"]], True),
            (self.text, [["run", "first_seq", "part"]], True),
            (self.text, [["tokens"]], False),
            (self.chunks, [["of", "number"]], True),
            (self.snapshots, [["run", "number"]], True),
            (self.commands, [["run", "number"]], True),
            (self.labels, [["run", "number"]], True),
        ):  # fmt: skip
            collection.create_indexes(
                [
                    IndexModel(
                        [(name.rstrip("-"), -1 if name.endswith("-") else 1) for name in fields],
                        unique=unique,
                    )
                    for fields in keys
                ]
            )
        self._state.update_one({"_id": "indexes"}, {"$set": {"layout": LAYOUT}}, upsert=True)

    def changed(self) -> None:
        """Let every process see that something was written."""
        self._state.update_one({"_id": "version"}, {"$inc": {"number": 1}}, upsert=True)

    def version(self) -> int:
        """How often `changed` was called."""
        found = self._state.find_one({"_id": "version"})
        return 0 if found is None else int(found["number"])

    def put_bytes(self, name: str, data: bytes) -> None:
        """Keep bytes under a name, whole or in part: the caller says when they count."""
        for number, start in enumerate(range(0, len(data), CHUNK_BYTES)):
            self.chunks.update_one(
                {"of": name, "number": number},
                {"$set": {"data": Binary(data[start : start + CHUNK_BYTES])}},
                upsert=True,
            )

    def get_bytes(self, name: str) -> bytes:
        """The bytes under a name."""
        found = self.chunks.find({"of": name}).sort("number", ASCENDING)
        return b"".join(bytes(chunk["data"]) for chunk in found)

    def remove_bytes(self, name: str) -> None:
        """Forget them."""
        self.chunks.delete_many({"of": name})

    def close(self) -> None:
        """Close the connections."""
        self.client.close()


def add_numbered(collection: Collection[Document], run_id: str, fields: Document) -> int:
    """Insert a document under the run's next number, from 0 on; returns the number."""
    while True:
        newest = collection.find_one({"run": run_id}, sort=[("number", DESCENDING)])
        number = 0 if newest is None else int(newest["number"]) + 1
        try:
            collection.insert_one({"run": run_id, "number": number, **fields})
        except DuplicateKeyError:
            continue  # Somebody else took the number.
        return number


def said(function: Callable[P, R]) -> Callable[P, R]:
    """The function, with what MongoDB reports as a StoreError."""

    def telling(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except PyMongoError as error:
            raise StoreError(
                f"MongoDB could not do it: {error}; check that AWORLD_MONGODB_URI is right and "
                "the server is up."
            ) from error

    telling.__name__ = function.__name__
    telling.__doc__ = function.__doc__
    return telling
