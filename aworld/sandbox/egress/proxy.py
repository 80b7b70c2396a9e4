"""The proxy outside: HTTP CONNECT and plain HTTP, to hosts on the list and to no others.

A name is resolved once, and the connection goes to the very address that was checked: a name
server that answers differently the second time gains nothing.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from aworld.sandbox.egress.allow_list import AllowList, host_name

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Resolve = Callable[[str, int], Awaitable[list[str]]]
"""A host's addresses, as text."""
Connect = Callable[[str, int], Awaitable[Streams]]

_PIECE = 65536
_MOST_HEAD = 32 * 1024
_HEAD_S = 15.0
_CONNECT_S = 15.0
_MOST_CONNECTIONS = 64
_MOST_DENIED = 50


class Target(NamedTuple):
    """Where a request wants to go."""

    host: str
    port: int
    first: bytes
    """What is sent there first: nothing for a tunnel, the head of a plain request."""


class Refused(Exception):
    """The request is answered with 403 and this reason."""


async def resolve(host: str, port: int) -> list[str]:
    """Ask the machine's resolver."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(entry[4][0]) for entry in found]


async def connect(address: str, port: int) -> Streams:
    """Connect to an address."""
    return await asyncio.open_connection(address, port)


class EgressProxy:
    """Serves one sandboxed command on a socket in the file tree."""

    def __init__(
        self, allowed: AllowList, *, resolve: Resolve = resolve, connect: Connect = connect
    ) -> None:
        self._allowed = allowed
        self._resolve = resolve
        self._connect = connect
        self._folder = tempfile.TemporaryDirectory(prefix="aworld-egress-")
        self._server: asyncio.Server | None = None
        self._serving: set[asyncio.Task[None]] = set()
        self._denied: dict[str, None] = {}

    @property
    def socket_path(self) -> str:
        """Where it listens. The folder is the owner's alone; the socket is open to the id that
        the sandbox runs under, which sees nothing else of the folder."""
        return str(Path(self._folder.name, "proxy"))

    async def start(self) -> None:
        """Listen."""
        self._server = await asyncio.start_unix_server(
            self._accept, self.socket_path, limit=_MOST_HEAD
        )
        Path(self.socket_path).chmod(0o666)

    async def close(self) -> None:
        """End every connection."""
        if self._server is not None:
            self._server.close()
        for task in list(self._serving):
            task.cancel()
        await asyncio.gather(*self._serving, return_exceptions=True)
        self._folder.cleanup()

    def take_denied(self) -> tuple[str, ...]:
        """What was refused since the last time: each host with the reason."""
        taken, self._denied = tuple(self._denied), {}
        return taken

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._serving.add(task)
        try:
            with contextlib.suppress(ConnectionError, asyncio.CancelledError):
                await self._serve(reader, writer)
        finally:
            self._serving.discard(task)
            writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            if len(self._serving) > _MOST_CONNECTIONS:
                raise Refused(f"more than {_MOST_CONNECTIONS} connections at once")
            async with asyncio.timeout(_HEAD_S):
                head = await reader.readuntil(b"\r\n\r\n")
            target = read_head(head)
            upstream = await self._reach(target)
        except Refused as error:
            self._note(str(error))
            await _answer(writer, 403, f"The sandbox refused this: {error}.")
            return
        except (asyncio.LimitOverrunError, asyncio.IncompleteReadError, TimeoutError, OSError):
            await _answer(writer, 502, "The host could not be reached.")
            return
        far_reader, far_writer = upstream
        if target.first:
            far_writer.write(target.first)
        else:
            writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        try:
            async with asyncio.TaskGroup() as both:
                both.create_task(_copy(reader, far_writer))
                both.create_task(_copy(far_reader, writer))
        except* ConnectionError:
            pass
        finally:
            far_writer.close()

    async def _reach(self, target: Target) -> Streams:
        """Connect to a checked address.

        Raises:
            Refused: the host, its port or each of its addresses may not be reached.
            OSError: it does not answer.
        """
        place = f"{target.host}:{target.port}"
        if refusal := self._allowed.refusal(target.host, target.port):
            raise Refused(f"{place}: {refusal}")
        async with asyncio.timeout(_CONNECT_S):
            addresses = await self._resolve(target.host, target.port)
            refusals = [
                self._allowed.address_refusal(target.host, target.port, address)
                for address in addresses
            ]
            # One private address among public ones is a trap, not a mirror.
            for refusal in filter(None, refusals):
                raise Refused(f"{place}: {refusal}")
            if not addresses:
                raise OSError("no address")
            return await self._connect(addresses[0], target.port)

    def _note(self, reason: str) -> None:
        if len(self._denied) < _MOST_DENIED:
            self._denied[reason] = None


def read_head(head: bytes) -> Target:
    """What a request's first lines ask for.

    Raises:
        Refused: it is no request to a proxy.
    """
    lines = head.decode("latin-1").split("\r\n")
    method, _, rest = lines[0].partition(" ")
    place, _, version = rest.rpartition(" ")
    if not version.startswith("HTTP/1."):
        raise Refused("what came is not HTTP/1.1")
    try:
        if method == "CONNECT":
            parts = urlsplit(f"//{place}")
            return Target(host_name(parts.hostname or ""), parts.port or 443, b"")
        url = urlsplit(place)
        if url.scheme != "http" or not url.hostname:
            raise Refused(f"{place[:200]!r} is no address of the form http://host/")
        host, port = host_name(url.hostname), url.port or 80
    except ValueError:
        raise Refused(f"{place[:200]!r} cannot be read as an address") from None
    path = (url.path or "/") + (f"?{url.query}" if url.query else "")
    kept = [line for line in lines[1:-2] if not _is_hop(line)]
    shown = f"[{host}]" if ":" in host else host
    sent = [
        f"{method} {path} {version}",
        # Its own Host line could name another site on the same machine.
        f"Host: {shown}" + ("" if port == 80 else f":{port}"),
        *kept,
        "Connection: close",
    ]
    return Target(host, port, ("\r\n".join(sent) + "\r\n\r\n").encode("latin-1"))


def _is_hop(line: str) -> bool:
    name = line.partition(":")[0].strip().lower()
    return name in ("host", "connection", "keep-alive") or name.startswith("proxy-")


async def _answer(writer: asyncio.StreamWriter, status: int, text: str) -> None:
    body = f"{text}\n".encode()
    reason = "Forbidden" if status == 403 else "Bad Gateway"
    head = (
        f"HTTP/1.1 {status} {reason}\r\nContent-Type: text/plain; charset=utf-8\r\n"
        f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    writer.write(head.encode() + body)
    await writer.drain()


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while piece := await reader.read(_PIECE):
        writer.write(piece)
        await writer.drain()
    if writer.can_write_eof():
        writer.write_eof()
