"""What tools keep going between calls, such as a browser, and the end of it with its run."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable

Closer = Callable[[], Awaitable[None]]

_log = logging.getLogger(__name__)
_open: dict[str, dict[str, Closer]] = {}


def close_with(workspace: str, name: str, closer: Closer) -> None:
    """Have `closer` awaited when the run of this workspace ends; a second one of the same name
    takes the first one's place."""
    _open.setdefault(workspace, {})[name] = closer


def forget(workspace: str, name: str) -> None:
    """It has been closed already."""
    closers = _open.get(workspace, {})
    closers.pop(name, None)
    if not closers:
        _open.pop(workspace, None)


async def close_all(workspace: str) -> None:
    """End everything that tools keep going for a workspace; a fault of one stops no other."""
    for name, closer in _open.pop(workspace, {}).items():
        try:
            async with asyncio.timeout(20):
                await closer()
        except (Exception, asyncio.CancelledError) as error:
            with contextlib.suppress(asyncio.CancelledError):
                _log.warning("%s of %s could not be closed: %s", name, workspace, error)
