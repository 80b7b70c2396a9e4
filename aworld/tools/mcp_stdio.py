"""A started MCP server's pipes as the SDK's streams.

The SDK has its own, `stdio_client`. This one reads long messages in linear time and refuses endless
ones, so that no server holds up the runs that share the loop; keeps what the server writes to its
standard error; and leaves no child of the server behind.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import signal
import sys
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

MOST_MESSAGE = 64 * 1024 * 1024
"""Bytes of one message: pictures and files stand in it."""
CHUNK = 256 * 1024
EXIT_S = 2.0
"""Seconds to end by itself once its input is closed, and again once it is asked to."""
LINE_CHARACTERS = 500
"""Of a line of standard error; what goes beyond is cut."""
_KILL = signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL

log = logging.getLogger(__name__)


@asynccontextmanager
async def started(
    command: Sequence[str], environment: Mapping[str, str], folder: str | None, lines: deque[str]
) -> AsyncGenerator[tuple[Any, Any]]:
    """Start a server; gives its streams of messages, and ends it with all its children.

    `lines` gets what it writes to its standard error.

    Raises:
        OSError: it cannot be started.
    """
    import anyio
    from mcp.client.stdio import get_default_environment

    process = await asyncio.create_subprocess_exec(
        *command,
        env={**get_default_environment(), **environment},
        cwd=folder,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stdin and process.stdout and process.stderr
    to_session, from_server = anyio.create_memory_object_stream[Any](0)
    to_server, from_session = anyio.create_memory_object_stream[Any](0)
    async with anyio.create_task_group() as group:
        group.start_soon(_read, process.stdout, to_session, lines)
        group.start_soon(_write, process.stdin, from_session, to_session)
        group.start_soon(_keep, process.stderr, lines)
        try:
            yield from_server, to_server
        finally:
            with anyio.CancelScope(shield=True):
                await _end(process)
            for stream in (to_session, from_server, to_server, from_session):
                stream.close()
            group.cancel_scope.cancel()


async def _read(stdout: asyncio.StreamReader, to_session: Any, lines: deque[str]) -> None:
    """Hand on each line that is a message; other lines are noise that servers write by mistake."""
    import anyio
    from mcp.shared.message import SessionMessage

    with to_session:
        async for line in _lines(stdout, lines):
            message = _message(line)
            if message is None:
                log.debug("Not a message: %r", line[:200])
                continue
            try:
                await to_session.send(SessionMessage(message))
            except (anyio.BrokenResourceError, anyio.ClosedResourceError):
                break
    # A server that still writes must not wait on a full pipe when it is to end.
    while await stdout.read(CHUNK):
        pass


def _message(line: bytes) -> Any:
    """The message in a line, with a question mark for half a surrogate pair; None in noise."""
    from mcp_types import jsonrpc_message_adapter

    try:
        return jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValueError:
        pass
    try:
        text = json.dumps(json.loads(line), ensure_ascii=False)
        return jsonrpc_message_adapter.validate_json(text.encode("utf-8", "replace"), by_name=False)
    except (ValueError, RecursionError):
        return None


async def _lines(stdout: asyncio.StreamReader, lines: deque[str]) -> AsyncIterator[bytes]:
    """Whole lines; ends where one is longer than a message may be."""
    parts: list[bytes] = []
    size = 0
    while chunk := await stdout.read(CHUNK):
        first, *others = chunk.split(b"\n")
        parts.append(first)
        size += len(first)
        if size > MOST_MESSAGE:
            lines.append(f"(It sent more than {MOST_MESSAGE >> 20} MB in one message.)")
            return
        for rest in others:
            yield b"".join(parts)
            parts, size = [rest], len(rest)


async def _write(stdin: asyncio.StreamWriter, from_session: Any, to_session: Any) -> None:
    async with from_session:
        async for given in from_session:
            text = given.message.model_dump_json(by_alias=True, exclude_unset=True)
            try:
                stdin.write(text.encode("utf-8", "replace") + b"\n")
                await stdin.drain()
            except (ConnectionError, RuntimeError):
                # Whoever waits for an answer learns that there will be none.
                to_session.close()
                return


async def _keep(stderr: asyncio.StreamReader, lines: deque[str]) -> None:
    rest = b""
    while chunk := await stderr.read(CHUNK):
        *whole, rest = (rest + chunk).split(b"\n")
        rest = rest[:LINE_CHARACTERS]
        lines.extend(line[:LINE_CHARACTERS].decode("utf-8", "replace") for line in whole)
    if rest:
        lines.append(rest.decode("utf-8", "replace"))


async def _end(process: asyncio.subprocess.Process) -> None:
    """Close its input, ask it to end, kill it; then whatever it started and left behind."""
    assert process.stdin is not None
    process.stdin.close()
    for asked in (signal.SIGTERM, _KILL):
        if await _has_ended(process):
            break
        _signal(process, asked)
    else:
        await _has_ended(process)
    _signal(process, _KILL)


async def _has_ended(process: asyncio.subprocess.Process) -> bool:
    # Not process.wait(), which waits for the pipes too, and a child may hold those.
    async def ended() -> None:
        while process.returncode is None:
            await asyncio.sleep(0.01)

    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(EXIT_S):
            await ended()
    return process.returncode is not None


def _signal(process: asyncio.subprocess.Process, number: int) -> None:
    """To the server and whatever it started; where there are no such groups, to it alone."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, number)
