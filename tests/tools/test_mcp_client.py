"""Tools of MCP servers, called as agents call them: official servers, and one that misbehaves."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from aworld.errors import ToolError
from aworld.tools import registry
from aworld.tools.base import ToolContext, ToolResult
from aworld.tools.failures import ToolTimeout
from aworld.tools.mcp import connection, connections
from aworld.tools.mcp.connections import connections as pool
from aworld.tools.mcp.failures import ConnectionFailed, ConnectionLost
from aworld.tools.mcp.listing import Listing
from aworld.tools.mcp.server_spec import ServerSpec, read_server
from aworld.tools.mcp.tool import McpTool, offered_tools
from aworld.tools.open_things import close_all
from tests.servers import Server, free_port
from tests.tools.mcp_hand_server import PIXEL
from tests.tools.mcp_programs import clock, everything, hand


@pytest.fixture(autouse=True)
async def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[None]:
    """Listings are remembered in a home of the test's own; nothing stays open after it."""
    monkeypatch.setenv("AWORLD_HOME", str(tmp_path / "home"))
    yield
    await pool.close_all()


async def tools_of(spec: ServerSpec) -> dict[str, McpTool]:
    """The tools on offer, without the server's part of the name."""
    listing = await (await pool.get(spec, "")).listing()
    offered = offered_tools(spec, listing)
    return {name.removeprefix(f"mcp__{spec.name}__"): tool for name, tool in offered.items()}


async def call(tool: McpTool, workspace: str = "", **arguments: object) -> ToolResult:
    """Call it as the gate does."""
    return await registry.call(tool, ToolContext(workspace=workspace), arguments)


async def test_an_official_server_over_stdio_offers_its_tools_and_answers() -> None:
    tools = await tools_of(clock())
    assert set(tools) == {"get_current_time", "convert_time"}
    assert tools["convert_time"].effect == "read_only"
    result = await call(
        tools["convert_time"],
        source_timezone="Asia/Tokyo",
        time="09:00",
        target_timezone="Asia/Shanghai",
    )
    assert json.loads(result.text)["target"]["datetime"].endswith("T08:00:00+08:00")


async def test_a_call_that_does_not_fit_the_servers_schema_is_answered_without_asking_it() -> None:
    tools = await tools_of(clock())
    with pytest.raises(ToolError, match="lack 'source_timezone'"):
        await call(tools["convert_time"])


async def test_the_official_reference_server_over_stdio_gives_every_kind_of_content() -> None:
    command, *arguments = everything("stdio")
    tools = await tools_of(read_server("all", {"command": command, "args": arguments}))
    assert (await call(tools["echo"], message="héllo 世界")).text == "Echo: héllo 世界"
    picture = (await call(tools["get-tiny-image"])).attachments[0]
    assert (picture.media_type, picture.data[:4]) == ("image/png", b"\x89PNG")
    weather = await call(tools["get-structured-content"], location="New York")
    assert set(weather.data) == {"temperature", "conditions", "humidity"}
    reference = await call(tools["get-resource-reference"], resourceType="Text", resourceId=1)
    assert "[resource demo://resource/dynamic/text/1]\nResource 1" in reference.text


async def test_the_official_reference_server_over_http_answers_and_may_be_started_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = free_port()
    monkeypatch.setenv("PORT", str(port))
    server = Server(everything("streamableHttp"), port, tmp_path)
    server.start()
    try:
        tools = await tools_of(read_server("all", {"url": f"http://127.0.0.1:{port}/mcp"}))
        total = await call(tools["get-sum"], a=2, b=3)
        assert "5" in total.text
        server.kill()
        server.start()
        # The server knows the session no more, so the call surely did not run: it is made again.
        assert (await call(tools["toggle-simulated-logging"])).text.startswith("Started")
    finally:
        server.kill()


async def test_an_address_where_nothing_listens_is_told_with_its_cure_and_not_hammered() -> None:
    spec = read_server("gone", {"url": f"http://127.0.0.1:{free_port()}/mcp?key=secret"})
    with pytest.raises(ConnectionFailed, match="'gone' .* it cannot be reached") as first:
        await tools_of(spec)
    assert "secret" not in str(first.value)
    with pytest.raises(ConnectionFailed, match=r"It is tried again in \d+ s"):
        await tools_of(spec)


async def test_a_command_that_is_not_there_is_named() -> None:
    with pytest.raises(ConnectionFailed, match="there is no command 'no-such-program'"):
        await tools_of(read_server("x", {"command": "no-such-program"}))


