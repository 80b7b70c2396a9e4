"""What every store promises of forks: the parent's prefix is theirs, and stays as long as they."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from aworld.errors import NotFound, StoreError
from aworld.events.conversation import MessageSent
from aworld.storage.base import LEVELS, RunFilter
from tests.contracts.stores import Place, event, said, small_run
from tests.contracts.timelines import STEPS, Step, entries, events_of, expected

RUN_NUMBERS = itertools.count()


@pytest.fixture
def family(place: Place) -> Place:
    """A run of eight events, forked at seq 4, with two of the fork's own; forked again at 5."""
    place.run("parent")
    place.store.append("parent", 0, small_run("parent"))
    place.run("fork", parent_run_id="parent", parent_seq=4)
    place.log("fork", *said("other way", "done"))
    place.run("grandchild", parent_run_id="fork", parent_seq=5)
    place.log("grandchild", *said("third way"))
    return place


def texts(place: Place, run_id: str) -> list[str]:
    """Messages among a run's events."""
    payloads = [e.payload for e in place.store.read(run_id)]
    return [p.content for p in payloads if isinstance(p, MessageSent)]


def test_a_fork_goes_on_where_it_left_its_parent(family: Place) -> None:
    events = family.store.read("fork")
    assert [e.seq for e in events] == [0, 1, 2, 3, 4, 5, 6]
    assert events[:5] == family.store.read("parent")[:5]
    assert texts(family, "grandchild") == ["other way", "third way"]
    assert [e.seq for e in family.store.read("fork", after=3, limit=2)] == [4, 5]
    assert [e.seq for e in family.store.read_seqs("grandchild", [0, 5, 6])] == [0, 5, 6]
    assert family.store.get_run("fork").last_seq == 6


def test_a_fork_is_not_charged_for_what_its_parent_paid(family: Place) -> None:
    fork = family.store.get_run("fork")
    assert (fork.model_calls, fork.input_tokens, fork.cost_usd) == (0, 0, 0.0)


def test_a_fork_finds_events_of_both_parts(family: Place) -> None:
    store = family.store
    assert [e.seq for e in store.query("fork", kinds=["message.sent"])] == [5, 6]
    assert [e.seq for e in store.query("fork", kinds=["tool.called", "tool.returned"])] == [4]
    assert [e.seq for e in store.query("fork", actors=["solver"])] == [2, 3, 4]
    assert [(h.run_id, h.seq) for h in store.search("计算", run_id="fork")] == [("fork", 3)]
    assert [h.seq for h in store.search("it is 2", run_id="fork")] == []
    assert [(h.run_id, h.seq) for h in store.search("计算")] == [("parent", 3)]


def test_forks_are_listed_by_their_parent(family: Place) -> None:
    page = family.store.list_runs(RunFilter(parent_run_id="parent"))
    assert [run.run_id for run in page.runs] == ["fork"]


def test_a_fork_reads_its_parent_s_snapshot_up_to_the_fork(family: Place) -> None:
    family.store.put_snapshot("parent", 2, b"two")
    family.store.put_snapshot("parent", 6, b"six")
    assert family.store.latest_snapshot("fork") == (2, b"two")


def test_a_fork_past_its_parent_s_end_or_of_nothing_is_refused(family: Place) -> None:
    with pytest.raises(StoreError, match="end at 7"):
        family.run("late", parent_run_id="parent", parent_seq=8)
    with pytest.raises(NotFound, match="'nobody'"):
        family.run("orphan", parent_run_id="nobody", parent_seq=0)


@pytest.mark.parametrize("indexed", [False, True])
def test_a_deleted_parent_keeps_what_its_forks_share(family: Place, indexed: bool) -> None:
    store = family.store
    if indexed:
        store.index_text(budget_s=5)
    before = store.read("grandchild")
    bars = [entries(store.bars("grandchild", level)) for level in (0, 1, 6)]
    store.delete_run("parent")
    store.delete_run("fork")
    with pytest.raises(NotFound):
        store.get_run("parent")
    with pytest.raises(NotFound):
        store.read("fork")
    assert store.read("grandchild") == before
    assert [entries(store.bars("grandchild", level)) for level in (0, 1, 6)] == bars
    assert [run.run_id for run in store.list_runs().runs] == ["grandchild"]
    assert sum(store.count_by_status().values()) == 1
    assert [(h.run_id, h.seq) for h in store.search("计算")] == [("grandchild", 3)]
    assert store.search("it is 2") == []
    with pytest.raises(NotFound):
        family.run("new", parent_run_id="parent", parent_seq=1)


def test_the_last_fork_s_deletion_frees_its_parents_names(family: Place) -> None:
    for run_id in ("parent", "fork", "grandchild"):
        family.store.delete_run(run_id)
    family.run("parent")
    family.store.append("parent", 0, [event("parent", 0, MessageSent("fresh"))])
    assert texts(family, "parent") == ["fresh"]
    assert family.store.search("计算") == []


@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(steps=STEPS, cut=st.floats(0, 1), level=st.integers(0, LEVELS))
def test_a_fork_s_timeline_is_that_of_one_run(
    place: Place, steps: list[Step], cut: float, level: int
) -> None:
    """The parent goes on another way after the fork; a call it left open may end in the fork."""
    number = next(RUN_NUMBERS)
    parent = place.run(f"p{number}")
    events = events_of(steps, parent)
    last = round((len(events) - 1) * cut)
    shared, rest = events[: last + 1], events[last + 1 :]
    place.store.append(parent, 0, events)
    fork = place.run(f"f{number}", parent_run_id=parent, parent_seq=last)
    own = [event(fork, e.seq, e.payload, e.actor, at=e.at + 5, span=e.span) for e in rest]
    place.store.append(fork, 0, own)
    assert entries(place.store.bars(fork, level)) == expected([*shared, *own], level, 0, 0)
    assert entries(place.store.bars(parent, level)) == expected(events, level, 0, 0)
