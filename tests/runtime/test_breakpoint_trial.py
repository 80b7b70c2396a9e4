"""What breakpoints would have done to the runs of the past."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from aworld.errors import ConfigurationError
from aworld.events.action import ToolCalled, ToolReturned
from aworld.events.control import BreakpointHit
from aworld.events.union import AnyPayload, Event
from aworld.runtime import breakpoint_trial
from aworld.runtime.breakpoint_trial import Place, try_on_history
from aworld.runtime.breakpoints import Breakpoint, Breakpoints, comes_from_a_draft
from aworld.runtime.recovery import read_log
from aworld.storage.base import RunFilter, RunRecord, Store
from aworld.storage.sqlite import SqliteStore
from tests.teams import PAIR, SOLVER, call, run_team, sqlite

DIVIDES = call("calculator", {"expression": "1/0"})
ADDS = call("calculator", {"expression": "1+1"})


class Counting(SqliteStore):
    """A store that counts what is read."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder / "runs.sqlite3", folder / "blobs")
        self.given = 0
        self.resolved = 0

    def read(self, run_id: str, *, after: int = -1, limit: int = 1000) -> list[Event]:
        found = super().read(run_id, after=after, limit=limit)
        self.given += len(found)
        return found

    def query(self, run_id: str, **where: Any) -> list[Event]:
        found = super().query(run_id, **where)
        self.given += len(found)
        return found

    def resolve(self, event: Event) -> AnyPayload:
        self.resolved += 1
        return super().resolve(event)


def log_of(store: Store, run_id: str, payloads: Sequence[AnyPayload]) -> None:
    """A run whose agent `solver` did just this."""
    store.create_run(RunRecord(run_id=run_id, team_name="t", team={}, input="?"))
    events = [Event(run_id, i, i + 1, "solver", payload) for i, payload in enumerate(payloads)]
    store.append(run_id, 0, events)


async def test_it_says_how_often_and_in_how_many_runs_it_would_have_stopped(
    tmp_path: Path,
) -> None:
    store = sqlite(tmp_path)
    clean, _ = await run_team(store, SOLVER, [ADDS, "Answer: 2"])
    once, _ = await run_team(store, SOLVER, [DIVIDES, "Answer: none"])
    twice, events = await run_team(store, SOLVER, [DIVIDES, DIVIDES, "Answer: none"])
    trial = try_on_history(store, [Breakpoint("b", kinds=("tool.failed",), agents=("solver",))])
    assert str(trial) == "would have stopped 3 times in 2 of 3 runs"
    assert [place.run_id for place in trial.places] == [twice.run_id, twice.run_id, once.run_id]
    failed = [event.seq for event in events if event.kind == "tool.failed"]
    assert [place.seq for place in trial.places[:2]] == failed
    assert trial.places[0] == Place(
        twice.run_id, failed[0], "b", "after tool.failed of solver", stop=True, before=False
    )
    assert clean.run_id not in {place.run_id for place in trial.places}


@pytest.mark.parametrize(
    "breakpoint",
    [
        Breakpoint("b", when="before", kinds=("tool.called",), from_hit=2),
        Breakpoint("b", condition='count(kind="tool.failed") >= 2'),
        Breakpoint("b", condition='text contains "1/0" or purpose == "answer"'),
        Breakpoint("b", stop_on="error"),
        Breakpoint("b", stop_on="loop", once=True),
        Breakpoint("b", agents=("verifier",), every=2),
        Breakpoint("b", when="before", condition="budget.steps_left < 58"),
        Breakpoint("b", log="{agent}: {duration_ms}"),
    ],
)
async def test_the_trial_tells_what_a_live_run_would_have_done(
    tmp_path: Path, breakpoint: Breakpoint
) -> None:
    store = sqlite(tmp_path)
    replies = [DIVIDES, DIVIDES, DIVIDES, "Answer: 2", ADDS, "VERIFIED: 1+1 is 2."]
    record, events = await run_team(store, PAIR, replies)
    live = Breakpoints([breakpoint])
    expected = []
    for event in events:
        if comes_from_a_draft(event) and live.before(event) is not None:
            expected.append((event.seq, True))
        live.feed(event)
        if live.after(event) is not None:
            expected.append((event.seq, False))
    assert expected
    trial = try_on_history(store, [breakpoint])
    assert [(place.seq, place.before) for place in trial.places] == expected
    assert (trial.notes if breakpoint.log else trial.stops) == len(expected)


async def test_the_filter_and_the_limit_choose_the_newest_runs_that_fit(tmp_path: Path) -> None:
    store = sqlite(tmp_path)
    for _ in range(3):
        await run_team(store, SOLVER, [DIVIDES, "Answer: none"])
    await run_team(store, PAIR, ["Answer: 1", "VERIFIED: yes."])
    fails = [Breakpoint("b", kinds=("tool.failed",))]
    trial = try_on_history(store, fails, RunFilter(teams=("solver",)), limit_runs=2)
    assert (trial.stops, trial.runs_looked_at, trial.runs_there) == (2, 2, 3)
    pair = try_on_history(store, fails, RunFilter(teams=("pair",)))
    assert str(pair) == "would not have stopped in any of 1 runs"


