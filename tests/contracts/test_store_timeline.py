"""What every store promises of the timeline: it shows what a slow count shows, at every level."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from aworld.events.model import LlmRequested, LlmResponded
from aworld.events.run import ErrorRaised
from aworld.storage.base import LEVELS
from tests.contracts.stores import Place, event, said
from tests.contracts.timelines import STEPS, Step, entries, events_of, expected

RUN_NUMBERS = itertools.count()


@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    steps=STEPS,
    block=st.integers(1, 25),
    level=st.integers(0, LEVELS),
    window=st.tuples(st.floats(0, 1), st.floats(0, 1)),
)
def test_any_window_of_any_run_shows_what_a_slow_count_shows(
    place: Place, steps: list[Step], block: int, level: int, window: tuple[float, float]
) -> None:
    run_id = place.run(f"r{next(RUN_NUMBERS)}")
    events = events_of(steps, run_id)
    for first in range(0, len(events), block):
        place.store.append(run_id, 0, events[first : first + block])
    length = events[-1].at - events[0].at
    start, end = (round(length * part) for part in sorted(window))
    assert entries(place.store.bars(run_id, level)) == expected(events, level, 0, 0)
    if end:
        found = entries(place.store.bars(run_id, level, start=start, end=end))
        assert found == expected(events, level, start, end)


@pytest.fixture
def long_run(place: Place) -> Place:
    """5,000 events in 5 s; one fault; one call that lasts from the 100th to the last."""
    place.run()
    events = [event("r", seq, payload) for seq, payload in enumerate(said(*map(str, range(5000))))]
    events[100] = event("r", 100, LlmRequested("m", (), "h"), "ben", span=100)
    events[2345] = event("r", 2345, ErrorRaised("bug"))
    events[4999] = event("r", 4999, LlmResponded("at last", input_tokens=9), "ben", span=100)
    for first in range(0, 5000, 700):
        place.store.append("r", 0, events[first : first + 700])
    return place


def test_an_error_is_seen_at_every_level(long_run: Place) -> None:
    for level in range(LEVELS + 1):
        bars = long_run.store.bars("r", level)
        wrong = [n for n, severity in enumerate(bars.severity) if severity == 2]
        assert [bars.severity_seq[n] for n in wrong] == [2345], level
        assert [bars.lanes[bars.lane[n]] for n in wrong] == ["ann"], level
        assert (sum(bars.count), sum(bars.tokens)) == (5000, 9), level


def test_a_long_call_is_seen_in_a_window_in_its_middle(long_run: Place) -> None:
    for level in range(LEVELS + 1):
        bars = long_run.store.bars("r", level, start=3_000_000, end=3_001_000)
        (call,) = [n for n, lane in enumerate(bars.lane) if bars.lanes[lane] == "ben"]
        assert (bars.longest_seq[call], bars.end[call]) == (100, 4_999_000), level
        assert bars.start[call] <= 100_000, level


def test_more_than_the_limit_is_drawn_coarser_and_not_cut(long_run: Place) -> None:
    bars = long_run.store.bars("r", 0, limit=500)
    assert bars.level > 0 and len(bars.start) <= 500
    assert sum(bars.count) == 5000
    assert max(bars.severity) == 2


def test_a_run_without_events_has_no_bars(place: Place) -> None:
    place.run()
    for level in (0, 3):
        bars = place.store.bars("r", level)
        assert (bars.lanes, bars.start, bars.level) == ([], [], level)


def test_lanes_are_listed_by_first_appearance_whatever_the_window(long_run: Place) -> None:
    assert long_run.store.bars("r", 0, start=10, end=11).lanes == ["ann", "ben"]
