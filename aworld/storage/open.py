"""Which store the settings mean."""

from __future__ import annotations

from aworld.config import Config
from aworld.storage.base import Store


def open_store(config: Config) -> Store:
    """The store of these settings: MongoDB where its URI is given, else SQLite in `home`.

    Raises:
        StoreError: it cannot be reached, made or written.
    """
    # Each backend is loaded only where it is used: pymongo alone costs 0.2 s.
    if config.mongodb_uri:
        from aworld.storage.mongo import MongoStore

        return MongoStore(config.mongodb_uri)
    from aworld.storage.sqlite import SqliteStore

    return SqliteStore(config.database, config.blobs)
