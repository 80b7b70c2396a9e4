"""A local server that answers as the four providers document it."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from tests.servers import free_port

KEY = "right-key"

SEARXNG = {
    "query": "tides",
    "number_of_results": 0,
    "results": [
        {
            "url": "https://example.org/tides",
            "title": "Tides",
            "content": "How the moon moves water.",
            "publishedDate": "2026-03-01T00:00:00",
            "engine": "wikipedia",
            "template": "default.html",
            "engines": ["wikipedia"],
            "positions": [1],
            "score": 1.0,
            "category": "general",
        },
        {"url": "https://example.com/x", "title": "", "content": "", "engine": "bing"},
    ],
    "answers": [{"answer": "twice a day", "url": None, "engine": "answerer"}],
    "corrections": [],
    "infoboxes": [],
    "suggestions": [],
    "unresponsive_engines": [["google", "CAPTCHA"]],
}
BRAVE = {
    "type": "search",
    "query": {"original": "tides", "more_results_available": True},
    "web": {
        "type": "search",
        "results": [
            {
                "title": "Tides",
                "url": "https://example.org/tides",
                "is_source_local": False,
                "description": "How the <strong>moon</strong> moves water &amp; air.",
                "page_age": "2026-03-01T00:00:00",
                "age": "March 1, 2026",
                "profile": {"name": "Example", "url": "https://example.org"},
                "language": "en",
            }
        ],
        "family_friendly": True,
    },
}
TAVILY = {
    "query": "tides",
    "follow_up_questions": None,
    "answer": None,
    "images": [],
    "results": [
        {
            "title": "Tides",
            "url": "https://example.org/tides",
            "content": "How the moon moves water.",
            "score": 0.91,
            "raw_content": None,
        }
    ],
    "response_time": 1.09,
}
SERPER = {
    "searchParameters": {"q": "tides", "type": "search", "num": 3, "engine": "google"},
    "answerBox": {"snippet": "Tides come twice a day.", "title": "Tide", "link": "https://e.org"},
    "organic": [
        {
            "title": "Tides",
            "link": "https://example.org/tides",
            "snippet": "How the moon moves water.",
            "date": "Mar 1, 2026",
            "position": 1,
        }
    ],
    "relatedSearches": [{"query": "tide table"}],
}


@dataclass
class ProvidersServer:
    """What it was asked, and what it says next."""

    base_url: str
    asked: list[dict[str, Any]] = field(default_factory=list)
    failure: tuple[int, Any, dict[str, str]] | None = None
    """Status, JSON (or text) and headers of the next answers."""

    async def answer(self, request: web.Request) -> web.Response:
        text = await request.text()
        headers = {name.lower(): value for name, value in request.headers.items()}
        self.asked.append(
            {
                "method": request.method,
                "path": request.path,
                "query": dict(request.query),
                "body": json.loads(text) if text else None,
                "headers": headers,
            }
        )
        if self.failure is not None:
            status, said, extra = self.failure
            if isinstance(said, str):
                return web.Response(status=status, text=said, headers=extra)
            return web.json_response(said, status=status, headers=extra)
        return web.json_response(self._reply(request, headers))

    def _reply(self, request: web.Request, headers: dict[str, str]) -> dict[str, Any]:
        if request.path == "/res/v1/web/search":
            return BRAVE
        if request.method == "GET":
            return SEARXNG
        return SERPER if "x-api-key" in headers else TAVILY


@asynccontextmanager
async def providers_server() -> AsyncIterator[ProvidersServer]:
    """Runs while the block does."""
    port = free_port()
    server = ProvidersServer(f"http://127.0.0.1:{port}")
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", server.answer)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", port).start()
    try:
        yield server
    finally:
        await runner.cleanup()