def test_more_runs_than_a_page_are_all_looked_at(tmp_path: Path) -> None:
    store = sqlite(tmp_path)
    for i in range(120):
        log_of(store, f"run-{i:03}", [ToolCalled("t", {})])
    trial = try_on_history(store, [Breakpoint("b")], limit_runs=110)
    assert (trial.stops, trial.runs_looked_at, trial.runs_there) == (110, 110, 120)
    assert len({place.run_id for place in trial.places}) == 110


def test_of_a_run_only_the_kinds_that_are_named_are_read(tmp_path: Path) -> None:
    store = Counting(tmp_path)
    pair: list[AnyPayload] = [ToolCalled("t", {}), ToolReturned("t", "x")]
    log_of(store, "run", [*pair * 50, ToolCalled("u", {})])
    named = Breakpoint("b", kinds=("tool.called",), condition='tool == "u"')
    assert try_on_history(store, [named]).stops == 1
    assert store.given == 51
    store.given = 0
    counted = Breakpoint("b", kinds=("tool.called",), condition="tool_calls == 51")
    assert try_on_history(store, [counted]).stops == 1
    assert store.given == 101


def test_a_large_payload_is_fetched_only_where_its_inside_is_asked_for(tmp_path: Path) -> None:
    store = Counting(tmp_path)
    log_of(store, "run", [ToolReturned("t", "x" * 30_000 + " needle"), ToolReturned("u", "short")])
    assert try_on_history(store, [Breakpoint("b", condition='tool == "t"')]).stops == 1
    assert store.resolved == 0
    assert try_on_history(store, [Breakpoint("b", condition='text contains "needle"')]).stops == 1
    assert store.resolved == 1


def test_a_log_longer_than_a_page_is_followed_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(breakpoint_trial, "_PAGE", 7)
    store = sqlite(tmp_path)
    log_of(store, "run", [ToolCalled("t", {"i": i}) for i in range(50)])
    kinds = ("tool.called",)
    assert try_on_history(store, [Breakpoint("b", kinds=kinds)]).stops == 50
    assert try_on_history(store, [Breakpoint("b", condition="tool_calls > 45")]).stops == 5


def test_stops_of_the_past_do_not_count_as_hits_of_the_trial(tmp_path: Path) -> None:
    store = sqlite(tmp_path)
    log_of(store, "run", [BreakpointHit("b", 0), ToolCalled("t", {}), ToolCalled("t", {})])
    trial = try_on_history(store, [Breakpoint("b", kinds=("tool.called",), once=True)])
    assert [place.seq for place in trial.places] == [1]


def test_two_breakpoints_at_one_place_are_one_stop(tmp_path: Path) -> None:
    store = sqlite(tmp_path)
    log_of(store, "run", [ToolCalled("t", {})])
    trial = try_on_history(store, [Breakpoint("a"), Breakpoint("b"), Breakpoint("c", log="note")])
    assert str(trial) == "would have stopped once in 1 of 1 runs, and left 1 note"
    assert [place.breakpoint_id for place in trial.places] == ["a", "b", "c"]


def test_a_fork_is_stopped_only_behind_what_it_shares_with_its_parent(tmp_path: Path) -> None:
    store = sqlite(tmp_path)
    log_of(store, "parent", [ToolCalled("t", {})] * 3)
    store.create_run(
        RunRecord(
            run_id="fork", team_name="t", team={}, input="?", parent_run_id="parent", parent_seq=1
        )
    )
    store.append("fork", 0, [Event("fork", 2, 9, "solver", ToolCalled("t", {}))])
    trial = try_on_history(store, [Breakpoint("b", condition="tool_calls >= 2")])
    assert [(place.run_id, place.seq) for place in trial.places] == [
        ("fork", 2),
        ("parent", 1),
        ("parent", 2),
    ]


def test_a_wish_to_stop_ends_the_trial_with_what_it_has(tmp_path: Path) -> None:
    store = sqlite(tmp_path)
    for i in range(5):
        log_of(store, f"run-{i}", [ToolCalled("t", {})])
    asked: list[None] = []

    def should_stop() -> bool:
        asked.append(None)
        return len(asked) > 3

    trial = try_on_history(store, [Breakpoint("b")], should_stop=should_stop)
    assert (trial.runs_looked_at, trial.runs_there) == (3, 5)


def test_places_past_the_limit_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(breakpoint_trial, "MAX_PLACES", 4)
    store = sqlite(tmp_path)
    for i in range(3):
        log_of(store, f"run-{i}", [ToolCalled("t", {})] * 3)
    trial = try_on_history(store, [Breakpoint("b")])
    assert (trial.stops, len(trial.places), trial.places_left_out) == (9, 4, 5)


async def test_a_breakpoint_that_is_off_reads_nothing_and_a_faulty_one_is_refused(
    tmp_path: Path,
) -> None:
    store = Counting(tmp_path)
    record, _ = await run_team(store, SOLVER, ["Answer: 2"])
    store.given = 0
    assert try_on_history(store, [Breakpoint("b", enabled=False)]).stops == 0
    assert store.given == 0
    assert read_log(store, record.run_id)
    with pytest.raises(ConfigurationError, match="there is no field"):
        try_on_history(store, [Breakpoint("b", condition="nothing == 1")])
