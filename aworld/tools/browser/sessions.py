"""The browser session of each run, by its workspace, ended with the run."""

from __future__ import annotations

import asyncio

from aworld.tools import open_things
from aworld.tools.base import ToolContext
from aworld.tools.browser.session import BrowserSession

_NAME = "browser"


class Sessions:
    """Keeps each run's tabs between its calls."""

    def __init__(self) -> None:
        self._sessions: dict[str, BrowserSession] = {}
        self._opening: dict[str, asyncio.Lock] = {}

    async def get(self, context: ToolContext) -> BrowserSession:
        """The session of the call's run; a new one where its browser has crashed.

        Raises:
            ToolError: the browser does not start.
        """
        key = context.workspace
        async with self._opening.setdefault(key, asyncio.Lock()):
            session = self._sessions.get(key)
            if session is not None and not session.alive:
                await self.close(key)
                session = None
            if session is None:
                session = await BrowserSession.open(context.network)
                self._sessions[key] = session
                open_things.close_with(key, _NAME, lambda: self.close(key))
            session.proxy.allow(context.network)
            return session

    async def close(self, workspace: str) -> None:
        """End the session of a workspace, if there is one."""
        session = self._sessions.pop(workspace, None)
        self._opening.pop(workspace, None)
        open_things.forget(workspace, _NAME)
        if session is not None:
            await session.close()


sessions = Sessions()
"""All sessions of this process."""
