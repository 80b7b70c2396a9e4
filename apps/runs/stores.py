"""The process's one store of runs."""

from __future__ import annotations

import threading

from django.conf import settings

from aworld.storage.base import Store

_lock = threading.Lock()
_opened: list[Store] = []


def run_store() -> Store:
    """The store that the environment names, opened at the first call and shared by all threads."""
    with _lock:
        if not _opened:
            from aworld.storage.open import open_store

            _opened.append(open_store(settings.CONFIG))
        return _opened[0]


def close_run_store() -> None:
    """Give back its files and connections; the next call of `run_store` opens it again."""
    with _lock:
        while _opened:
            _opened.pop().close()
