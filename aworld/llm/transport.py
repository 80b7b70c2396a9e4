"""How a chat completion travels: what each transport offers to the protocol above it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager
from typing import Any, Protocol

Body = Mapping[str, Any]
"""The request's JSON object."""


class Transport(Protocol):
    """Carries requests to one base URL. Time limits and retries are the caller's business.

    Both methods raise ProviderError and its kinds; a cancelled call closes its connection.
    """

    async def send(self, body: Body) -> bytes:
        """The whole answer's JSON."""
        ...

    def stream(self, body: Body) -> AbstractAsyncContextManager[AsyncIterator[bytes]]:
        """The answer's bytes (server-sent events) as they arrive."""
        ...

    async def aclose(self) -> None:
        """Give back connections that nobody else shares."""
        ...
