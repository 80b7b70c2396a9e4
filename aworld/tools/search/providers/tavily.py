"""Tavily (docs.tavily.com/api-reference)."""

from __future__ import annotations

from typing import Any, ClassVar

from aworld.tools.search.providers.base import Answer, Provider, ProviderRequest, WebResult


class Tavily(Provider):
    """`POST {base_url}/search`, with the key as bearer."""

    name: ClassVar[str] = "tavily"
    title: ClassVar[str] = "Tavily"
    variable: ClassVar[str] = "TAVILY_API_KEY"
    base_url: ClassVar[str] = "https://api.tavily.com"

    def request(self, base_url: str, key: str, query: str, limit: int) -> ProviderRequest:
        """At most 20 results."""
        return ProviderRequest(
            "POST",
            f"{base_url}/search",
            headers={"Authorization": f"Bearer {key}"},
            body={"query": query, "max_results": min(limit, 20), "search_depth": "basic"},
        )

    def answer(self, reply: Any) -> Answer:
        """`results[].{title, url, content, published_date}`, `answer`."""
        results = [
            WebResult(
                found.get("title") or found["url"],
                found["url"],
                found.get("content") or "",
                found.get("published_date") or "",
            )
            for found in reply["results"]
        ]
        return Answer(results, reply.get("answer") or "")

    def problem(self, status: int, reply: Any) -> str:
        """432 and 433 are limits of its own."""
        words = super().problem(status, reply)
        if status in (432, 433):
            return words or "the plan's limit is reached"
        return words