async def test_a_server_that_ends_at_once_is_told_of_with_what_it_wrote() -> None:
    entry = {"command": "sh", "args": ["-c", "echo licence missing >&2; exit 1"]}
    with pytest.raises(ConnectionFailed, match=r"it ended. It wrote:\nlicence missing"):
        await tools_of(read_server("x", entry))


async def test_a_server_that_says_nothing_is_given_up_and_ended() -> None:
    entry = {"command": "sh", "args": ["-c", "echo $$ >&2; cat >/dev/null"], "start_s": 0.5}
    with pytest.raises(ConnectionFailed, match=r"said nothing within 0.5 s. It wrote:\n(\d+)") as e:
        await tools_of(read_server("x", entry))
    with pytest.raises(ProcessLookupError):
        os.kill(int(str(e.value).split()[-1]), 0)


async def test_all_pages_of_a_listing_are_read_and_names_fit_model_apis(tmp_path: Path) -> None:
    tools = await tools_of(hand(tmp_path))
    assert list(tools) == [
        *(
            "count",
            "look",
            "die",
            "die_reading",
            "slow",
            "steps",
            "media",
            "fail",
            "grow",
            "half",
            "flood",
            "child",
        )
    ]
    assert tools["look"].effect == "read_only"
    assert tools["count"].effect == "unsafe"
    assert tools["die_reading"].description == "die.reading of hand"


async def test_a_tool_with_an_odd_schema_spoils_no_other(tmp_path: Path) -> None:
    spec = hand(tmp_path, "--bad")
    listing = await (await pool.get(spec, "")).listing()
    problems = {tool.name: tool.problem for tool in listing.tools if tool.problem}
    assert set(problems) == {"no_schema", "list_schema", "text_schema", "numbered"}
    tools = await tools_of(spec)
    assert {"count", "pattern", "hints", "output"} <= set(tools)
    assert tools["hints"].effect == "unsafe"
    assert (await call(tools["pattern"], a="any")).text == "done"
    assert (await call(tools["output"])).text == "done"


async def test_noise_of_a_server_on_both_outputs_harms_nothing(tmp_path: Path) -> None:
    assert (await call((await tools_of(hand(tmp_path, "--loud")))["count"])).text == "1"


async def test_pictures_and_files_become_attachments_and_broken_ones_a_note(
    tmp_path: Path,
) -> None:
    result = await call((await tools_of(hand(tmp_path)))["media"])
    assert [(a.name, a.media_type, a.data) for a in result.attachments] == [
        ("image-1.png", "image/png", base64.b64decode(PIXEL)),
        ("b c.csv", "text/csv", b"a,b"),
    ]
    assert result.text.splitlines() == [
        "Look:",
        "[image-1.png, image/png, 70 bytes, is attached]",
        "[audio-2.wav was left out: its base64 cannot be read]",
        "[b c.csv, text/csv, 3 bytes, is attached]",
        "[resource note://1]",
        "remember",
        "[resource note://2: second]",
    ]


async def test_what_a_tool_says_of_its_failure_reaches_the_model_as_it_stands(
    tmp_path: Path,
) -> None:
    tools = await tools_of(hand(tmp_path))
    with pytest.raises(ToolError, match="^the well is dry$"):
        await call(tools["fail"])


async def test_silence_ends_a_call_and_progress_puts_its_end_off(tmp_path: Path) -> None:
    tools = await tools_of(hand(tmp_path, timeout_s=0.4))
    assert (await call(tools["steps"])).text == "through"
    with pytest.raises(ToolTimeout, match="'hand' did not answer within 0.4 s"):
        await call(tools["slow"])


async def test_a_server_of_the_web_gets_none_of_our_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-ours")
    monkeypatch.setenv("ASKED_FOR", "given")
    spec = hand(tmp_path, env={"MARKS": "", "TOKEN": "${env:ASKED_FOR}"})
    seen = json.loads((await call((await tools_of(spec))["look"])).text)["environment"]
    assert seen["TOKEN"] == "given"
    assert "OPENAI_API_KEY" not in seen
    assert "AWORLD_HOME" not in seen


async def test_half_a_character_and_an_endless_message_end_no_other_call(tmp_path: Path) -> None:
    tools = await tools_of(hand(tmp_path))
    assert (await call(tools["half"])).text == "? half"
    with pytest.raises(ConnectionLost, match="It sent more than 64 MB in one message"):
        await call(tools["flood"])
    assert (await call(tools["count"])).text == "1"


