"""A page of the web as text: fetched, turned into markdown, perhaps kept in the workspace."""

from __future__ import annotations

import asyncio
import mimetypes
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import unquote, urlsplit

from aworld.tools.base import Attachment, ToolContext, ToolResult
from aworld.tools.documents.actions import ask, store
from aworld.tools.search.web_client import Fetched, fetch
from aworld.tools.workspace.folder import Folder

_MARKUP = ("text/html", "application/xhtml+xml")


async def read_page(context: ToolContext, given: dict[str, Any]) -> ToolResult:
    """Fetch an address and read what is there as the documents tool would.

    Raises:
        ToolRefused: the run may not go there.
        ToolError: nothing can be got or read there.
    """
    found = await fetch(given["url"], context.network)
    kept = ""
    if given.get("save_as"):
        folder = Folder(context.workspace)
        await asyncio.to_thread(store, folder, given["save_as"], found.data)
        kept = f"Kept {len(found.data)} bytes as {given['save_as']!r}.\n"
    asked = {
        name: given[name] for name in ("pages", "first_line", "lines", "text") if name in given
    }
    action = "find" if given.get("text") else "read"
    name = _name(found)
    reply = await ask(context.workspace, name, found.data, action, asked | {"base_url": found.url})
    head = f"{found.url} ({found.media_type}, {len(found.data)} bytes)\n"
    attachments = tuple(Attachment(f.name, f.media_type, f.data) for f in reply.files)
    data = {"url": found.url, "media_type": found.media_type, **reply.data}
    return ToolResult(head + kept + reply.text, data, attachments)


def _name(found: Fetched) -> str:
    """A file name whose suffix says what the server said."""
    path = PurePosixPath(unquote(urlsplit(found.url).path))
    stem = "".join(c for c in path.name if c.isprintable() and c not in '\\/:*?"<>|')[:80]
    if found.media_type in _MARKUP:
        return stem if stem.lower().endswith((".html", ".htm")) else f"{stem or 'page'}.html"
    if path.suffix or found.media_type == "application/octet-stream":
        return stem or "file"
    return f"{stem or 'file'}{mimetypes.guess_extension(found.media_type) or ''}"
