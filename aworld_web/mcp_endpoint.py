"""`/mcp`: the runs of this application for MCP clients that have a person's token; read-only."""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable
from typing import Any

from channels.db import database_sync_to_async
from django.conf import settings
from django.http.request import split_domain_port, validate_host

from apps.accounts.tokens import token_user
from apps.runs.stores import run_store
from aworld.tools.mcp.run_tools import INSTRUCTIONS, run_tools
from aworld.tools.mcp_http import Receive, Scope, Send

Application = Callable[[Any, Any, Any], Awaitable[None]]

PATHS = frozenset({"/mcp", "/mcp/"})

log = logging.getLogger(__name__)


class McpEndpoint:
    """Answers `/mcp` and hands everything else on."""

    def __init__(self, application: Application) -> None:
        self._application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] not in PATHS:
            await self._application(scope, receive, send)
            return
        headers = {name.lower(): value.decode("latin1") for name, value in scope["headers"]}
        refusal = _refusal(headers)
        if refusal is not None:
            await _answer(send, *refusal)
            return
        way, _space, secret = headers.get(b"authorization", "").partition(" ")
        user = None
        if way.lower() == "bearer":
            user = await database_sync_to_async(token_user)(secret.strip())
        if user is None:
            await _answer(send, 401, _NO_TOKEN)
            return
        await _serve(f"{scope.get('scheme', 'http')}://{headers[b'host']}", scope, receive, send)


_NO_TOKEN = (
    "This address takes an access token in the header 'Authorization: Bearer …'. Make one in the "
    "application under Settings, MCP."
)


def _refusal(headers: dict[bytes, str]) -> tuple[int, str] | None:
    """Why a request may not even show its token: a page of another site, a foreign name."""
    host = headers.get(b"host", "")
    if not validate_host(split_domain_port(host)[0], settings.ALLOWED_HOSTS):
        return 421, "This server does not go by that name. See AWORLD_ALLOWED_HOSTS."
    origin = headers.get(b"origin", "")
    own = {f"http://{host}", f"https://{host}", *settings.CSRF_TRUSTED_ORIGINS}
    if origin and origin.lower() not in {one.lower() for one in own}:
        return 403, "Pages of other sites may not read the runs."
    return None


async def _serve(base: str, scope: Scope, receive: Receive, send: Send) -> None:
    # Loaded with the first request: the SDK takes most of a second.
    from aworld.tools.mcp_http import answer_request
    from aworld.tools.mcp_server import ToolServer, make_server

    tools = run_tools(run_store, lambda run_id: f"{base}/runs/{run_id}")
    server = make_server(
        ToolServer(lambda: tools, ""), name="aworld-runs", instructions=INSTRUCTIONS
    )
    await answer_request(server, scope, receive, send)


async def _answer(send: Send, status: int, message: str) -> None:
    body = json.dumps({"message": message, "extra": {}}, ensure_ascii=False).encode()
    headers: list[Any] = [(b"content-type", b"application/json")]
    if status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
