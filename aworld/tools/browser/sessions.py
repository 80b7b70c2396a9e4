"""The browser session of each run, by its workspace, ended with the run."""

from __future__ import annotations

import asyncio

from aworld.tools import open_things
from aworld.tools.base import ToolContext
from aworld.tools.browser.session import BrowserSession
from aworld.tools.failures import ToolRefused

MOST_SESSIONS = 24
"""Runs that may have tabs at one time; beyond, the longest unused lose theirs."""
_NAME = "browser"


class Sessions:
    """Keeps each run's tabs between its calls."""

    def __init__(self) -> None:
        self._sessions: dict[str, BrowserSession] = {}
        self._opening: dict[str, asyncio.Lock] = {}

    async def get(self, context: ToolContext) -> BrowserSession:
        """The session of the call's run; a new one where its browser has crashed.

        Raises:
            ToolRefused: the run has no workspace, whose end would be the session's.
            ToolError: the browser does not start.
        """
        key = context.workspace
        if not key:
            raise ToolRefused("This run has no workspace, so no browser can be kept for it.")
        async with self._opening.setdefault(key, asyncio.Lock()):
            session = self._sessions.pop(key, None)
            if session is not None and not session.alive:
                await session.close()
                session = None
            if session is None:
                session = await BrowserSession.open(context.network)
                open_things.close_with(key, _NAME, lambda: self.close(key))
            # Put at the end: the first is the longest unused.
            self._sessions[key] = session
            session.proxy.allow(context.network)
        await self._close_oldest(key)
        return session

    async def _close_oldest(self, but: str) -> None:
        idle = [key for key, held in self._sessions.items() if not held.lock.locked()]
        for key in idle:
            if len(self._sessions) <= MOST_SESSIONS:
                return
            if key != but:
                await self.close(key)

    async def close(self, workspace: str) -> None:
        """End the session of a workspace, if there is one."""
        session = self._sessions.pop(workspace, None)
        self._opening.pop(workspace, None)
        open_things.forget(workspace, _NAME)
        if session is not None:
            await session.close()


sessions = Sessions()
"""All sessions of this process."""
