"""Asking a server on this machine whether it is well, with nothing but a socket."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

__all__ = ["http_answers", "valkey_answers"]

TIMEOUT_S = 5.0


def http_answers(port: int, path: str) -> Callable[[], Awaitable[bool]]:
    """A probe: GET of this path is answered with a status below 500."""
    request = f"GET {path} HTTP/1.0\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()

    async def probe() -> bool:
        status = (await _ask(port, request)).split(b" ", 2)[1:2]
        return bool(status) and status[0].isdigit() and int(status[0]) < 500

    return probe


def valkey_answers(port: int, password: str) -> Callable[[], Awaitable[bool]]:
    """A probe: PING is answered, which it is not while the data is being loaded."""
    request = f"AUTH {password}\r\nPING\r\n".encode()

    async def probe() -> bool:
        return b"+PONG" in await _ask(port, request, until=b"+PONG")

    return probe


async def _ask(port: int, request: bytes, *, until: bytes = b"\r\n") -> bytes:
    """The beginning of the answer up to `until`; empty where there was none in time."""
    try:
        async with asyncio.timeout(TIMEOUT_S):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            try:
                writer.write(request)
                await writer.drain()
                answer = b""
                while until not in answer and (data := await reader.read(4096)):
                    answer += data
                    if answer.startswith((b"-LOADING", b"-ERR")):
                        break
                return answer
            finally:
                writer.close()
    except (OSError, TimeoutError):
        return b""
