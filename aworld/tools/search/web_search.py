"""A search of the web, through the provider that the owner configured."""

from __future__ import annotations

from typing import Any

from aworld.errors import ConfigurationError, ToolError
from aworld.tools.base import ToolResult
from aworld.tools.failures import ToolRefused, ToolTimeout
from aworld.tools.search.providers.base import Answer
from aworld.tools.search.settings import SearchSettings, configured, how_to_configure
from aworld.tools.search.web_client import read_up_to

SECONDS = 30.0
_MOST_BYTES = 4 * 1024 * 1024
_LONGEST_SNIPPET = 600


async def search_web(query: str, limit: int) -> ToolResult:
    """Titles, addresses and snippets; `data` is `{provider, results: [{title, url, …}]}`.

    Raises:
        ToolRefused: no provider is configured, or it refuses the key.
        ToolError: it failed; the text has its own words.
    """
    try:
        settings = configured()
    except ConfigurationError as error:
        raise ToolRefused(f"The web cannot be searched: {error}") from error
    if settings is None:
        raise ToolRefused(
            f"The web cannot be searched, for no provider is configured. {how_to_configure()} The "
            "action 'workspace' searches the run's own files."
        )
    answer = await _ask(settings, query, limit)
    return _shown(settings, query, answer, limit)


async def _ask(settings: SearchSettings, query: str, limit: int) -> Answer:
    import aiohttp

    provider = settings.provider
    asked = provider.request(settings.base_url, settings.key, query, limit)
    try:
        async with (
            aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=SECONDS)) as session,
            session.request(
                asked.method,
                asked.url,
                params=asked.query,
                json=asked.body,
                headers=asked.headers,
                # A provider has no reason to send its caller elsewhere, key and all.
                allow_redirects=False,
            ) as answer,
        ):
            data = await read_up_to(answer.content, _MOST_BYTES)
            reply = _json(data)
            if answer.status != 200:
                raise _failure(settings, answer.status, reply, dict(answer.headers))
    except TimeoutError:
        raise ToolTimeout(f"{provider.title} did not answer within {SECONDS:g} s.") from None
    except (aiohttp.ClientError, ValueError) as error:
        raise ToolError(
            f"{provider.title} at {settings.base_url!r} cannot be reached: {error}."
        ) from None
    try:
        return provider.answer(reply)
    except (KeyError, TypeError, AttributeError) as error:
        raise ToolError(
            f"{provider.title} answered something that is no list of results ({error!r}). Check "
            "its address."
        ) from None


def _json(data: bytes) -> Any:
    import json

    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return data.decode("utf-8", "replace")[:300]


def _failure(
    settings: SearchSettings, status: int, reply: Any, headers: dict[str, str]
) -> ToolError:
    """An error in words."""
    provider = settings.provider
    words = " ".join(provider.problem(status, reply).split())[:300]
    said = f": {words.rstrip('.')}." if words else "."
    if status in (401, 403, 422) and ("token" in words.lower() or status != 422):
        cure = (
            f" The owner should check {provider.variable}."
            if provider.needs_key
            else " The owner should look at the instance's settings."
        )
        return ToolRefused(f"{provider.title} refused the request ({status}){said}{cure}")
    if status == 429:
        wait = headers.get("Retry-After") or headers.get("X-RateLimit-Reset", "").partition(",")[0]
        again = f" Try again in {wait} s." if wait.strip().isdigit() else " Try again later."
        return ToolError(f"{provider.title} has had too many requests (429){said}{again}")
    if status in (402, 432, 433):
        return ToolRefused(f"{provider.title}'s quota is used up ({status}){said}")
    return ToolError(f"{provider.title} answered {status}{said}")


def _shown(settings: SearchSettings, query: str, answer: Answer, limit: int) -> ToolResult:
    rows: list[str] = []
    if answer.direct:
        rows += [f"Answer: {' '.join(answer.direct.split())[:_LONGEST_SNIPPET]}", ""]
    for number, found in enumerate(answer.results[:limit], 1):
        date = f" ({found.date})" if found.date else ""
        rows.append(f"{number}. {' '.join(found.title.split())}{date}")
        rows.append(f"   {found.url}")
        if found.snippet:
            rows.append(f"   {' '.join(found.snippet.split())[:_LONGEST_SNIPPET]}")
    if not answer.results:
        rows.append(f"{settings.provider.title} found nothing for {query!r}.")
    data = {
        "provider": settings.provider.name,
        "results": [found._asdict() for found in answer.results[:limit]],
        **({"answer": answer.direct} if answer.direct else {}),
    }
    return ToolResult("\n".join(rows), data)
