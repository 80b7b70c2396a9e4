"""Brave Search (api-dashboard.search.brave.com/api-reference/web/search/get)."""

from __future__ import annotations

import html
import re
from typing import Any, ClassVar

from aworld.tools.search.providers.base import Answer, Provider, ProviderRequest, WebResult

_TAG = re.compile(r"</?[a-z]+>")
_MOST_CHARACTERS = 400
_MOST_WORDS = 50


class Brave(Provider):
    """`GET {base_url}/res/v1/web/search`, with the key in `X-Subscription-Token`."""

    name: ClassVar[str] = "brave"
    title: ClassVar[str] = "Brave"
    variable: ClassVar[str] = "BRAVE_API_KEY"
    base_url: ClassVar[str] = "https://api.search.brave.com"

    def request(self, base_url: str, key: str, query: str, limit: int) -> ProviderRequest:
        """At most 20 results, 400 characters and 50 words."""
        short = " ".join(query.split()[:_MOST_WORDS])[:_MOST_CHARACTERS]
        return ProviderRequest(
            "GET",
            f"{base_url}/res/v1/web/search",
            headers={"X-Subscription-Token": key, "Accept": "application/json"},
            query={"q": short, "count": str(min(limit, 20))},
        )

    def answer(self, reply: Any) -> Answer:
        """`web.results[].{title, url, description, age}`; no `web` where nothing was found."""
        return Answer(
            [
                WebResult(
                    _plain(found["title"]),
                    found["url"],
                    _plain(found.get("description") or ""),
                    found.get("age") or found.get("page_age") or "",
                )
                for found in reply.get("web", {}).get("results", ())
            ]
        )


def _plain(text: str) -> str:
    """Without the tags that mark what was found."""
    return html.unescape(_TAG.sub("", text))
