"""A web process of its own, with a data folder of its own, and browsers connected to it."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp

from apps.accounts import enter_token
from aworld.config import Config
from aworld.storage.base import Store
from aworld.storage.open import open_store
from tests.servers import Server, free_port


class WebServer(Server):
    """Daphne with the whole application."""

    def __init__(self, home: Path, **environment: str) -> None:
        self.home = home
        port = free_port()
        command = [
            sys.executable,
            "-m",
            "daphne",
            "-b",
            "127.0.0.1",
            "-p",
            str(port),
            "--verbosity",
            "0",
            "aworld_web.asgi:application",
        ]
        super().__init__(command, port, home)
        self._environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("AWORLD")},
            "AWORLD_HOME": str(home),
            "DJANGO_SETTINGS_MODULE": "aworld_web.settings",
            **environment,
        }

    @property
    def pid(self) -> int:
        """Its process."""
        assert self._process is not None
        return self._process.pid

    @property
    def origin(self) -> str:
        """Where its pages are."""
        return f"http://127.0.0.1:{self.port}"

    def manage(self, *arguments: str) -> str:
        """Run a management command in its data folder; returns what it printed."""
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            env=self._environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=110,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def start(self) -> None:
        """Start it in its environment."""
        before = dict(os.environ)
        try:
            os.environ.clear()
            os.environ.update(self._environment)
            super().start()
        finally:
            os.environ.clear()
            os.environ.update(before)

    def store(self) -> Store:
        """Its store, as a script in the same data folder opens it."""
        return open_store(Config(self.home, "", ""))

    @asynccontextmanager
    async def browser(self) -> AsyncIterator[aiohttp.ClientSession]:
        """Someone who came in by a one-time link."""
        jar = aiohttp.CookieJar(unsafe=True)
        async with aiohttp.ClientSession(self.origin, cookie_jar=jar) as session:
            token = enter_token.make(self.home)
            async with session.get("/enter", params={"token": token}, allow_redirects=False) as got:
                assert got.status == 302, await got.text()
            yield session


class Socket:
    """One page's live connection."""

    def __init__(self, raw: aiohttp.ClientWebSocketResponse) -> None:
        self.raw = raw

    async def send(self, **message: Any) -> None:
        """One message of the page."""
        await self.raw.send_json(message)

    async def receive(self, *types: str) -> dict[str, Any]:
        """The next message of one of these types; others are passed over."""
        async with asyncio.timeout(20):
            while True:
                message: dict[str, Any] = await self.raw.receive_json()
                if message["type"] in types:
                    return message

    async def events(self, run_id: str, until: int) -> list[dict[str, Any]]:
        """The run's events up to one seq, as they come."""
        events: list[dict[str, Any]] = []
        while not events or events[-1]["seq"] < until:
            message = await self.receive("events", "jump")
            assert message["type"] == "events", message
            assert message["run"] == run_id
            events += message["events"]
        return events


@asynccontextmanager
async def live(session: aiohttp.ClientSession, server: WebServer) -> AsyncIterator[Socket]:
    """A live connection from one of the server's own pages."""
    async with session.ws_connect("/ws/live", origin=server.origin) as raw:
        yield Socket(raw)
