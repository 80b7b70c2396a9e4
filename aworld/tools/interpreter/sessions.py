"""The sessions of an event loop: one for each workspace, the longest unused ended first."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path

from aworld.sandbox import Sandbox, Surroundings
from aworld.tools.interpreter.session import Session, close_quietly

MOST_SESSIONS = 8
"""Interpreters that may wait for their next cell, in one event loop."""
IDLE_S = 600.0
"""Seconds after which one that is not used is ended."""


class Sessions:
    """Keeps interpreters alive between calls, and ends them with their loop."""

    def __init__(self) -> None:
        self._loops: dict[asyncio.AbstractEventLoop, _LoopSessions] = {}

    async def get(
        self, sandbox: Sandbox, workspace: Path, around: Surroundings = Surroundings()
    ) -> Session:
        """The workspace's session in the running loop. Where other hosts are allowed than before,
        a new one takes its place."""
        loop = asyncio.get_running_loop()
        if loop not in self._loops:
            for closed in [known for known in self._loops if known.is_closed()]:
                del self._loops[closed]
            held = self._loops[loop] = _LoopSessions()
            # An asynchronous generator that has begun is closed when its loop shuts down.
            held.keeper = self._keep(loop)
            await anext(held.keeper)
        return await self._loops[loop].get(sandbox, workspace, around)

    def count(self) -> int:
        """How many interpreters the running loop keeps."""
        held = self._loops.get(asyncio.get_running_loop())
        return held.count() if held is not None else 0

    async def close(self, workspace: str) -> None:
        """End the workspace's interpreter, once its run is over."""
        held = self._loops.get(asyncio.get_running_loop())
        if held is not None:
            await held.close(Path(workspace).resolve())

    async def _keep(self, loop: asyncio.AbstractEventLoop) -> AsyncGenerator[None]:
        try:
            yield
        finally:
            held = self._loops.pop(loop, None)
            if held is not None:
                await held.close_all()


class _LoopSessions:
    def __init__(self) -> None:
        self.keeper: AsyncGenerator[None] | None = None
        self._sessions: dict[Path, Session] = {}
        self._timers: dict[Path, asyncio.TimerHandle] = {}
        self._closing: set[asyncio.Task[None]] = set()

    async def get(self, sandbox: Sandbox, workspace: Path, around: Surroundings) -> Session:
        key = workspace.resolve()
        known = self._sessions.get(key)
        if known is not None and known.around != around:
            await self.close(key)
        session = self._sessions.pop(key, None) or Session(sandbox, key, around)
        # Put at the end: the first is the longest unused.
        self._sessions[key] = session
        self._restart_timer(key)
        for other in [k for k, s in self._sessions.items() if not s.lock.locked() and k != key]:
            if len(self._sessions) <= MOST_SESSIONS:
                break
            await self.close(other)
        return session

    def count(self) -> int:
        return len(self._sessions)

    async def close(self, key: Path) -> None:
        timer = self._timers.pop(key, None)
        if timer is not None:
            timer.cancel()
        session = self._sessions.pop(key, None)
        if session is not None:
            await session.close()

    async def close_all(self) -> None:
        for timer in self._timers.values():
            timer.cancel()
        for session in self._sessions.values():
            await close_quietly(session)
        self._sessions.clear()

    def _restart_timer(self, key: Path) -> None:
        timer = self._timers.pop(key, None)
        if timer is not None:
            timer.cancel()
        loop = asyncio.get_running_loop()
        self._timers[key] = loop.call_later(IDLE_S, self._expire, key)

    def _expire(self, key: Path) -> None:
        session = self._sessions.get(key)
        if session is not None and session.lock.locked():
            self._restart_timer(key)
            return
        task = asyncio.get_running_loop().create_task(self.close(key))
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)


sessions = Sessions()
"""All interpreters of this process."""


async def close_interpreter(workspace: str) -> None:
    """End the interpreter of a workspace, if there is one: for the end of a run."""
    await sessions.close(workspace)
