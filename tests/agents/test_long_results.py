"""A long result in a run: its first page, then the others, also for another process and a fork."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from aworld.agents.nodes import recorded_nodes
from aworld.events.action import ToolCalled, ToolReturned
from aworld.llm.base import ModelRequest
from aworld.runtime.recorded_files import recorded_file
from aworld.runtime.replay import replay
from aworld.tools import pages
from aworld.tools.base import BaseTool, ToolContext
from tests.teams import call, run_team, sqlite

TEXT = "".join(f"row {number}\n" for number in range(8000))


class LongList(BaseTool, register=False):
    """Gives many rows."""

    name = "long_list"
    effect = "read_only"

    def get_schema(self) -> dict[str, Any]:
        return {"type": "object", "properties": {}}

    def run(self) -> str:
        return TEXT


TEAM: dict[str, Any] = {
    "name": "reader",
    "topology": "single",
    "agents": [{"name": "reader", "model": "m", "tools": ["long_list"]}],
}


async def test_the_model_reads_on_by_the_reference_and_the_run_replays_identical(
    tmp_path: Path,
) -> None:
    offered: list[list[str]] = []
    pages_read = 0

    def reply(request: ModelRequest) -> Any:
        nonlocal pages_read
        offered.append([tool.name for tool in request.tools])
        last = request.messages[-1].content
        if "page" not in last:
            return call("long_list", {})
        pages_read += 1
        if "; the next one" not in last:
            return f"Answer: {last.splitlines()[-2]}"
        reference = last.rpartition("[")[2].split()[0]
        arguments = {"reference": reference, "page": pages_read + 1}
        return call("read_result", arguments)

    store = sqlite(tmp_path)
    tools = {"long_list": LongList()}
    record, events = await run_team(store, TEAM, [reply] * 9, "Last row?", tools=tools)
    assert (record.status, record.answer) == ("finished", "Answer: row 7999")
    assert offered == [["long_list"], *[["long_list", "read_result"]] * 4]
    called = [event.payload for event in events if isinstance(event.payload, ToolCalled)]
    assert [(one.tool, one.effect) for one in called] == [
        ("long_list", "read_only"),
        *[("read_result", "read_only")] * 3,
    ]
    found = replay(record.run_id, events, recorded_nodes(store, record))
    assert found.identical, str(found)
    store.close()


async def test_another_process_reads_on_from_the_log(tmp_path: Path) -> None:
    store = sqlite(tmp_path)
    tools = {"long_list": LongList()}
    replies = [call("long_list", {}), "Answer: done"]
    record, events = await run_team(store, TEAM, replies, "?", tools=tools)
    (returned,) = [e.payload for e in events if isinstance(e.payload, ToolReturned)]
    name = returned.attachments[0]["name"]
    pages._remembered.clear()

    async def read(name: str) -> bytes | None:
        return await recorded_file(store, record.run_id, name)

    context = ToolContext(run_id=record.run_id, recorded_file=read)
    whole = await pages.whole_text(context, name.removeprefix("result-").removesuffix(".txt"))
    assert whole == TEXT
    assert await recorded_file(store, record.run_id, "no.txt") is None
    store.close()
