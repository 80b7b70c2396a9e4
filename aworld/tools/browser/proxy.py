"""A browser context's only way out: the sandbox's proxy, with names for servers of our own.

Web sockets, redirects, frames and workers come here as well: Chromium knows no other way.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path

from aworld.errors import SandboxError
from aworld.sandbox.egress.allow_list import AllowList, host_name
from aworld.sandbox.egress.proxy import EgressProxy, Streams, connect, resolve
from aworld.tools.failures import ToolRefused

_NOWHERE = "192.0.2.{}"
"""Addresses that lead nowhere, for names that stand for a socket of ours."""


class ContextProxy(EgressProxy):
    """One context's proxy."""

    def __init__(self, hosts: Sequence[str], local: Mapping[str, Path] | None = None) -> None:
        """`local` maps names to Unix sockets of servers of ours, such as an episode's shop.

        Raises:
            ToolRefused: one of the hosts cannot be read.
        """
        self._sockets = {
            _NOWHERE.format(number): (name, path)
            for number, (name, path) in enumerate((local or {}).items(), 1)
        }
        super().__init__(self._list(hosts), resolve=self._resolve_name, connect=self._connect_to)
        self.hosts = tuple(hosts)

    def allow(self, hosts: Sequence[str]) -> None:
        """Put another list in the place of the one so far.

        Raises:
            ToolRefused: one of the hosts cannot be read.
        """
        if tuple(hosts) != self.hosts:
            self._allowed = self._list(hosts)
            self.hosts = tuple(hosts)

    def refusal(self, host: str, port: int) -> str:
        """Why a host may not be asked for, as a sentence, or ""."""
        why = self._allowed.refusal(host, port)
        return f"{why[0].upper()}{why[1:]}." if why else ""

    async def listen_at(self, path: Path) -> None:
        """Serve on a Unix socket that the browser's id may use."""
        self._server = await asyncio.start_unix_server(self._accept, path)
        path.chmod(0o666)

    async def listen_on_loopback(self) -> int:
        """Serve on a port of 127.0.0.1, which is returned."""
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    def _list(self, hosts: Sequence[str]) -> AllowList:
        ours = [f"{place}:80" for name, _ in self._sockets.values() for place in (name,)]
        nowhere = [f"{address}:80" for address in self._sockets]
        try:
            return AllowList([*hosts, *ours, *nowhere])
        except SandboxError as error:
            raise ToolRefused(str(error)) from error

    async def _resolve_name(self, host: str, port: int) -> list[str]:
        for address, (name, _) in self._sockets.items():
            if host_name(name) == host:
                return [address]
        return await resolve(host, port)

    async def _connect_to(self, address: str, port: int) -> Streams:
        ours = self._sockets.get(address)
        if ours is not None:
            return await asyncio.open_unix_connection(str(ours[1]))
        return await connect(address, port)
