"""The book of this process: Redis's where one is set, else its own with the data folder's sums."""

from __future__ import annotations

import functools
from pathlib import Path

from aworld import config
from aworld.llm.limits.book import Book
from aworld.llm.limits.ledger import Ledger
from aworld.llm.limits.memory import MemoryBook
from aworld.llm.limits.redis import RedisBook


def shared_book() -> Book:
    """One for each Redis and data folder, however many models ask."""
    settings = config.load()
    return _book(settings.redis_url, settings.home)


@functools.cache
def _book(redis_url: str, home: Path) -> Book:
    # Nothing is made by looking: without a data folder the sums live as long as the process.
    own = MemoryBook(Ledger(home if home.is_dir() else None))
    return RedisBook(redis_url, own) if redis_url else own
