"""The helpers of an event loop, ended with their run, when idle, and with the loop."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator

from aworld.tools import open_things
from aworld.tools.documents.helper import Helper

MOST_HELPERS = 4
"""Processes that may wait for their next document, in one event loop."""
IDLE_S = 60.0
"""Seconds after which one that is not used is ended."""
_NAME = "documents"


class _LoopHelpers:
    def __init__(self) -> None:
        self.helpers: dict[str, Helper] = {}
        self.timers: dict[str, asyncio.TimerHandle] = {}
        self.closing: set[asyncio.Task[None]] = set()
        self.keeper: AsyncGenerator[None] | None = None


_loops: dict[asyncio.AbstractEventLoop, _LoopHelpers] = {}


async def helper_of(workspace: str) -> Helper:
    """The workspace's helper in the running loop."""
    held = await _held()
    # Put at the end: the first is the longest unused.
    helper = held.helpers.pop(workspace, None) or Helper()
    held.helpers[workspace] = helper
    _restart_timer(held, workspace)
    open_things.close_with(workspace, _NAME, lambda: close_helper(workspace))
    for other in [key for key, each in held.helpers.items() if not each.lock.locked()]:
        if len(held.helpers) <= MOST_HELPERS:
            break
        if other != workspace:
            await close_helper(other)
    return helper


async def close_helper(workspace: str) -> None:
    """End the helper of a workspace, if there is one."""
    held = _loops.get(asyncio.get_running_loop())
    if held is None:
        return
    timer = held.timers.pop(workspace, None)
    if timer is not None:
        timer.cancel()
    helper = held.helpers.pop(workspace, None)
    open_things.forget(workspace, _NAME)
    if helper is not None:
        await helper.close()


def count() -> int:
    """How many helpers the running loop keeps."""
    held = _loops.get(asyncio.get_running_loop())
    return len(held.helpers) if held is not None else 0


async def _held() -> _LoopHelpers:
    loop = asyncio.get_running_loop()
    if loop not in _loops:
        for closed in [known for known in _loops if known.is_closed()]:
            del _loops[closed]
        held = _loops[loop] = _LoopHelpers()
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
            for workspace, helper in held.helpers.items():
                open_things.forget(workspace, _NAME)
                with contextlib.suppress(ProcessLookupError, RuntimeError):
                    await helper.close()


def _restart_timer(held: _LoopHelpers, workspace: str) -> None:
    timer = held.timers.pop(workspace, None)
    if timer is not None:
        timer.cancel()
    loop = asyncio.get_running_loop()
    held.timers[workspace] = loop.call_later(IDLE_S, _expire, held, workspace)


def _expire(held: _LoopHelpers, workspace: str) -> None:
    helper = held.helpers.get(workspace)
    if helper is not None and helper.lock.locked():
        _restart_timer(held, workspace)
        return
    task = asyncio.get_running_loop().create_task(close_helper(workspace))
    held.closing.add(task)
    task.add_done_callback(held.closing.discard)
