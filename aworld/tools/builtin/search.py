"""Search in the run's files and in the web, and single pages of it."""

from __future__ import annotations

from typing import Any, ClassVar

from aworld.errors import ToolError
from aworld.storage.text_tokens import query as words_of
from aworld.tools.base import BaseTool, Effect, ToolContext, ToolResult
from aworld.tools.failures import MalformedCall
from aworld.tools.search.page import read_page
from aworld.tools.search.web_search import search_web
from aworld.tools.search.workspace_search import search_workspace

_NEEDED = {"workspace": "query", "web": "query", "fetch": "url"}


class Search(BaseTool):
    """Finds places in files by their words, pages of the web by a provider."""

    name: ClassVar[str] = "search"
    description: ClassVar[str] = (
        "Search the workspace's files (texts and documents; gives file, page, line) or the web, or "
        "fetch a page of the web as text."
    )
    # A page may be kept in the workspace; keeping it again gives the same.
    effect: ClassVar[Effect] = "idempotent"
    timeout_s: ClassVar[float] = 120.0

    def get_schema(self) -> dict[str, Any]:
        """An action, and what it needs."""
        return {
            "type": "object",
            "properties": {
                "action": {"enum": list(_NEEDED)},
                "query": {"type": "string", "description": "workspace, web: words to look for"},
                "path": {"type": "string", "description": "workspace: only below this folder"},
                "limit": {"type": "integer", "minimum": 1, "maximum": 50},
                "url": {"type": "string", "description": "fetch: https://…"},
                "pages": {"type": "string", "description": "fetch: pages of a PDF, like '2-5'"},
                "first_line": {"type": "integer", "minimum": 1, "description": "fetch: go on here"},
                "text": {"type": "string", "description": "fetch: only places with this text"},
                "save_as": {
                    "type": "string",
                    "description": "fetch: keep the file in the workspace, for the documents tool",
                },
            },
            "required": ["action"],
            "additionalProperties": False,
        }

    async def run(self, context: ToolContext, **arguments: Any) -> ToolResult:
        """Do the action.

        Raises:
            ToolError: no words to look for, a page that cannot be got, a provider's error.
            ToolRefused: no provider is configured, or the run may not go to that host.
        """
        action = arguments["action"]
        needed = _NEEDED[action]
        if needed not in arguments:
            raise MalformedCall(f"The action {action!r} needs {needed!r}. Call it again.")
        if action == "fetch":
            return await read_page(context, arguments)
        query = arguments["query"]
        if not words_of(query).terms:
            raise ToolError(f"The query {query!r} has no words to look for.")
        limit = arguments.get("limit", 10)
        if action == "web":
            return await search_web(query, limit)
        return await search_workspace(context, query, arguments.get("path", ""), limit)
