"""The state at any step is a fold of the log, with or without snapshots."""

from __future__ import annotations

from pathlib import Path

import pytest

from aworld.errors import ConfigurationError
from aworld.runtime import playhead, snapshots
from aworld.runtime.fork import fork_run
from aworld.runtime.near_folds import FoldCache
from aworld.runtime.playhead import Fold, fold_to, node_states
from tests.teams import PAIR, call, nodes, run_team, sqlite

REPLIES = [
    call("calculator", {"expression": "2+2"}),
    "Answer: 4",
    call("logic_check", {"claim": "2+2 == 4"}),
    "VERIFIED: yes.",
]


async def test_the_state_shows_what_each_node_knew_at_that_step(tmp_path: Path) -> None:
    store = sqlite(tmp_path)
    record, events = await run_team(store, PAIR, REPLIES)
    called = next(e.seq for e in events if e.kind == "tool.called")
    fold = fold_to(store, record.run_id, nodes(PAIR), called)
    states = node_states(fold)
    assert states["solver"]["phase"] == "tools"
    assert states["verifier"]["phase"] == "idle"
    assert list(fold.open_spans) == [called]
    assert fold.account.used().steps == 1


async def test_a_seek_from_a_snapshot_gives_what_a_whole_fold_gives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = sqlite(tmp_path)
    record, events = await run_team(store, PAIR, REPLIES)
    plain = [fold_to(store, record.run_id, nodes(PAIR), seq).pack() for seq in range(len(events))]
    assert store.latest_snapshot(record.run_id) is None
    monkeypatch.setattr(playhead, "SNAPSHOT_EVERY", 4)
    monkeypatch.setattr(playhead, "PAGE", 3)
    fold_to(store, record.run_id, nodes(PAIR), len(events) - 1)
    assert store.latest_snapshot(record.run_id) is not None
    again = [fold_to(store, record.run_id, nodes(PAIR), seq).pack() for seq in range(len(events))]
    assert again == plain


async def test_a_step_that_is_not_there_is_named(tmp_path: Path) -> None:
    store = sqlite(tmp_path)
    record, events = await run_team(store, PAIR, REPLIES)
    with pytest.raises(ConfigurationError, match="no step 999"):
        fold_to(store, record.run_id, nodes(PAIR), 999)


async def test_an_unreadable_snapshot_is_not_used(tmp_path: Path) -> None:
    store = sqlite(tmp_path)
    record, events = await run_team(store, PAIR, REPLIES)
    store.put_snapshot(record.run_id, 5, b"\xc1 nonsense")
    last = len(events) - 1
    assert fold_to(store, record.run_id, nodes(PAIR), last).seq == last


async def test_a_running_run_keeps_snapshots_that_are_what_a_fold_gives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshots, "SNAPSHOT_EVERY", 5)
    store = sqlite(tmp_path)
    record, _ = await run_team(store, PAIR, REPLIES)
    kept = [store.latest_snapshot(record.run_id, before=seq) for seq in (5, 9, 10, 14)]
    found = {one[0]: one[1] for one in kept if one is not None}
    assert found
    for seq, packed in found.items():
        fold = Fold(nodes(PAIR))
        assert fold.unpack(packed)
        assert fold.seq == seq
        plain = Fold(nodes(PAIR))
        for event in store.read(record.run_id, limit=seq + 1):
            plain.follow(event)
        assert fold.pack() == plain.pack()


async def test_a_snapshot_from_before_an_edit_is_not_used_behind_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = sqlite(tmp_path)
    record, events = await run_team(store, PAIR, REPLIES)
    answer = next(e for e in events if e.kind == "message.sent" and e.actor == "solver")
    fork = fork_run(
        store,
        record.run_id,
        answer.seq,
        nodes=nodes(PAIR),
        edits={answer.seq: {"content": "Answer: 5"}},
        queued=False,
    )
    for seq in (answer.seq - 1, answer.seq):
        store.put_snapshot(
            record.run_id, seq, fold_to(store, record.run_id, nodes(PAIR), seq).pack()
        )
    near = FoldCache()
    shown = [
        node_states(fold_to(store, fork.run_id, nodes(PAIR), seq, near))["team"]["answer"]
        for seq in (answer.seq, answer.seq + 1, answer.seq + 2, answer.seq)
    ]
    # The edit is the event behind `fork.created`.
    assert shown == ["Answer: 4", "Answer: 4", "Answer: 5", "Answer: 4"]


def test_a_cache_of_folds_stays_within_its_bounds_and_forgets_what_was_not_used() -> None:
    cache = FoldCache(most=3, most_bytes=100)
    for seq in (10, 20, 30):
        cache.keep("a", seq, b"x" * 10)
    assert cache.newest("a", before=19) == (10, b"x" * 10)
    cache.keep("b", 1, b"y" * 10)
    assert cache.newest("a", before=25) == (10, b"x" * 10)
    assert cache.newest("a", before=9) is None
    cache.keep("b", 2, b"z" * 95)
    assert cache.newest("a", before=99) is None
    assert cache.size == 95
    cache.forget("b")
    assert (cache.size, cache.newest("b", before=99)) == (0, None)
