"""Files that a run's tools gave back, read again out of its log: also after a restart, also those
that a fork shares with its parent."""

from __future__ import annotations

import asyncio

from aworld.errors import NotFound
from aworld.events.action import ToolReturned
from aworld.storage.base import Store

_PAGE = 500


async def recorded_file(store: Store, run_id: str, name: str) -> bytes | None:
    """The newest file of that name, or None where no tool of the run gave one."""
    return await asyncio.to_thread(_find, store, run_id, name)


def _find(store: Store, run_id: str, name: str) -> bytes | None:
    blob = ""
    after = -1
    while True:
        page = store.query(run_id, kinds=("tool.returned",), after=after, limit=_PAGE)
        for event in page:
            payload = store.resolve(event)
            assert isinstance(payload, ToolReturned)
            for file in payload.attachments:
                if file.get("name") == name:
                    blob = str(file["blob"])
        if len(page) < _PAGE:
            break
        after = page[-1].seq
    try:
        return store.get_blob(blob) if blob else None
    except NotFound:
        return None
