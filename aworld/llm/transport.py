"""How a chat completion travels: what each transport offers to the protocol above it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager
from typing import Any, Protocol

import msgspec

Body = Mapping[str, Any]
"""The request's JSON object."""


class Address(msgspec.Struct, frozen=True):
    """Where requests go, and what they carry beside their body."""

    base_url: str
    """May have a query, as Azure's older addresses do: it goes behind the path."""
    api_key: str = ""
    path: str = "/chat/completions"
    key_header: str = ""
    """The header that carries the key as it is; "" means `Authorization: Bearer`."""
    headers: tuple[tuple[str, str], ...] = ()

    def __repr__(self) -> str:
        """Without the key."""
        return f"Address({self.url!r})"

    @property
    def url(self) -> str:
        """The whole address of a request."""
        base, mark, query = self.base_url.partition("?")
        return f"{base.rstrip('/')}{self.path}{mark}{query}"

    def key_headers(self) -> dict[str, str]:
        """The headers beside those of the content."""
        found = dict(self.headers)
        if self.api_key and self.key_header:
            found[self.key_header] = self.api_key
        elif self.api_key:
            found["Authorization"] = f"Bearer {self.api_key}"
        return found


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
