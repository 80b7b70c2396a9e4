"""A run is held, looked at and mended in the terminal."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from aworld.command_line import debug
from aworld.command_line.debug import debug_team
from aworld.errors import ConfigurationError
from aworld.llm.base import ModelRequest
from aworld.llm.scripted import ScriptedModel
from aworld.runtime.armed_breakpoint import Breakpoint, describe
from aworld.runtime.breakpoint_text import read_breakpoint
from aworld.runtime.heartbeat import Heartbeat
from aworld.runtime.recovery import read_log
from aworld.runtime.replay import replay
from aworld.storage.base import RunRecord
from aworld.storage.sqlite import SqliteStore
from tests.teams import SOLVER, call, nodes, sqlite

ON_RESULT = "after tool.returned"


def honest(request: ModelRequest) -> Any:
    """Calls the calculator wrongly, then repeats what it says."""
    last = request.messages[-1]
    if last.role == "tool":
        return f"Answer: {last.content}"
    return call("calculator", {"expression": "2+2+1"})


async def debugged(
    folder: Path,
    commands: Sequence[str],
    breaks: Sequence[str] = (ON_RESULT,),
    *,
    as_json: bool = False,
    at_end: str = "continue",
) -> tuple[SqliteStore, RunRecord]:
    """A whole session with these commands."""
    store = sqlite(folder)
    team = folder / "team.json"
    team.write_text(json.dumps(SOLVER), encoding="utf-8")
    lines = iter(commands)

    async def read_line() -> str | None:
        return next(lines, None)

    arguments = argparse.Namespace(
        team=str(team), question="How much is 2+2?", breaks=list(breaks), json=as_json
    )
    model = ScriptedModel([honest], repeat_last=True)
    heartbeat = Heartbeat(store)
    heartbeat.start()
    try:
        record = await debug_team(
            store, arguments, lambda name: model, heartbeat, read_line=read_line, at_end=at_end
        )
    finally:
        heartbeat.stop()
    return store, record


def logged(store: SqliteStore, record: RunRecord) -> list[str]:
    return [event.kind for event in read_log(store, record.run_id)]


async def test_a_bad_result_is_edited_and_the_run_succeeds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store, record = await debugged(tmp_path, ['edit 8 {"text": "4"}', "continue"])

    assert record.answer == "Answer: 4"
    said = capsys.readouterr().out
    assert "paused at step 10: after tool.returned" in said
    assert "next: solver → " in said
    assert "solver: ready, 4 messages" in said
    assert f"Run {record.run_id} finished: Answer: 4" in said
    assert replay(record.run_id, read_log(store, record.run_id), nodes(SOLVER)).identical


async def test_steps_states_and_lists_are_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    await debugged(
        tmp_path, ["list 3", "state solver at 8", "state at 5", "help", "step", "step 2"]
    )

    said = capsys.readouterr().out

    assert "tool      5" in said
    assert '*phase = "ready"' in said
    assert "waits for scripted" in said
    assert said.count("Run 0") >= 3
    assert "run-to SEQ" in said


async def test_what_comes_next_is_answered_and_further_breakpoints_hold(tmp_path: Path) -> None:
    store, record = await debugged(
        tmp_path,
        ["answer 42", "break after tool.called", "continue", "continue"],
        ["before tool.called with calculator"],
    )

    assert record.answer == "Answer: 42"
    assert logged(store, record).count("tool.called") == 1


async def test_a_fork_is_debugged_in_the_place_of_its_parent(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store, record = await debugged(tmp_path, ['fork 8 8={"text": "4"}', "continue"])

    assert (record.source, record.answer, record.parent_seq) == ("fork", "Answer: 4", 8)
    assert store.get_run(record.parent_run_id).status == "cancelled"


async def test_run_to_holds_at_the_step(tmp_path: Path) -> None:
    store, record = await debugged(tmp_path, ["run-to 9", "continue"], ["after llm.requested once"])

    assert record.status == "finished"
    assert logged(store, record).count("breakpoint.hit") == 2


async def test_quitting_ends_the_run(tmp_path: Path) -> None:
    store, record = await debugged(tmp_path, ["quit"])

    assert record.status == "cancelled"
    assert logged(store, record)[-1] == "run.cancelled"


async def test_commands_that_do_not_fit_are_told_and_the_run_stays_held(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    commands = [
        "dance",
        "edit 8 nonsense",
        "edit 0 {}",
        "run-to 1",
        "step many",
        "break sometimes",
        "state at 999",
        "fork 999",
        "",
        "# a remark",
    ]
    _, record = await debugged(tmp_path, commands, as_json=True)

    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    errors = [line["error"] for line in lines if set(line) == {"error"}]
    assert len(errors) == 8
    assert "'dance'" in errors[0]
    assert lines[0]["stopped"]["held"]["payload"]["kind"] == "llm.requested"
    assert lines[-1]["answer"] == record.answer == "Answer: 5"


def test_a_file_of_commands_that_is_not_there_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ConfigurationError, match="cannot be read"):
        debug._commands(str(tmp_path / "gone.txt"))


@pytest.mark.parametrize(
    "text",
    [
        "after tool.returned",
        "before tool.called of solver with calculator",
        "after llm.responded or llm.failed of solver or verifier",
        'after tool.* if text contains "error"',
        "after any event if errors > 2",
        "after error",
        "before tool.called with a or b if repeats > 1",
    ],
)
def test_a_line_is_read_as_it_is_described(text: str) -> None:
    assert describe(read_breakpoint(text, "b")) == text


def test_a_line_may_say_once_and_a_condition() -> None:
    assert read_breakpoint('after loop of solver once if text contains "if x"', "b") == Breakpoint(
        "b", agents=("solver",), once=True, stop_on="loop", condition='text contains "if x"'
    )


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("tool.returned", "before|after KIND"),
        ("after", "ends too soon"),
        ("after tool.failed of", "ends too soon"),
        ("after tool.failed by solver", "from 'by' on"),
        ("after tool.failed if text ~", "not known here"),
    ],
)
def test_a_line_that_cannot_be_read_says_why(text: str, says: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        read_breakpoint(text, "b")
    assert says in str(caught.value)
