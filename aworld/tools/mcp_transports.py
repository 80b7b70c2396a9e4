"""The two ways to an MCP server: a process that is started, and streamable HTTP."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from aworld.tools.mcp.failures import ConnectionFailed
from aworld.tools.mcp.server_spec import ServerSpec, expanded
from aworld.tools.mcp_results import repaired_tools
from aworld.tools.mcp_stdio import MOST_MESSAGE, started

KEPT_LINES = 20
"""Last lines of a server's standard error that an error shows."""


class Surroundings:
    """What is known of a server besides its answers: what it wrote, how HTTP went."""

    def __init__(self) -> None:
        self.lines: deque[str] = deque(maxlen=KEPT_LINES)
        self.status = 0
        """The last HTTP status of 400 or more; 0 since the last that went well."""
        self.gone = asyncio.Event()
        """Set when the server, or the connection, ended."""

    def words(self) -> str:
        """A sentence or two to end an error with; "" where nothing is known."""
        said = "\n".join(line for line in self.lines if line.strip())
        reason = {
            401: "It asks for a log-in: give it a token in a header, such as Authorization.",
            403: "It forbids this. Check the token in its headers.",
            404: "There is no MCP server at this path.",
            405: "This address does not take MCP's requests.",
        }.get(self.status, f"It answered HTTP {self.status}." if self.status else "")
        return " ".join(part for part in (reason, f"It wrote:\n{said}" if said else "") if part)


@asynccontextmanager
async def open_stdio(
    spec: ServerSpec, workspace: str, around: Surroundings
) -> AsyncGenerator[tuple[Any, Any]]:
    """Start the server; gives its streams, ends it on leaving.

    Raises:
        ConnectionFailed: it cannot be started.
        ConfigurationError: a variable that it wants is not set.
    """
    command, folder, environment = _filled(spec, workspace)
    try:
        async with started(command, environment, folder or None, around.lines) as (read, write):
            yield Inbound(read, around.gone), write
    except FileNotFoundError as error:
        raise ConnectionFailed(
            f"MCP server {spec.name!r} cannot be started: there is no command {command[0]!r} "
            "here. Install it, or give its whole path.",
            lasting=True,
        ) from error
    except PermissionError as error:
        raise ConnectionFailed(
            f"MCP server {spec.name!r} cannot be started: {command[0]!r} may not be run. Make the "
            "file executable, or name the program that runs it.",
            lasting=True,
        ) from error


def _filled(spec: ServerSpec, workspace: str) -> tuple[list[str], str, dict[str, str]]:
    """Command, folder and environment of this run.

    Raises:
        ConnectionFailed: the folder is not there.
    """

    def fill(text: str) -> str:
        return expanded(text, spec, workspace)

    if spec.own_for_each_run and workspace:
        Path(workspace).mkdir(parents=True, exist_ok=True)
    folder = fill(spec.cwd)
    if folder and not Path(folder).is_dir():
        raise ConnectionFailed(
            f"MCP server {spec.name!r} wants the folder {folder!r}, which is not there. Make it, "
            "or change the server's cwd.",
            lasting=True,
        )
    command = [fill(part) for part in (spec.command, *spec.args)]
    return command, folder, {name: fill(value) for name, value in spec.env.items()}


@asynccontextmanager
async def open_http(spec: ServerSpec, around: Surroundings) -> AsyncGenerator[tuple[Any, Any]]:
    """Streams to a server at an address; the session is ended on leaving.

    Raises:
        ConfigurationError: a variable in a header is not set.
    """
    import httpx2
    from mcp.client.streamable_http import streamable_http_client

    async def noted(response: httpx2.Response) -> None:
        if response.request.method == "POST":
            around.status = response.status_code if response.status_code >= 400 else 0

    for name in ("httpx2", "mcp.client.streamable_http"):
        # They write whole addresses, whose query may hold a key.
        logging.getLogger(name).setLevel(logging.WARNING)
    headers = {name: expanded(value, spec, "") for name, value in spec.headers.items()}
    # A call's own time-out ends it; its stream may be silent until then.
    limits = httpx2.Timeout(min(30.0, spec.start_s), read=spec.longest_s)
    async with (
        httpx2.AsyncClient(
            headers=headers, timeout=limits, event_hooks={"response": [noted]}
        ) as http,
        streamable_http_client(spec.url, http_client=http, max_sse_event_size=MOST_MESSAGE) as (
            read,
            write,
        ),
    ):
        yield Inbound(read, around.gone), write


class Inbound:
    """A stream of messages that says when it ended, and in which one bad tool spoils no other."""

    def __init__(self, stream: Any, gone: asyncio.Event) -> None:
        self._stream = stream
        self._gone = gone

    @property
    def last_context(self) -> Any:
        """The sender's, which the SDK's own streams carry along."""
        return getattr(self._stream, "last_context", None)

    async def receive(self) -> Any:
        """The next message."""
        try:
            return _repaired(await self._stream.receive())
        except BaseException:
            self._gone.set()
            raise

    def __aiter__(self) -> Inbound:
        return self

    async def __anext__(self) -> Any:
        try:
            return _repaired(await self._stream.__anext__())
        except BaseException:
            self._gone.set()
            raise

    async def aclose(self) -> None:
        """Close it."""
        await self._stream.aclose()

    async def __aenter__(self) -> Inbound:
        await self._stream.__aenter__()
        return self

    async def __aexit__(self, *failure: Any) -> Any:
        return await self._stream.__aexit__(*failure)


def _repaired(message: Any) -> Any:
    """The message; a listing of tools in a form that the SDK reads whole."""
    from mcp_types import JSONRPCResponse

    inner = getattr(message, "message", None)
    if isinstance(inner, JSONRPCResponse) and isinstance(inner.result.get("tools"), list):
        inner.result["tools"] = repaired_tools(inner.result["tools"])
    return message
