"""The `openai` SDK as a transport, for cloud providers: it knows their proxies and certificates.

Only the SDK's way of sending is used; answers are read by `wire.py`, as over the other transport,
and retries are ours, so that each one is seen in the log.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, AsyncIterator, Hashable
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

from aworld.errors import ProviderError, ProviderTimeout
from aworld.llm.failures import ProviderUnavailable, error_from_status
from aworld.llm.shared import LoopShared
from aworld.llm.transport import Address, Body

if TYPE_CHECKING:
    import openai
    from openai import AsyncAPIResponse


async def _close(client: openai.AsyncOpenAI) -> None:
    await client.close()


_clients: LoopShared[openai.AsyncOpenAI] = LoopShared(_close)


class OpenAISdkTransport:
    """`chat.completions.create` of a client that all connections with this URL and key share."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self._base_url, _, query = address.base_url.partition("?")
        self._query = dict(parse_qsl(query))
        self._headers = address.key_headers()
        self._headers.pop("Authorization", None)

    async def send(self, body: Body) -> bytes:
        """The whole answer's JSON."""
        async with self._create(body) as response:
            return await response.read()

    @contextlib.asynccontextmanager
    async def stream(self, body: Body) -> AsyncGenerator[AsyncIterator[bytes]]:
        """The answer's bytes as they arrive."""
        async with self._create(body) as response:
            yield response.iter_bytes()

    async def aclose(self) -> None:
        """Close the shared client if no other transport uses it."""
        await _clients.release(self._key, self)

    @property
    def _key(self) -> Hashable:
        return self._address

    @contextlib.asynccontextmanager
    async def _create(self, body: Body) -> AsyncGenerator[AsyncAPIResponse[Any]]:
        import httpx2
        import openai

        client = await _clients.get(self._key, self, self._new_client)
        rest = {key: value for key, value in body.items() if key not in ("model", "messages")}
        try:
            async with client.chat.completions.with_streaming_response.create(
                model=body["model"],
                messages=body["messages"],
                extra_body=rest,
                # A key with a header of its own must not travel twice.
                extra_headers={"Authorization": openai.Omit()}
                if self._address.key_header
                else None,
            ) as response:
                yield response
        except openai.APIStatusError as error:
            headers = {name.lower(): value for name, value in error.response.headers.items()}
            raise error_from_status(
                error.status_code, error.response.content, headers, where=repr(self._base_url)
            ) from error
        except openai.APITimeoutError as error:
            raise ProviderTimeout(f"{self._base_url!r} did not answer in time.") from error
        except openai.APIConnectionError as error:
            cause = error.__cause__ or error
            if isinstance(cause, httpx2.UnsupportedProtocol | httpx2.InvalidURL):
                raise ProviderError(
                    f"The base URL {self._base_url!r} is not a URL. Write it like "
                    "'https://api.openai.com/v1'."
                ) from None
            raise ProviderUnavailable(
                f"No model server answers at {self._base_url!r} ({cause}). Check the base URL and "
                "the network."
            ) from error
        except httpx2.HTTPError as error:
            raise ProviderUnavailable(
                f"The connection to {self._base_url!r} broke: {error or type(error).__name__}."
            ) from error

    def _new_client(self) -> openai.AsyncOpenAI:
        import openai

        return openai.AsyncOpenAI(
            base_url=self._base_url,
            # The SDK insists on a key, servers without one ignore it.
            api_key=self._address.api_key or "none",
            default_headers=self._headers,
            default_query=self._query or None,
            max_retries=0,
            timeout=None,
        )
