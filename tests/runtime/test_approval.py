"""Calls that wait for a person: what is asked, what an answer does, and what the log keeps."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from aworld.errors import AWorldError
from aworld.events.action import ToolFailed
from aworld.events.control import GateDecided
from aworld.runtime import control
from tests.runtime.approving import Written, add, approval_of, calls
from tests.teams import sqlite

ALWAYS = {"mode": "always"}


async def test_a_call_waits_until_a_person_allows_it(tmp_path: Path) -> None:
    run = Written(sqlite(tmp_path), [calls(add("a")), "Done."], approval=ALWAYS)
    [asked] = await run.asked()
    assert run.journal.lines == []
    assert approval_of(asked).tool == "journal"
    assert approval_of(asked).arguments == {"action": "add", "line": "a"}
    run.answer(asked, "allow")
    record = await run.end()
    assert (record.status, record.answer) == ("finished", "Done.")
    assert run.journal.lines == ["add a"]
    assert run.replayed().identical


async def test_a_refused_call_is_told_with_its_reason_and_does_nothing(tmp_path: Path) -> None:
    run = Written(sqlite(tmp_path), [calls(add("a")), "Done."], approval=ALWAYS)
    [asked] = await run.asked()
    run.answer(asked, "deny: Not today.")
    await run.end()
    assert run.journal.lines == []
    error = "A person did not allow this call of 'journal': Not today."
    assert run.payloads("tool.failed") == [ToolFailed("journal", error, "call_0", "refused")]
    call = approval_of(asked).call
    assert run.payloads("gate.decided") == [
        GateDecided(call, "person:ann", "deny", reason="Not today.")
    ]
    assert run.replayed().identical


async def test_a_person_may_change_the_arguments(tmp_path: Path) -> None:
    run = Written(sqlite(tmp_path), [calls(add("a")), "Done."], approval=ALWAYS)
    [asked] = await run.asked()
    run.answer(asked, 'allow with {"action": "add", "line": "b"}')
    await run.end()
    assert run.journal.lines == ["add b"]
    assert run.payloads("gate.decided") == [
        GateDecided(
            approval_of(asked).call,
            "person:ann",
            "change",
            changed={"action": "add", "line": "b"},
        )
    ]
    assert run.replayed().identical


async def test_changed_arguments_that_do_not_fit_are_asked_for_again(tmp_path: Path) -> None:
    run = Written(sqlite(tmp_path), [calls(add("a")), "Done."], approval=ALWAYS)
    [asked] = await run.asked()
    run.answer(asked, 'allow with {"action": "burn", "line": "b"}')
    [again] = await run.asked()
    assert "does not fit" in again.payload.question  # type: ignore[union-attr]
    run.answer(again, "allow")
    await run.end()
    assert run.journal.lines == ["add a"]


async def test_allowed_always_holds_for_the_rest_of_the_run_only_for_its_rule(
    tmp_path: Path,
) -> None:
    drop = ("journal", {"action": "drop", "line": "x"})
    replies = [calls(add("a")), calls(add("b")), calls(drop), "Done."]
    policy = {"mode": "pattern", "patterns": ["journal(add *)", "journal(drop *)"]}
    run = Written(sqlite(tmp_path), replies, approval=policy)
    [asked] = await run.asked()
    assert approval_of(asked).rules == ("journal(add *)",)
    run.answer(asked, "allow always")
    [other] = await run.asked()
    assert run.journal.lines == ["add a", "add b"]
    assert approval_of(other).rules == ("journal(drop *)",)
    run.answer(other, "deny")
    await run.end()
    assert run.journal.lines == ["add a", "add b"]
    assert run.replayed().identical


async def test_two_questions_wait_at_once_while_another_call_goes_on(tmp_path: Path) -> None:
    look = ("look", {"at": "the door"})
    run = Written(sqlite(tmp_path), [calls(add("a"), look, add("b")), "Done."], approval=ALWAYS)
    first, second = await run.asked(2)
    await run.driven.until(lambda _: bool(run.payloads("tool.returned")))
    assert run.payloads("tool.returned")[0].text == "Saw the door."
    run.answer(second, "allow")
    await run.driven.until(lambda _: run.journal.lines == ["add b"])
    run.answer(first, "allow")
    await run.end()
    assert run.journal.lines == ["add b", "add a"]
    assert run.replayed().identical


async def test_allowing_always_lets_what_waits_by_the_same_rule_go_on(tmp_path: Path) -> None:
    run = Written(sqlite(tmp_path), [calls(add("a"), add("b")), "Done."], approval=ALWAYS)
    first, _ = await run.asked(2)
    run.answer(first, "allow always")
    await run.end()
    assert sorted(run.journal.lines) == ["add a", "add b"]
    assert [p.by for p in run.payloads("person.answered")] == ["ann", "ann"]


async def test_nobody_answers_in_time_so_the_call_is_refused(tmp_path: Path) -> None:
    policy = {"mode": "always", "timeout_s": 0.05}
    run = Written(sqlite(tmp_path), [calls(add("a")), "Done."], approval=policy)
    await run.end()
    assert run.journal.lines == []
    [failed] = run.payloads("tool.failed")
    assert failed.error.endswith("Nobody allowed it within 0.05 s.")
    assert [p.by for p in run.payloads("gate.decided")] == ["approval"]


@pytest.mark.parametrize("after_answer", [False, True])
async def test_a_worker_dies_while_a_question_waits_and_the_call_happens_once(
    tmp_path: Path, after_answer: bool
) -> None:
    run = Written(sqlite(tmp_path), [calls(add("a")), "Done."], approval=ALWAYS)
    [asked] = await run.asked()
    if after_answer:
        # The answer lies in the queue when the next worker takes the run up.
        await run.driven.die()
        run.answer_later(asked, "allow")
        run.driven.begin(run.driven.claim())
    else:
        await run.driven.crash()
        [again] = await run.asked()
        assert again.seq == asked.seq
        run.answer_later(asked, "allow")
    run.driven.bring()
    record = await run.end()
    assert record.status == "finished"
    assert run.journal.lines == ["add a"]
    assert run.payloads("tool.outcome_unknown") == []
    assert run.replayed().identical


async def test_what_was_allowed_always_is_so_for_the_next_worker(tmp_path: Path) -> None:
    drop = ("journal", {"action": "drop", "line": "x"})
    policy = {"mode": "pattern", "patterns": ["journal(add *)", "journal(drop *)"]}
    replies = [calls(add("a")), calls(drop), calls(add("b")), "Done."]
    run = Written(sqlite(tmp_path), replies, approval=policy)
    [asked] = await run.asked()
    run.answer(asked, "allow always")
    await run.asked()
    await run.driven.crash()
    [other] = await run.asked()
    run.answer(other, "deny")
    await run.end()
    assert run.journal.lines == ["add a", "add b"]


async def test_an_answer_that_neither_allows_nor_denies_is_refused_with_the_words_there_are(
    tmp_path: Path,
) -> None:
    run = Written(sqlite(tmp_path), [calls(add("a")), "Done."], approval=ALWAYS)
    [asked] = await run.asked()
    for text in ("maybe", "allow with 5", "allow with {", 'allow with {"a": 1e999}'):
        with pytest.raises(AWorldError, match="allow"):
            run.answer(asked, text)
    run.answer(asked, "no")
    await run.end()


async def test_a_read_only_tool_waits_only_where_a_pattern_names_it(tmp_path: Path) -> None:
    look: tuple[str, dict[str, Any]] = ("look", {"at": "the door"})
    policy = {"mode": "always", "patterns": ["look(the vault*)"]}
    vault: tuple[str, dict[str, Any]] = ("look", {"at": "the  Vault, left"})
    run = Written(sqlite(tmp_path), [calls(look), calls(vault), "Done."], approval=policy)
    [asked] = await run.asked()
    assert approval_of(asked).arguments == vault[1]
    run.answer(asked, "allow")
    await run.end()


async def test_a_call_that_does_not_fit_bothers_nobody(tmp_path: Path) -> None:
    bad = ("journal", {"action": "burn", "line": "x"})
    run = Written(sqlite(tmp_path), [calls(bad), "Done."], approval=ALWAYS)
    await run.end()
    assert run.payloads("person.asked") == []
    assert [p.reason for p in run.payloads("tool.failed")] == ["malformed_call"]


async def test_cancelling_a_run_closes_its_questions(tmp_path: Path) -> None:
    run = Written(sqlite(tmp_path), [calls(add("a")), "Done."], approval=ALWAYS)
    await run.asked()
    control.cancel(run.driven.store, run.driven.run_id, by="ann")
    run.driven.bring()
    record = await run.end()
    assert record.status == "cancelled"
    assert run.waiting() == []
    assert run.journal.lines == []


async def test_a_runs_row_says_how_many_questions_wait(tmp_path: Path) -> None:
    run = Written(sqlite(tmp_path), [calls(add("a"), add("b")), "Done."], approval=ALWAYS)
    first, second = await run.asked(2)
    assert run.driven.record.questions == 2
    run.answer(first, "deny")
    await run.driven.until(lambda record: record.questions == 1)
    run.answer(second, "allow")
    assert (await run.end()).questions == 0


async def test_the_runs_clock_stands_while_all_it_does_is_wait_for_a_person(
    tmp_path: Path,
) -> None:
    run = Written(
        sqlite(tmp_path), [calls(add("a")), "Done."], approval=ALWAYS, limits={"seconds": 1.5}
    )
    [asked] = await run.asked()
    before = run.driven.supervisor.running_s()
    await asyncio.sleep(2)
    assert run.driven.supervisor.running_s() == before
    run.answer(asked, "allow")
    record = await run.end()
    assert (record.status, run.journal.lines) == ("finished", ["add a"])
