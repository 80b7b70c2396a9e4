"""Our tools and runs, called by the official client over both transports."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from mcp import Client, MCPError, StdioServerParameters

from aworld import BaseTool, ToolContext
from aworld.events.conversation import MessageSent
from aworld.storage.sqlite import SqliteStore
from aworld.tools.base import Attachment, ToolResult
from aworld.tools.mcp.run_tools import MOST_CHARACTERS, run_tools
from aworld.tools.mcp_server import ToolServer, make_server
from tests.teams import sqlite
from tests.web.recorded import append, finished_run, queued_run


class Chart(BaseTool, register=False):
    """Draw nothing."""

    name = "chart"

    def get_schema(self) -> dict[str, object]:
        return {"type": "object", "properties": {}, "additionalProperties": False}

    async def run(self, context: ToolContext) -> ToolResult:
        return ToolResult(
            "drawn",
            data={"bars": 2},
            attachments=(
                Attachment("a.png", "image/png", b"\x89PNG"),
                Attachment("b c.bin", "application/x-thing", b"\0\1"),
            ),
        )


@asynccontextmanager
async def beside(tools: dict[str, BaseTool], folder: str = "") -> AsyncIterator[Client]:
    """The official client, connected with the tools in this very process."""
    server = make_server(ToolServer(lambda: tools, folder), name="here", instructions="")
    async with Client(server) as client:
        yield client


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    """A data folder with one recorded run."""
    store = SqliteStore(tmp_path / "runs.sqlite3", tmp_path / "blobs")
    finished_run(store)
    store.close()
    yield tmp_path


def program(home: Path, *arguments: str) -> StdioServerParameters:
    """`aworld mcp` with that data folder."""
    return StdioServerParameters(
        command=sys.executable,
        args=["-m", "aworld.command_line.main", "mcp", *arguments],
        env={"AWORLD_HOME": str(home)},
        cwd=home,
    )


@asynccontextmanager
async def listening(home: Path, *arguments: str) -> AsyncIterator[str]:
    """`aworld mcp --http` on a free port; its address."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "aworld.command_line.main", "mcp", "--http", "127.0.0.1:0", *arguments),
        env={**os.environ, "AWORLD_HOME": str(home)},
        stderr=subprocess.PIPE,
    )
    assert process.stderr is not None
    try:
        async with asyncio.timeout(30):
            line = (await process.stderr.readline()).decode()
        assert line.startswith("MCP server at http://127.0.0.1:"), line
        yield line.split()[-1]
    finally:
        process.send_signal(signal.SIGINT)
        async with asyncio.timeout(20):
            await process.communicate()
    assert process.returncode == 130


async def test_the_official_client_lists_and_calls_our_tools_over_stdio(tmp_path: Path) -> None:
    folder = tmp_path / "work"
    parameters = program(tmp_path, "--tools", "calculator,files", "--workspace", str(folder))
    async with Client(parameters) as client:
        listed = {tool.name: tool for tool in (await client.list_tools()).tools}
        answer = await client.call_tool("calculator", {"expression": "23*47"})
        wrong = await client.call_tool("calculator", {"sum": 1})
        await client.call_tool("files", {"action": "write", "path": "a.txt", "text": "hello"})
        with pytest.raises(MCPError, match="There is no tool 'shell'"):
            await client.call_tool("shell", {"command": "id"})
    assert set(listed) == {"calculator", "files"}
    hints = listed["calculator"].annotations
    assert hints is not None
    assert hints.read_only_hint is True
    assert (answer.content[0].text, answer.is_error) == ("1081", False)  # type: ignore[union-attr]
    assert answer.structured_content == {"value": 1081, "exact": "1081"}
    assert wrong.is_error
    assert "did you mean 'expression'" in wrong.content[0].text  # type: ignore[union-attr]
    assert (folder / "a.txt").read_text(encoding="utf-8") == "hello"


async def test_the_official_client_calls_our_tools_over_http_also_in_the_older_protocol(
    tmp_path: Path,
) -> None:
    async with listening(tmp_path, "--tools", "calculator") as address:
        for mode in ("auto", "legacy"):
            async with Client(address, mode=mode) as client:
                results = await asyncio.gather(
                    *(client.call_tool("calculator", {"expression": f"{n}*2"}) for n in range(8))
                )
            texts = [result.content[0].text for result in results]  # type: ignore[union-attr]
            assert texts == [str(n * 2) for n in range(8)]
        await refused_elsewhere(address)


