"""The readers of an event loop, ended with their run, when idle, and with the loop."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator

from aworld.tools import open_things
from aworld.tools.documents.reader import Reader

MOST_READERS = 4
"""Processes that may wait for their next document, in one event loop."""
IDLE_S = 60.0
"""Seconds after which one that is not used is ended."""
_NAME = "documents"


class _LoopReaders:
    def __init__(self) -> None:
        self.readers: dict[str, Reader] = {}
        self.timers: dict[str, asyncio.TimerHandle] = {}
        self.closing: set[asyncio.Task[None]] = set()
        self.keeper: AsyncGenerator[None] | None = None


_loops: dict[asyncio.AbstractEventLoop, _LoopReaders] = {}


async def reader_of(workspace: str) -> Reader:
    """The workspace's reader in the running loop."""
    held = await _held()
    # Put at the end: the first is the longest unused.
    reader = held.readers.pop(workspace, None) or Reader()
    held.readers[workspace] = reader
    _restart_timer(held, workspace)
    open_things.close_with(workspace, _NAME, lambda: close_reader(workspace))
    for other in [key for key, each in held.readers.items() if not each.lock.locked()]:
        if len(held.readers) <= MOST_READERS:
            break
        if other != workspace:
            await close_reader(other)
    return reader


async def close_reader(workspace: str) -> None:
    """End the reader of a workspace, if there is one."""
    held = _loops.get(asyncio.get_running_loop())
    if held is None:
        return
    timer = held.timers.pop(workspace, None)
    if timer is not None:
        timer.cancel()
    reader = held.readers.pop(workspace, None)
    open_things.forget(workspace, _NAME)
    if reader is not None:
        await reader.end()


def count() -> int:
    """How many readers the running loop keeps."""
    held = _loops.get(asyncio.get_running_loop())
    return len(held.readers) if held is not None else 0


async def _held() -> _LoopReaders:
    loop = asyncio.get_running_loop()
    if loop not in _loops:
        for closed in [known for known in _loops if known.is_closed()]:
            del _loops[closed]
        held = _loops[loop] = _LoopReaders()
        # An asynchronous generator that has begun is closed when its loop shuts down.
        held.keeper = _keep(loop)
        await anext(held.keeper)
    return _loops[loop]


async def _keep(loop: asyncio.AbstractEventLoop) -> AsyncGenerator[None]:
    try:
        yield
    finally:
        held = _loops.pop(loop, None)
        if held is not None:
            for timer in held.timers.values():
                timer.cancel()
            for workspace, reader in held.readers.items():
                open_things.forget(workspace, _NAME)
                with contextlib.suppress(ProcessLookupError, RuntimeError):
                    await reader.end()


def _restart_timer(held: _LoopReaders, workspace: str) -> None:
    timer = held.timers.pop(workspace, None)
    if timer is not None:
        timer.cancel()
    loop = asyncio.get_running_loop()
    held.timers[workspace] = loop.call_later(IDLE_S, _expire, held, workspace)


def _expire(held: _LoopReaders, workspace: str) -> None:
    reader = held.readers.get(workspace)
    if reader is not None and reader.lock.locked():
        _restart_timer(held, workspace)
        return
    task = asyncio.get_running_loop().create_task(close_reader(workspace))
    held.closing.add(task)
    task.add_done_callback(held.closing.discard)
