"""Serper (serper.dev): Google's results."""

from __future__ import annotations

from typing import Any, ClassVar

from aworld.tools.search.providers.base import Answer, Provider, ProviderRequest, WebResult


class Serper(Provider):
    """`POST {base_url}/search`, with the key in `X-API-KEY`."""

    name: ClassVar[str] = "serper"
    title: ClassVar[str] = "Serper"
    variable: ClassVar[str] = "SERPER_API_KEY"
    base_url: ClassVar[str] = "https://google.serper.dev"

    def request(self, base_url: str, key: str, query: str, limit: int) -> ProviderRequest:
        """As many results as are wanted."""
        return ProviderRequest(
            "POST",
            f"{base_url}/search",
            headers={"X-API-KEY": key},
            body={"q": query, "num": limit},
        )

    def answer(self, reply: Any) -> Answer:
        """`organic[].{title, link, snippet, date}`, `answerBox`, `knowledgeGraph`."""
        results = [
            WebResult(
                found["title"], found["link"], found.get("snippet") or "", found.get("date") or ""
            )
            for found in reply["organic"]
        ]
        box = reply.get("answerBox") or {}
        graph = reply.get("knowledgeGraph") or {}
        direct = box.get("answer") or box.get("snippet") or graph.get("description") or ""
        return Answer(results, direct)