async def refused_elsewhere(address: str) -> None:
    """A page that made its own name lead here, and a page of another site, get nothing."""
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    async with aiohttp.ClientSession() as session:
        for headers, status in (
            ({"Host": "rebound.example"}, 421),
            ({"Origin": "http://other.example"}, 403),
        ):
            async with session.post(address, json=message, headers=headers) as response:
                assert response.status == status


async def test_a_server_without_a_log_in_listens_on_the_loopback_only(tmp_path: Path) -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "aworld.command_line.main", "mcp", "--http", "0.0.0.0:0"),
        env={**os.environ, "AWORLD_HOME": str(tmp_path)},
        stderr=subprocess.PIPE,
    )
    _, said = await process.communicate()
    assert process.returncode == 1
    assert b"cannot listen at '0.0.0.0', where others reach it" in said


async def test_the_documented_tool_is_offered_as_soon_as_its_file_is_there(tmp_path: Path) -> None:
    text = (Path(__file__).parents[2] / "docs" / "tools.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    (code,) = [block for block in blocks if "class Stock" in block]
    async with Client(program(tmp_path)) as client:
        before = {tool.name for tool in (await client.list_tools()).tools}
        (tmp_path / "tools").mkdir()
        (tmp_path / "tools" / "stock.py").write_text(code, encoding="utf-8")
        after = {tool.name: tool for tool in (await client.list_tools()).tools}
        counted = await client.call_tool("stock", {"article": "bolt"})
        nothing = await client.call_tool("stock", {"article": "screw"})
    assert set(after) - before == {"stock"}
    assert after["stock"].annotations.read_only_hint is True  # type: ignore[union-attr]
    assert counted.structured_content == {"article": "bolt", "count": 120}
    assert nothing.is_error
    assert nothing.content[0].text == "There is no 'screw'. Articles: bolt, nut."  # type: ignore[union-attr]


async def test_pictures_files_and_data_of_a_result_reach_the_client() -> None:
    async with beside({"chart": Chart()}) as client:
        result = await client.call_tool("chart", {})
    text, picture, file = result.content
    assert text.text == "drawn"  # type: ignore[union-attr]
    assert base64.b64decode(picture.data) == b"\x89PNG"  # type: ignore[union-attr]
    assert file.resource.uri == "attachment:///b%20c.bin"  # type: ignore[union-attr]
    assert result.structured_content == {"bars": 2}


async def test_the_runs_of_a_data_folder_are_listed_read_and_searched(home: Path) -> None:
    async with Client(program(home, "--runs")) as client:

        async def ask(tool: str, **arguments: object) -> Any:
            result = await client.call_tool(tool, arguments)
            assert not result.is_error, result.content
            assert json.loads(result.content[0].text) == result.structured_content  # type: ignore[union-attr]
            return result.structured_content

        listed = {tool.name: tool for tool in (await client.list_tools()).tools}
        runs = await ask("list_runs", status="finished")
        run_id = runs["runs"][0]["run_id"]
        run = await ask("read_run", run_id=run_id)
        first = await ask("read_events", run_id=run_id, limit=3)
        rest = await ask("read_events", run_id=run_id, after=first["next_after"], limit=500)
        one = await ask("read_event", run_id=run_id, seq=0)
        hits = await ask("search_events", text="How much")
        missing = await client.call_tool("read_run", {"run_id": "nope"})
    assert all(tool.annotations.read_only_hint for tool in listed.values())  # type: ignore[union-attr]
    assert runs["total"] == 1
    assert run["status"] == "finished"
    events = [*first["events"], *rest["events"]]
    assert [event["seq"] for event in events] == list(range(run["last_seq"] + 1))
    assert rest["next_after"] is None
    assert one["event"] == events[0]
    assert {hit["run_id"] for hit in hits["hits"]} == {run_id}
    assert missing.is_error


async def test_a_page_of_events_stays_small_and_the_next_one_goes_on(tmp_path: Path) -> None:
    store = sqlite(tmp_path)
    run = queued_run(store)
    for n in range(60):
        append(store, run.run_id, ("solver", MessageSent(content=str(n) * 1_500), {}))
    tools = run_tools(lambda: store, lambda run_id: "")
    seqs: list[int] = []
    after: int | None = -1
    async with beside(tools) as client:
        while after is not None:
            arguments = {"run_id": run.run_id, "after": after}
            result = await client.call_tool("read_events", arguments)
            assert len(result.content[0].text) < MOST_CHARACTERS + 5_000  # type: ignore[union-attr]
            seqs += [event["seq"] for event in result.structured_content["events"]]
            after = result.structured_content["next_after"]
    assert seqs == list(range(store.get_run(run.run_id).last_seq + 1))
    store.close()
