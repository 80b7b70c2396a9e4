"""Whether a connection takes more bytes now.

ASGI's `send` returns at once on Daphne, however much waits for a slow browser. Daphne's transports
are Twisted's, which tell a registered producer when 64 KB wait and when they have gone: that is
what `Flow` listens to. On a server whose `send` itself waits, a flow is always open.
"""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Awaitable, Callable
from typing import Any

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

FLOW = "aworld.flow"
"""Where the scope has the connection's `Flow`."""


class Flow:
    """One connection's state and its raw `send`. The camel case is Twisted's `IPushProducer`."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._open = asyncio.Event()
        self._open.set()

    @property
    def is_open(self) -> bool:
        """Whether less than 64 KB wait to be written."""
        return self._open.is_set()

    async def wait(self) -> None:
        """Until it is open."""
        await self._open.wait()

    async def send_text(self, text: str) -> None:
        """One text frame, past the layers that only look at the handshake."""
        await self._send({"type": "websocket.send", "text": text})

    def pauseProducing(self) -> None:
        """The transport's buffer is full."""
        self._open.clear()

    def resumeProducing(self) -> None:
        """The transport's buffer is empty."""
        self._open.set()

    def stopProducing(self) -> None:
        """The connection is gone; whoever waits must see that."""
        self._open.set()


class FlowControl:
    """Outermost layer of the WebSocket application: puts a `Flow` into the scope."""

    def __init__(self, application: Application) -> None:
        self._application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        flow = Flow(send)
        _listen_to_transport(flow, send)
        await self._application({**scope, FLOW: flow}, receive, send)


def _listen_to_transport(flow: Flow, send: Send) -> None:
    """Register the flow with Daphne's transport; nothing happens on other servers.

    Daphne hands `partial(server.handle_reply, protocol)` to the application.
    """
    protocol = send.args[0] if isinstance(send, functools.partial) and send.args else None
    transport = getattr(protocol, "transport", None)
    if transport is None or not hasattr(transport, "registerProducer"):
        return
    # The HTTP channel that the socket came from is registered still, and would stop reading
    # from the browser whenever the browser reads slowly.
    transport.unregisterProducer()
    transport.registerProducer(flow, True)
