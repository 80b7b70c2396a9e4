"""Providers of web search, one a file. Adding one: its file, and a line here."""

from __future__ import annotations

from typing import Final

from aworld.tools.search.providers.base import Provider, ProviderRequest, WebResult
from aworld.tools.search.providers.brave import Brave
from aworld.tools.search.providers.searxng import SearXNG
from aworld.tools.search.providers.serper import Serper
from aworld.tools.search.providers.tavily import Tavily

PROVIDERS: Final[dict[str, Provider]] = {
    known.name: known for known in (SearXNG(), Brave(), Tavily(), Serper())
}

__all__ = ["PROVIDERS", "Provider", "ProviderRequest", "WebResult"]
