"""`ask_person`: in a run, in its replay, in a fork, and where there is nobody."""

from __future__ import annotations

from pathlib import Path

import pytest

from aworld.errors import ToolError
from aworld.tools import registry
from aworld.tools.base import ToolContext
from tests.runtime.approving import Written, add, calls
from tests.teams import sqlite

TOOLS = ("ask_person", "journal")


async def test_an_agent_asks_and_reads_the_answer(tmp_path: Path) -> None:
    given = {"question": "Red or blue?", "choices": ["red", "blue"]}
    run = Written(sqlite(tmp_path), [calls(("ask_person", given), add("a")), "Done."], TOOLS)
    [asked] = await run.asked()
    assert asked.payload.agent == "writer"  # type: ignore[union-attr]
    assert asked.payload.choices == ("red", "blue")  # type: ignore[union-attr]
    await run.driven.until(lambda _: run.journal.lines == ["add a"])
    run.answer(asked, "blue")
    await run.end()
    told = {p.tool: p.text for p in run.payloads("tool.returned")}
    assert told == {"ask_person": "blue", "journal": "Wrote a."}
    assert run.replayed().identical


async def test_after_the_time_out_the_default_holds(tmp_path: Path) -> None:
    given = {"question": "Red?", "default": "yes", "timeout_s": 1}
    run = Written(sqlite(tmp_path), [calls(("ask_person", given)), "Done."], TOOLS)
    await run.end()
    [returned] = run.payloads("tool.returned")
    assert returned.text == "Nobody answered within 1 s, so the default holds: yes"
    assert returned.data == {"answer": "yes", "by": "", "timed_out": True}


async def test_a_question_outlives_its_worker(tmp_path: Path) -> None:
    asking = calls(("ask_person", {"question": "Red?"}))
    run = Written(sqlite(tmp_path), [asking, "Done."], TOOLS)
    [asked] = await run.asked()
    await run.driven.crash()
    run.answer(asked, "yes")
    record = await run.end()
    assert record.status == "finished"
    assert [e.seq for e in run.log() if e.kind == "person.asked"] == [asked.seq]
    assert run.replayed().identical


async def test_outside_a_run_nobody_can_be_asked() -> None:
    with pytest.raises(ToolError, match="Nobody can be asked here"):
        await registry.call("ask_person", ToolContext(), {"question": "Red?"})
