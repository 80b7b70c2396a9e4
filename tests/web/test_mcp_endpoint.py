"""The running application and MCP: its runs for clients, other servers' tools for its teams."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from tests.openai_server import Answer, OpenAIServer
from tests.tools.mcp_programs import hand
from tests.web.live_server import WebServer
from tests.web.recorded import finished_run


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebServer]:
    """The whole application in one process, which works on the runs too."""
    started = WebServer(tmp_path_factory.mktemp("mcp"))
    started.manage("migrate", "-v0")
    started.start()
    yield started
    started.stop()


async def send(session: aiohttp.ClientSession, method: str, path: str, body: Any = None) -> Any:
    """One call of the HTTP API."""
    async with session.get("/"):
        pass
    token = next(c.value for c in session.cookie_jar if c.key == "csrftoken")
    headers = {"X-CSRFToken": token}
    async with session.request(method, f"/api{path}", json=body, headers=headers) as answer:
        assert answer.status < 300, await answer.text()
        return await answer.json()


@asynccontextmanager
async def client(server: WebServer, secret: str, mode: str = "auto") -> AsyncIterator[Client]:
    """The official client with a token."""
    headers = {"Authorization": f"Bearer {secret}"}
    async with httpx2.AsyncClient(headers=headers) as http:
        transport = streamable_http_client(f"{server.origin}/mcp", http_client=http)
        async with Client(transport, mode=mode) as connected:
            yield connected


async def test_the_official_client_reads_the_runs_with_a_token(server: WebServer) -> None:
    store = server.store()
    run = finished_run(store)
    store.close()
    async with server.browser() as session:
        secret = (await send(session, "POST", "/tokens", {"name": "editor"}))["secret"]
    for mode in ("auto", "legacy"):
        async with client(server, secret, mode) as connected:
            tools = {tool.name for tool in (await connected.list_tools()).tools}
            read = await connected.call_tool("read_run", {"run_id": run.run_id})
        assert tools == {"list_runs", "read_run", "read_events", "read_event", "search_events"}
        assert read.structured_content["answer"] == "5"
        assert read.structured_content["url"] == f"{server.origin}/runs/{run.run_id}"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 401),
        ({"Authorization": "Bearer aw_guess"}, 401),
        ({"Authorization": "Basic YTpi"}, 401),
        ({"Host": "rebound.example"}, 421),
        ({"Origin": "http://other.example"}, 403),
        ({"Origin": "null"}, 403),
    ],
)
async def test_nobody_else_reads_them(
    server: WebServer, headers: dict[str, str], status: int
) -> None:
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    async with (
        server.browser() as session,
        session.post("/mcp", json=message, headers=headers) as answer,
    ):
        assert answer.status == status
        assert "message" in await answer.json()


async def test_a_team_uses_a_server_that_was_added_in_the_browser(
    server: WebServer, tmp_path: Path
) -> None:
    spec = hand(tmp_path)
    entry = {"command": spec.command, "args": list(spec.args), "env": spec.env}
    team = {
        "name": "counter",
        "topology": "single",
        "agents": [{"name": "a", "role": "", "model": "m", "tools": ["mcp__hand__count"]}],
    }
    answers: list[Answer | str] = [
        Answer(tool_calls=[("mcp__hand__count", {})]),
        "It was called once.",
    ]
    with OpenAIServer(answers) as model:
        async with server.browser() as session:
            made = await send(
                session, "POST", "/mcp-servers/import", {"config": {"mcpServers": {"hand": entry}}}
            )
            server_id = made["servers"][0]["id"]
            assert (await send(session, "POST", f"/mcp-servers/{server_id}/test"))["ok"]
            connection = {"name": "m", "provider": "openai-compatible", "base_url": model.base_url}
            await send(session, "POST", "/models", {**connection, "model": "m"})
            checked = await send(session, "POST", "/teams/check", {"definition": team})
            assert checked == {"problems": []}
            run = await send(session, "POST", "/runs", {"team": team, "input": "How often?"})
            async with asyncio.timeout(60):
                while (run := await send(session, "GET", f"/runs/{run['run_id']}"))[
                    "status"
                ] not in ("finished", "failed"):
                    await asyncio.sleep(0.1)
            path = f"/runs/{run['run_id']}/events?kinds=tool.returned"
            events = (await send(session, "GET", path))["events"]
    assert run["answer"] == "It was called once.", run
    assert [event["payload"]["data"]["calls"] for event in events] == [1]
