"""What people who mean harm, and large things, do to questions; forks; environments' actions."""

from __future__ import annotations

from pathlib import Path

import pytest

from aworld import hooks
from aworld.events.action import EnvironmentObserved, ToolCalled, ToolReturned
from aworld.events.control import GateDecided
from aworld.events.union import Event
from aworld.runtime import control
from aworld.runtime.catching_up import past_of
from aworld.runtime.fork import fork_run
from aworld.runtime.node import ENVIRONMENT
from tests.runtime.approving import Written, add, approval_of, calls
from tests.runtime.driven import Driven
from tests.teams import sqlite

ALWAYS = {"mode": "always"}


async def test_a_call_of_a_megabyte_is_asked_about_whole(tmp_path: Path) -> None:
    line = "x" * 1_000_000
    run = Written(sqlite(tmp_path), [calls(add(line)), "Done."], approval=ALWAYS)
    [asked] = await run.asked()
    assert approval_of(asked).arguments["line"] == line
    await run.driven.crash()
    [again] = await run.asked()
    assert again.seq == asked.seq
    run.answer(asked, "allow")
    await run.end()
    assert run.journal.lines == [f"add {line}"]
    assert run.replayed().identical


async def test_the_second_answer_to_a_question_changes_nothing(tmp_path: Path) -> None:
    run = Written(sqlite(tmp_path), [calls(add("a")), "Done."], approval=ALWAYS)
    [asked] = await run.asked()
    run.answer_later(asked, "deny")
    run.answer_later(asked, "allow")
    run.driven.bring()
    await run.end()
    assert run.journal.lines == []
    assert [p.answer for p in run.payloads("person.answered")] == ["deny"]


async def test_a_result_put_in_the_place_of_a_waiting_call_closes_its_question(
    tmp_path: Path,
) -> None:
    run = Written(sqlite(tmp_path), [calls(add("a")), "Done."], approval=ALWAYS)
    [asked] = await run.asked()
    call = approval_of(asked).call
    opened = next(event for event in run.log() if event.seq == call)
    control.substitute(
        run.driven.store,
        run.driven.run_id,
        call,
        {"kind": "tool.returned", "tool": "journal", "text": "Made up."},
        opened=opened,
        by="ann",
    )
    run.driven.bring()
    record = await run.end()
    assert (record.status, record.questions) == ("finished", 0)
    assert run.journal.lines == []
    assert run.replayed().identical


async def test_a_hook_that_asks_after_an_unsafe_call_does_not_have_it_done_again(
    tmp_path: Path,
) -> None:
    hooks.register(lambda _: hooks.ask("Show it?"), name="show", when=("after_tool",))
    try:
        run = Written(sqlite(tmp_path), [calls(add("a")), "Done."])
        await run.asked()
        await run.driven.crash()
        await run.end()
    finally:
        hooks.unregister("show")
    assert run.journal.lines == ["add a"]
    assert len(run.payloads("tool.outcome_unknown")) == 1


async def test_a_fork_asks_for_itself_and_takes_what_its_prefix_has_answered(
    tmp_path: Path,
) -> None:
    store = sqlite(tmp_path)
    run = Written(store, [calls(add("a")), calls(add("b")), "Done."], approval=ALWAYS)
    [first] = await run.asked()
    run.answer(first, "allow")
    [second] = await run.asked()
    run.answer(second, "deny")
    await run.end()
    at = next(e.seq for e in run.log() if e.kind == "person.asked" and e.seq > first.seq)
    fork = fork_run(store, run.driven.run_id, at, nodes=run.nodes())
    assert fork.questions == 1
    run.driven = Driven(store, fork, run.make_built)
    [again] = await run.asked()
    assert again.seq > at
    run.answer(again, "allow")
    record = await run.end()
    assert (record.status, record.questions) == ("finished", 0)
    assert run.journal.lines == ["add a", "add b"]
    assert run.replayed().identical


def test_a_world_that_is_brought_back_repeats_what_was_really_done() -> None:
    log = [
        Event("r", 0, 0, "environment", EnvironmentObserved({"text": ""})),
        Event("r", 1, 1, "w", ToolCalled("click", {"at": 1}), span=1, recipients=(ENVIRONMENT,)),
        Event("r", 2, 2, "supervisor", GateDecided(1, "person:ann", "change", changed={"at": 2})),
        Event("r", 3, 3, "w", ToolReturned("click", "ok"), span=1, recipients=(ENVIRONMENT,)),
    ]
    past = past_of(log)
    assert past is not None
    assert [done.called.arguments for done in past.actions] == [{"at": 2}]


async def test_a_run_that_waits_for_a_person_only_gives_its_worker_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Driven, "put_aside", True)
    asking = ("ask_person", {"question": "Red?"})
    tools = ("ask_person", "journal")
    run = Written(
        sqlite(tmp_path),
        [calls(asking, add("a")), "Done."],
        tools,
        approval=ALWAYS,
        park_after_s=0.2,
    )
    first, second = await run.asked(2)
    await run.driven.until(lambda record: record.status == "parked")
    await run.driven.task
    run.answer_later(second, "allow")
    assert run.driven.record.status == "queued"
    run.driven.begin(run.driven.claim())
    await run.driven.until(lambda _: run.journal.lines == ["add a"])
    await run.driven.until(lambda record: record.status == "parked")
    await run.driven.task
    run.answer_later(first, "yes")
    run.driven.begin(run.driven.claim())
    record = await run.end()
    assert (record.status, run.journal.lines) == ("finished", ["add a"])
    assert [e.seq for e in run.log() if e.kind == "person.asked"] == [first.seq, second.seq]
    assert run.replayed().identical


async def test_a_run_whose_question_has_a_time_out_keeps_its_worker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Driven, "put_aside", True)
    policy = {"mode": "always", "timeout_s": 1}
    run = Written(sqlite(tmp_path), [calls(add("a")), "Done."], approval=policy, park_after_s=0.1)
    record = await run.end()
    assert record.status == "finished"
    assert run.payloads("run.parked") == []
