"""The connections of an event loop: shared by its runs, kept while in use, then closed."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable
from functools import partial
from typing import NamedTuple

from aworld.errors import AWorldError
from aworld.tools.mcp.connection import Connection
from aworld.tools.mcp.listing import Listing
from aworld.tools.mcp.server_spec import ServerSpec
from aworld.tools.open_things import close_with

IDLE_S = 60.0
"""Seconds a connection that no run uses is kept for the next one."""

log = logging.getLogger(__name__)

OnListed = Callable[[ServerSpec, Listing], None]


class _Key(NamedTuple):
    server: str
    workspace: str


class Connections:
    """All connections of this process, each in the loop that opened it."""

    def __init__(self) -> None:
        self._loops: dict[asyncio.AbstractEventLoop, _LoopConnections] = {}
        self._on_listed: list[OnListed] = []

    def tell(self, on_listed: OnListed) -> None:
        """Have `on_listed` called whenever a server said what it offers."""
        if on_listed not in self._on_listed:
            self._on_listed.append(on_listed)

    async def get(self, spec: ServerSpec, workspace: str) -> Connection:
        """The connection that a call of this workspace takes; kept until its run ends."""
        loop = asyncio.get_running_loop()
        if loop not in self._loops:
            for closed in [known for known in self._loops if known.is_closed()]:
                del self._loops[closed]
            held = self._loops[loop] = _LoopConnections(self._listed)
            # An asynchronous generator that has begun is closed when its loop shuts down.
            held.keeper = self._keep(loop)
            await anext(held.keeper)
        return self._loops[loop].get(spec, workspace)

    def count(self) -> int:
        """How many servers the running loop has open."""
        held = self._loops.get(asyncio.get_running_loop())
        return held.count() if held is not None else 0

    async def close_all(self) -> None:
        """End all connections of the running loop."""
        held = self._loops.get(asyncio.get_running_loop())
        if held is not None:
            await held.close_all()

    def _listed(self, spec: ServerSpec, listing: Listing) -> None:
        for on_listed in self._on_listed:
            try:
                on_listed(spec, listing)
            except AWorldError:
                log.exception("What MCP server %s offers could not be kept.", spec.name)

    async def _keep(self, loop: asyncio.AbstractEventLoop) -> AsyncGenerator[None]:
        try:
            yield
        finally:
            held = self._loops.pop(loop, None)
            if held is not None:
                await held.close_all()


class _LoopConnections:
    def __init__(self, on_listed: OnListed) -> None:
        self.keeper: AsyncGenerator[None] | None = None
        self._on_listed = on_listed
        self._connections: dict[_Key, Connection] = {}
        self._users: dict[_Key, set[str]] = {}
        self._timers: dict[_Key, asyncio.TimerHandle] = {}
        self._closing: set[asyncio.Task[None]] = set()

    def get(self, spec: ServerSpec, workspace: str) -> Connection:
        own = workspace if spec.own_for_each_run else ""
        key = _Key(spec.fingerprint(), own)
        connection = self._connections.get(key)
        if connection is None:
            told = partial(self._on_listed, spec)
            connection = self._connections[key] = Connection(spec, own, told)
        if workspace:
            self._users.setdefault(key, set()).add(workspace)
            name = f"MCP server {spec.name!r} {key.server[:8]}"
            close_with(workspace, name, partial(self._release, key, workspace))
        self._restart_timer(key)
        return connection

    def count(self) -> int:
        return sum(connection.is_open for connection in self._connections.values())

    async def close_all(self) -> None:
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()
        connections = list(self._connections.values())
        self._connections.clear()
        self._users.clear()
        await asyncio.gather(*(one.close() for one in connections), return_exceptions=True)

    async def _release(self, key: _Key, workspace: str) -> None:
        """The workspace's run ended: its own server ends, a shared one waits for others."""
        self._users.get(key, set()).discard(workspace)
        if key.workspace:
            await self._close(key)
        else:
            self._restart_timer(key)

    async def _close(self, key: _Key) -> None:
        timer = self._timers.pop(key, None)
        if timer is not None:
            timer.cancel()
        self._users.pop(key, None)
        connection = self._connections.pop(key, None)
        if connection is not None:
            await connection.close()

    def _restart_timer(self, key: _Key) -> None:
        timer = self._timers.pop(key, None)
        if timer is not None:
            timer.cancel()
        if key in self._connections:
            loop = asyncio.get_running_loop()
            self._timers[key] = loop.call_later(IDLE_S, self._expire, key)

    def _expire(self, key: _Key) -> None:
        connection = self._connections.get(key)
        if connection is not None and (connection.busy or self._users.get(key)):
            self._restart_timer(key)
            return
        task = asyncio.get_running_loop().create_task(self._close(key))
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)


connections = Connections()
"""All MCP servers that this process keeps open."""
