"""A web application of ours on a Unix socket: only the proxy of one browser context reaches it."""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aiohttp.web import Application, AppRunner


class Served:
    """One episode's server."""

    def __init__(self) -> None:
        self._folder: Path | None = None
        self._runner: AppRunner | None = None

    async def start(self, application: Application) -> Path:
        """Serve it; the socket's path."""
        from aiohttp import web

        # A socket's path may have 108 characters: fewer than an episode's own folder.
        place = "/tmp" if os.path.isdir("/tmp") else None
        self._folder = Path(tempfile.mkdtemp(prefix="aworld-site-", dir=place))
        self._runner = web.AppRunner(application, access_log=None)
        await self._runner.setup()
        path = self._folder / "socket"
        await web.UnixSite(self._runner, str(path)).start()
        return path

    async def close(self) -> None:
        """End it; may be called twice."""
        runner, self._runner = self._runner, None
        if runner is not None:
            await runner.cleanup()
        if self._folder is not None:
            await asyncio.to_thread(shutil.rmtree, self._folder, ignore_errors=True)
