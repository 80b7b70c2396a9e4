"""The browser's debugging port, asked from inside the desktop: its tabs."""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any
from urllib.parse import quote

from aworld.errors import ToolError
from aworld.tools.desktop.inside.desktop_files import BROWSER_PORT
from aworld.tools.desktop.session import DesktopSession

Tab = dict[str, Any]
_START_S = 15.0


class BrowserPort:
    """Tabs by the debugging protocol's plain HTTP part."""

    def __init__(self, session: DesktopSession) -> None:
        self._session = session

    async def tabs(self) -> list[Tab] | None:
        """Open pages, the active one first; None where no browser answers."""
        said = await self._session.ask("http", port=BROWSER_PORT, path="/json/list")
        if "text" not in said:
            return None
        return [tab for tab in json.loads(said["text"]) if tab.get("type") == "page"]

    async def wait_for_tabs(self) -> list[Tab]:
        """The tabs of a browser that may still be starting.

        Raises:
            ToolError: none came.
        """
        end = time.monotonic() + _START_S
        while True:
            tabs = await self.tabs()
            if tabs:
                return tabs
            if time.monotonic() > end:
                raise ToolError(
                    f"no browser answers at port {BROWSER_PORT} of the desktop; launch one first"
                )
            await asyncio.sleep(0.2)

    async def open(self, url: str) -> None:
        """A new tab."""
        path = f"/json/new?{quote(url, safe=':/')}"
        await self._session.ask("http", port=BROWSER_PORT, path=path, method="PUT")

    async def close(self, tab_id: str) -> None:
        """Close a tab."""
        await self._session.ask("http", port=BROWSER_PORT, path=f"/json/close/{tab_id}")