async def test_what_a_server_started_ends_with_it(tmp_path: Path) -> None:
    child = int((await call((await tools_of(hand(tmp_path)))["child"])).text)
    os.kill(child, 0)
    await pool.close_all()
    async with asyncio.timeout(30):
        while Path(f"/proc/{child}").exists() and " Z " not in process_state(child):
            await asyncio.sleep(0.01)


def process_state(pid: int) -> str:
    """The line of `/proc` that tells whether it waits to be reaped; "" once it is gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except OSError:
        return ""


async def test_a_reading_call_is_repeated_after_a_crash_and_an_unsafe_one_is_not(
    tmp_path: Path,
) -> None:
    tools = await tools_of(hand(tmp_path))
    assert (await call(tools["die_reading"])).text.startswith("alive")
    with pytest.raises(ConnectionLost, match="out of cheese") as lost:
        await call(tools["die"])
    assert "Whether 'die' was carried out is not known" in str(lost.value)
    assert (await call(tools["die"])).text.startswith("alive")


async def test_a_server_that_was_killed_between_calls_is_started_again(tmp_path: Path) -> None:
    tools = await tools_of(hand(tmp_path))
    first = (await call(tools["count"])).data["pid"]
    os.kill(first, signal.SIGKILL)
    async with asyncio.timeout(30):
        while pool.count():
            await asyncio.sleep(0.01)
    # The call is an unsafe one: nothing was under way, so nothing can have been done twice.
    again = (await call(tools["count"])).data
    assert again["calls"] == 1
    assert again["pid"] != first


async def test_many_calls_at_once_share_one_server(tmp_path: Path) -> None:
    tools = await tools_of(hand(tmp_path))
    results = await asyncio.gather(*(call(tools["count"]) for _ in range(20)))
    assert len({result.data["pid"] for result in results}) == 1
    assert sorted(result.data["calls"] for result in results) == list(range(1, 21))


async def test_a_cancelled_call_leaves_the_connection_good(tmp_path: Path) -> None:
    tools = await tools_of(hand(tmp_path))
    pid = (await call(tools["count"])).data["pid"]
    under_way = asyncio.create_task(call(tools["steps"]))
    await asyncio.sleep(0.1)
    under_way.cancel()
    with pytest.raises(asyncio.CancelledError):
        await under_way
    assert (await call(tools["count"])).data["pid"] == pid


async def test_a_server_of_its_own_works_in_each_runs_folder_and_ends_with_it(
    tmp_path: Path,
) -> None:
    spec = hand(tmp_path, cwd="${workspace}")
    one, two = str(tmp_path / "one"), str(tmp_path / "two")
    listing = await (await pool.get(spec, one)).listing()
    tool = offered_tools(spec, listing)["mcp__hand__look"]
    assert json.loads((await call(tool, one)).text)["cwd"] == one
    assert json.loads((await call(tool, two)).text)["cwd"] == two
    assert pool.count() == 2
    await close_all(one)
    assert pool.count() == 1
    await close_all(two)
    assert pool.count() == 0


async def test_a_shared_server_stays_for_the_next_run_and_ends_when_none_comes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "IDLE_S", 0.05)
    tool = (await tools_of(hand(tmp_path)))["count"]
    await call(tool, "run 1")
    await asyncio.sleep(0.15)
    assert pool.count() == 1
    await close_all("run 1")
    async with asyncio.timeout(30):
        while pool.count():
            await asyncio.sleep(0.02)


async def test_a_server_that_offers_something_new_is_asked_again(tmp_path: Path) -> None:
    heard: list[Listing] = []
    spec = hand(tmp_path)
    held = connection.Connection(spec, "", heard.append)
    await held.listing()
    await held.call("grow", {}, repeatable=False)
    async with asyncio.timeout(30):
        while len(heard) < 2:
            await asyncio.sleep(0.01)
    assert {tool.name for tool in heard[1].tools} - {tool.name for tool in heard[0].tools} == {
        "new_tool"
    }
    await held.close()


def test_nothing_of_a_server_is_left_when_its_loop_ends(tmp_path: Path) -> None:
    async def once() -> int:
        tools = await tools_of(hand(tmp_path))
        pid: int = (await call(tools["count"])).data["pid"]
        return pid

    pid = asyncio.run(once())
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
