"""An MCP server at an address: the SDK's streamable HTTP, as a program or inside another."""

from __future__ import annotations

import ipaddress
from collections.abc import Awaitable, Callable, MutableMapping
from typing import TYPE_CHECKING, Any

from aworld.errors import ConfigurationError

if TYPE_CHECKING:
    from mcp.server import Server

PATH = "/mcp"

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]


async def serve_http(
    server: Server[Any], host: str, port: int, *, ready: Callable[[str], None]
) -> None:
    """Serve at `http://host:port/mcp` until cancelled or stopped by a signal.

    Requests whose Host or Origin is another than the loopback's are refused, so that no web page
    can reach it by a name that it makes lead here. `ready` gets the address once it listens.

    Raises:
        ConfigurationError: the host is not the loopback, or the port is taken.
    """
    import uvicorn

    check_loopback(host)
    app = server.streamable_http_app(streamable_http_path=PATH, host=host)
    listener = uvicorn.Server(
        uvicorn.Config(app, host=host, port=port, log_level="warning", timeout_graceful_shutdown=3)
    )
    try:
        sock = listener.config.bind_socket()
    except SystemExit:  # uvicorn's own way to say that it cannot.
        raise ConfigurationError(
            f"Nothing can listen at {host}:{port}: the port is taken, or may not be used. Give "
            "another one, or 0 for any that is free."
        ) from None
    shown = f"[{host}]" if ":" in host else host
    ready(f"http://{shown}:{sock.getsockname()[1]}{PATH}")
    await listener.serve(sockets=[sock])


def check_loopback(host: str) -> None:
    """Refuse whatever others could reach: there is no log-in.

    Raises:
        ConfigurationError: the host is not this machine alone.
    """
    try:
        loopback = host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        loopback = False
    if not loopback:
        raise ConfigurationError(
            f"An MCP server without a log-in cannot listen at {host!r}, where others reach it. "
            "Use 127.0.0.1, and a proxy with a log-in before it where others should."
        )


async def answer_request(server: Server[Any], scope: Scope, receive: Receive, send: Send) -> None:
    """Answer one HTTP request inside another ASGI application, which has checked who asks.

    Nothing is kept between requests, so no lifespan is needed and any process may answer.
    """
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

    manager = StreamableHTTPSessionManager(server, json_response=True, stateless=True)
    async with manager.run():
        await manager.handle_request(scope, receive, send)
