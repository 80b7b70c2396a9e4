"""A session with an MCP server, through the official SDK: open it, list its tools, call one."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Any

from aworld.errors import ToolError
from aworld.tools.base import ToolResult
from aworld.tools.failures import ToolTimeout
from aworld.tools.mcp.failures import ConnectionLost
from aworld.tools.mcp.listing import MOST_TOOLS, ListedTool, Listing
from aworld.tools.mcp.server_spec import ServerSpec
from aworld.tools.mcp_results import as_listed, as_result
from aworld.tools.mcp_transports import Surroundings, open_http, open_stdio

if TYPE_CHECKING:
    from mcp import Client, MCPError
    from mcp.client.session import IncomingMessage, MessageHandlerFnT

NO_WORDS = "Server returned an error response"
"""What the SDK says of an HTTP error whose body has no reason."""

log = logging.getLogger(__name__)

Changed = Callable[[], None]
"""Called when a server says that its tools are others now."""


class ServerSession:
    """An open session. Calls may be made at once; each is cancelled with its task."""

    def __init__(self, spec: ServerSpec, client: Client, around: Surroundings) -> None:
        self._spec = spec
        self._client = client
        self._around = around

    async def list_tools(self) -> Listing:
        """Everything the server offers, all pages of it.

        Raises:
            ToolError: it does not say.
        """
        from mcp import MCPError

        found: dict[str, ListedTool] = {}
        cut = False
        try:
            async for tool in self._tools():
                if len(found) == MOST_TOOLS and tool.name not in found:
                    cut = True
                    break
                found[tool.name] = tool
        except (MCPError, ValueError) as error:
            raise ToolError(
                f"MCP server {self._spec.name!r} does not list its tools: {str(error)[:500]}"
            ) from error
        info = self._client.server_info
        return Listing(
            tools=tuple(found.values()),
            server=f"{info.name} {info.version}".strip() if info is not None else "",
            protocol=self._client.protocol_version,
            instructions=(self._client.instructions or "")[:4000],
            cut=cut,
        )

    async def _tools(self) -> AsyncGenerator[ListedTool]:
        if self._client.server_capabilities.tools is None:
            return
        cursor: str | None = None
        seen: set[str] = set()
        while True:
            page = await self._client.list_tools(cursor=cursor)
            for tool in page.tools:
                yield as_listed(tool)
            cursor = page.next_cursor
            if not cursor or cursor in seen:
                return
            seen.add(cursor)

    async def call(self, name: str, arguments: dict[str, Any]) -> ToolResult:
        """Call one tool by the server's own name.

        Raises:
            ToolTimeout: no answer and no sign of progress within `timeout_s`.
            ConnectionLost: the server went away.
            ToolError: it could not do it; the server's own words.
        """
        from mcp import MCPError

        limiter = asyncio.timeout(self._spec.timeout_s)
        watch = _Progress(limiter, self._spec)
        try:
            async with limiter:
                result = await self._client.call_tool(
                    name, arguments, progress_callback=watch.heard
                )
        except TimeoutError:
            raise ToolTimeout(
                f"MCP server {self._spec.name!r} did not answer within {self._spec.timeout_s:g} s"
                f"{watch.last_words()}. Ask for less at once."
            ) from None
        except MCPError as error:
            raise self._explained(error) from error
        except RuntimeError as error:  # The answer is not what the tool's output schema says.
            raise ToolError(f"MCP server {self._spec.name!r}: {str(error)[:500]}") from error
        except ValueError as error:
            raise ToolError(
                f"MCP server {self._spec.name!r} answered what the protocol does not know: "
                f"{' '.join(str(error).split())[:300]}"
            ) from error
        finally:
            watch.over = True
        return as_result(self._spec.name, result)

    def _explained(self, error: MCPError) -> ToolError:
        from mcp_types import CONNECTION_CLOSED

        if error.code == CONNECTION_CLOSED:
            return ConnectionLost("The connection closed.", unsent=False)
        status = self._around.status
        said = f"MCP server {self._spec.name!r}: {error.message}"
        if status in (400, 404, 410) and (
            error.message == NO_WORDS or "session" in error.message.lower()
        ):
            # It was started anew and knows the session no more; the call was refused, not made.
            return ConnectionLost(f"{said}. It answered HTTP {status}.", unsent=True)
        return ToolError(f"{said}. {self._around.words()}" if status >= 400 else said)


class _Progress:
    """Puts a call's time-out off whenever the server says how far it is."""

    def __init__(self, limiter: asyncio.Timeout, spec: ServerSpec) -> None:
        self.over = False
        self._limiter = limiter
        self._spec = spec
        self._said = ""

    async def heard(self, progress: float, total: float | None, message: str | None) -> None:
        """One notification."""
        share = f"{progress:g} of {total:g}" if total else f"{progress:g}"
        self._said = f"{share} {message or ''}".strip()
        log.debug("MCP server %s: progress %s", self._spec.name, self._said)
        if not self.over and not self._limiter.expired():
            loop = asyncio.get_running_loop()
            self._limiter.reschedule(loop.time() + self._spec.timeout_s)

    def last_words(self) -> str:
        """What it said last, to stand in a sentence."""
        return f" after its progress of {self._said}" if self._said else ""


