"""SearXNG (docs.searxng.org/dev/search_api): an instance of one's own, without a key."""

from __future__ import annotations

from typing import Any, ClassVar

from aworld.tools.search.providers.base import Answer, Provider, ProviderRequest, WebResult


class SearXNG(Provider):
    """`GET {base_url}/search?q=…&format=json`."""

    name: ClassVar[str] = "searxng"
    title: ClassVar[str] = "SearXNG"
    variable: ClassVar[str] = "SEARXNG_URL"
    needs_key: ClassVar[bool] = False

    def request(self, base_url: str, key: str, query: str, limit: int) -> ProviderRequest:
        """It takes no limit; the answer is cut."""
        return ProviderRequest("GET", f"{base_url}/search", query={"q": query, "format": "json"})

    def answer(self, reply: Any) -> Answer:
        """`results[].{url, title, content, publishedDate}`, `answers`."""
        results = [
            WebResult(
                found.get("title") or found["url"],
                found["url"],
                found.get("content") or "",
                found.get("publishedDate") or "",
            )
            for found in reply["results"]
        ]
        answers = [
            answer if isinstance(answer, str) else answer.get("answer", "")
            for answer in reply.get("answers", ())
        ]
        return Answer(results, "; ".join(filter(None, answers)))

    def problem(self, status: int, reply: Any) -> str:
        """403 is what an instance answers that gives no JSON."""
        if status == 403:
            return "the instance gives no JSON; list `json` under search.formats in settings.yml"
        return super().problem(status, reply)
