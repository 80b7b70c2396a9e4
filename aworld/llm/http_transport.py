"""The lean transport: aiohttp, one session for each event loop, for self-hosted models."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator
from types import SimpleNamespace
from typing import TYPE_CHECKING

import msgspec

from aworld.errors import ProviderError
from aworld.llm.failures import ProviderUnavailable, error_from_status
from aworld.llm.shared import LoopShared
from aworld.llm.streaming import MOST_BYTES
from aworld.llm.transport import Address, Body

if TYPE_CHECKING:
    import aiohttp

_KEY = "session"


async def _close(session: aiohttp.ClientSession) -> None:
    await session.close()


_sessions: LoopShared[aiohttp.ClientSession] = LoopShared(_close)


class HttpTransport:
    """POSTs to one address."""

    def __init__(self, address: Address) -> None:
        self._url = address.url
        self._base_url = address.base_url
        self._headers = {
            "Content-Type": "application/json",
            "Accept": "*/*",
            **address.key_headers(),
        }

    async def send(self, body: Body) -> bytes:
        """The whole answer's JSON."""
        async with self._post(body) as response:
            return await _bounded(response, self._base_url)

    @contextlib.asynccontextmanager
    async def stream(self, body: Body) -> AsyncGenerator[AsyncIterator[bytes]]:
        """The answer's bytes as they arrive."""
        async with self._post(body) as response:
            yield response.content.iter_any()

    async def aclose(self) -> None:
        """Close the loop's session if no other transport uses it."""
        await _sessions.release(_KEY, self)

    @contextlib.asynccontextmanager
    async def _post(self, body: Body) -> AsyncGenerator[aiohttp.ClientResponse]:
        import aiohttp

        session = await _sessions.get(_KEY, self, _new_session)
        try:
            async with await self._begin(session, msgspec.json.encode(body)) as response:
                if response.status != 200:
                    headers = {name.lower(): value for name, value in response.headers.items()}
                    content = await _bounded(response, self._base_url)
                    if "location" in headers:
                        content = f"it is at {headers['location']!r} now".encode()
                    raise error_from_status(
                        response.status, content, headers, where=repr(self._base_url)
                    )
                yield response
        except aiohttp.InvalidURL:
            raise ProviderError(
                f"The base URL {self._base_url!r} is not a URL. Write it like "
                "'http://127.0.0.1:8000/v1'."
            ) from None
        except aiohttp.ClientConnectorError as error:
            raise ProviderUnavailable(
                f"No model server answers at {self._base_url!r} ({error.os_error}). Start it, or "
                "correct the base URL."
            ) from error
        except (aiohttp.ClientError, ConnectionError, asyncio.IncompleteReadError) as error:
            raise ProviderUnavailable(
                f"The connection to {self._base_url!r} broke: {error or type(error).__name__}."
            ) from error

    async def _begin(
        self, session: aiohttp.ClientSession, content: bytes
    ) -> aiohttp.ClientResponse:
        import aiohttp

        reused: list[bool] = []

        async def post() -> aiohttp.ClientResponse:
            return await session.post(
                self._url,
                data=content,
                headers=self._headers,
                # A redirected POST would lose its body, and might carry the key elsewhere.
                allow_redirects=False,
                trace_request_ctx=reused,
            )

        try:
            return await post()
        except aiohttp.ServerDisconnectedError:
            if not reused:
                raise
            # The server had closed an idle connection just before it was used again (llama.cpp's
            # does after every few answers): it saw nothing of the request.
            return await post()


async def _bounded(response: aiohttp.ClientResponse, base_url: str) -> bytes:
    """The body, as far as an answer may go."""
    content = bytearray()
    async for piece in response.content.iter_any():
        content += piece
        if len(content) > MOST_BYTES:
            raise ProviderError(
                f"The answer of {base_url!r} is larger than {MOST_BYTES} bytes and was broken off. "
                "Check the base URL, or ask for fewer tokens."
            )
    return bytes(content)


def _new_session() -> aiohttp.ClientSession:
    import aiohttp

    tracing = aiohttp.TraceConfig()
    tracing.on_connection_reuseconn.append(_note_reuse)
    return aiohttp.ClientSession(
        trace_configs=[tracing],
        # How many calls run at once is decided above, by the run time's limits.
        # Shorter than the five seconds after which llama.cpp's server closes an idle connection:
        # a request sent into a closing one is lost.
        connector=aiohttp.TCPConnector(limit=0, keepalive_timeout=3.0),
        cookie_jar=aiohttp.DummyCookieJar(),
        # One time limit for each attempt is set by the caller, who knows it.
        timeout=aiohttp.ClientTimeout(total=None, sock_connect=30.0),
    )


async def _note_reuse(session: object, context: SimpleNamespace, parameters: object) -> None:
    """Tells `_begin` that its request goes over a connection that was used before."""
    context.trace_request_ctx.append(True)