@asynccontextmanager
async def open_session(
    spec: ServerSpec, workspace: str, around: Surroundings, changed: Changed
) -> AsyncGenerator[ServerSession]:
    """Start or reach a server and shake hands. Entered and left in one task.

    Raises:
        ConnectionFailed: it cannot be started.
        Exception: whatever the transport met, in groups; `explain_failure` puts it in words.
    """
    from mcp import Client

    transport = open_stdio(spec, workspace, around) if spec.command else open_http(spec, around)
    async with AsyncExitStack() as stack:
        client = Client(transport, message_handler=_listener(changed), cache=None)
        await stack.enter_async_context(client)
        listening = asyncio.create_task(_listen(client, changed))
        try:
            yield ServerSession(spec, client, around)
        finally:
            listening.cancel()
            await asyncio.gather(listening, return_exceptions=True)


def explain_failure(spec: ServerSpec, error: BaseException, around: Surroundings) -> str:
    """Why a server cannot be used, in a sentence."""
    cause = next(_leaves(error), error)
    # The first line: pydantic's words on an answer that is none go on for many.
    said = str(cause).partition("\n")[0][:300] or type(cause).__name__
    what = {
        "ConnectError": "it cannot be reached",
        "ConnectTimeout": "it cannot be reached",
        "Connection closed": "it ended",
    }
    reason = what.get(type(cause).__name__) or what.get(said) or said.rstrip(".")
    words = around.words()
    return (
        f"MCP server {spec.name!r} ({spec.address}) cannot be "
        f"{'started' if spec.command else 'used'}: {reason}.{' ' + words if words else ''}"
    )


def was_unsent(error: BaseException) -> bool:
    """Whether the failure shows that nothing reached the server."""
    names = {type(leaf).__name__ for leaf in _leaves(error)}
    return bool(names) and names <= {"ConnectError", "ConnectTimeout"}


def _leaves(error: BaseException) -> Iterator[BaseException]:
    """The errors in a task group's groups."""
    if isinstance(error, BaseExceptionGroup):
        for inner in error.exceptions:
            yield from _leaves(inner)
    elif not isinstance(error, asyncio.CancelledError):
        yield error


def _listener(changed: Changed) -> MessageHandlerFnT:
    async def heard(message: IncomingMessage) -> None:
        from mcp_types import ToolListChangedNotification

        if isinstance(message, ToolListChangedNotification):
            changed()

    return heard


async def _listen(client: Client, changed: Changed) -> None:
    """Servers of the protocol since 2026-07 tell of changes only to those who ask."""
    from mcp import MCPError
    from mcp.client.subscriptions import ListenNotSupportedError, SubscriptionLost

    tools = client.server_capabilities.tools
    if tools is None or not tools.list_changed:
        return
    try:
        async with client.listen(tools_list_changed=True) as events:
            async for _ in events:
                changed()
    except (ListenNotSupportedError, SubscriptionLost, MCPError, TimeoutError) as error:
        log.debug("No news of changed tools: %s", error)
