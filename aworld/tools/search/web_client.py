"""Gets a page or file from an address that a model named.

Each hop of a redirection is a new decision, and the address that a name stands for is looked at
before it is connected to, so that no name leads into the machine's own network.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urljoin, urlsplit

from aworld.errors import SandboxError, ToolError
from aworld.sandbox.egress.allow_list import AllowList
from aworld.tools.failures import ToolRefused, ToolTimeout

if TYPE_CHECKING:
    import aiohttp

MOST_BYTES = 10 * 1024 * 1024
SECONDS = 30.0
_MOST_HOPS = 6
_REDIRECTIONS = (301, 302, 303, 307, 308)
_SAID = 500
_HEADERS = {
    "User-Agent": "Mozilla/5.0 (compatible; AWorld)",
    "Accept": "text/html,application/xhtml+xml,application/pdf,*/*;q=0.8",
    "Accept-Language": "en,*;q=0.5",
}


class Fetched(NamedTuple):
    """What came."""

    url: str
    """Where it came from, after all redirections."""
    media_type: str
    data: bytes
    hops: tuple[str, ...]
    """Addresses on the way, the first one first."""


async def fetch(url: str, network: Sequence[str]) -> Fetched:
    """Get what is at an address.

    Raises:
        ToolRefused: the run may not go there.
        ToolTimeout: it took too long.
        ToolError: there is nothing, or too much.
    """
    import aiohttp

    try:
        allowed = AllowList(network)
    except SandboxError as error:
        raise ToolRefused(str(error)) from error
    hops = [url]
    limit = aiohttp.ClientTimeout(total=SECONDS, sock_connect=10)
    connector = aiohttp.TCPConnector(resolver=_resolver(allowed), use_dns_cache=False)
    try:
        async with aiohttp.ClientSession(
            timeout=limit, connector=connector, headers=_HEADERS, trust_env=False
        ) as session:
            while True:
                found = await _hop(session, hops, allowed)
                if isinstance(found, Fetched):
                    return found
                hops.append(found)
    except TimeoutError:
        raise ToolTimeout(f"{url!r} did not answer within {SECONDS:g} s.") from None
    except aiohttp.ClientConnectorError as error:
        refused = _refusal_in(error)
        if refused is not None:
            raise refused from None
        why = error.os_error.strerror or str(error.os_error)
        raise ToolError(f"{hops[-1]!r} cannot be reached: {why}.") from None
    except aiohttp.ClientError as error:
        said = str(error) or type(error).__name__
        raise ToolError(f"{hops[-1]!r} cannot be reached: {said}.") from None
    except (ValueError, UnicodeError) as error:
        raise ToolError(f"{hops[-1]!r} is no address that can be fetched ({error}).") from None


async def _hop(
    session: aiohttp.ClientSession, hops: list[str], allowed: AllowList
) -> Fetched | str:
    """What is there, or the address that it points to."""
    url = hops[-1]
    _check(url, allowed, redirected=len(hops) > 1)
    async with session.get(url, allow_redirects=False) as answer:
        if answer.status in _REDIRECTIONS and "Location" in answer.headers:
            if len(hops) >= _MOST_HOPS:
                raise ToolError(f"{hops[0]!r} redirects more than {_MOST_HOPS} times.")
            return urljoin(url, answer.headers["Location"])
        if answer.status != 200:
            said = await read_up_to(answer.content, 4096)
            words = " ".join(said.decode("utf-8", "replace").split())[:_SAID]
            raise ToolError(f"{url!r} answered {answer.status} {answer.reason or ''}: {words}")
        data = await _body(answer, url)
        return Fetched(str(answer.url), answer.content_type, data, tuple(hops))


async def _body(answer: aiohttp.ClientResponse, url: str) -> bytes:
    data = await read_up_to(answer.content, MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise ToolError(f"{url!r} has more than {MOST_BYTES} bytes. Nothing of it was kept.")
    return data


async def read_up_to(content: aiohttp.StreamReader, most: int) -> bytes:
    """The first bytes of a body, unpacked."""
    kept = bytearray()
    async for piece in content.iter_chunked(65536):
        kept += piece
        if len(kept) >= most:
            break
    return bytes(kept[:most])


def _check(url: str, allowed: AllowList, *, redirected: bool) -> None:
    """Raises ToolRefused where the address may not be fetched."""
    parts = urlsplit(url)
    led = "leads to" if redirected else "is"
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ToolRefused(f"The address {led} {url[:200]!r}; only http and https are fetched.")
    port = parts.port or (443 if parts.scheme == "https" else 80)
    refusal = allowed.refusal(parts.hostname, port)
    if not refusal and _is_literal(parts.hostname):
        refusal = allowed.address_refusal(parts.hostname, port, parts.hostname)
    if refusal:
        raise ToolRefused(
            f"{url[:200]!r} may not be fetched: {refusal}. The team's network policy says which "
            "hosts are allowed."
        )


def _is_literal(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


class _PrivateAddress(OSError):
    """A name stands for an address that is not public."""


def _refusal_in(error: BaseException) -> ToolRefused | None:
    """The refusal that made a connection fail."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, _PrivateAddress):
            return ToolRefused(f"This may not be fetched: {cause}.")
        cause = cause.__cause__ or cause.__context__
    return None


def _resolver(allowed: AllowList) -> Any:
    """A resolver that gives only addresses that may be reached. What it gives is what is connected
    to: asking twice would let a name change in between."""
    from aiohttp.abc import AbstractResolver, ResolveResult
    from aiohttp.resolver import ThreadedResolver

    class Checked(AbstractResolver):
        def __init__(self) -> None:
            self._inner = ThreadedResolver()

        async def resolve(
            self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
        ) -> list[ResolveResult]:
            found = await self._inner.resolve(host, port, family)
            for result in found:
                refusal = allowed.address_refusal(host, port, result["host"])
                if refusal:
                    raise _PrivateAddress(refusal)
            return found

        async def close(self) -> None:
            await self._inner.close()

    return Checked()
