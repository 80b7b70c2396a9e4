"""The state at any step is a fold of the log, with or without snapshots."""

from __future__ import annotations

from pathlib import Path

import pytest

from aworld.errors import ConfigurationError
from aworld.runtime import playhead
from aworld.runtime.playhead import fold_to, node_states
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
