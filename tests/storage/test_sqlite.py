"""What is the SQLite store's own: its file, its segments, its space, its settings."""

from __future__ import annotations

import itertools
import os
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from aworld.config import Config
from aworld.errors import NotFound, StoreError
from aworld.events.action import ToolReturned
from aworld.events.conversation import MessageSent
from aworld.events.model import LlmFailed
from aworld.storage import sqlite_detail, sqlite_index
from aworld.storage.base import LEVELS, OFFLOAD_BYTES, RunRecord
from aworld.storage.open import open_store
from aworld.storage.sqlite import BLOB_AGE_S, SqliteStore
from tests.contracts.stores import event, said
from tests.contracts.timelines import STEPS, Step, entries, events_of, expected

RUN_NUMBERS = itertools.count()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    found = SqliteStore(tmp_path / "runs.sqlite3", tmp_path / "blobs")
    yield found
    found.close()


def add_run(store: SqliteStore, run_id: str = "r", **fields: str | int) -> str:
    record = RunRecord(run_id=run_id, team_name="t", team={}, input="", **fields)  # type: ignore[arg-type]
    return store.create_run(record).run_id


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    steps=STEPS,
    block=st.integers(1, 12),
    cut=st.floats(0, 1),
    level=st.integers(0, LEVELS),
    window=st.tuples(st.floats(0, 1), st.floats(0, 1)),
)
def test_stored_and_merged_segments_show_what_a_slow_count_shows(
    store: SqliteStore,
    steps: list[Step],
    block: int,
    cut: float,
    level: int,
    window: tuple[float, float],
) -> None:
    """Segments of five events, merged by three, in a run and in its fork."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sqlite_index, "SEGMENT_EVENTS", 5)
        patch.setattr(sqlite_detail, "SEGMENT_EVENTS", 5)
        patch.setattr(sqlite_detail, "MERGE_SEGMENTS", 3)
        number = next(RUN_NUMBERS)
        parent = add_run(store, f"p{number}")
        events = events_of(steps, parent)
        for first in range(0, len(events), block):
            store.append(parent, 0, events[first : first + block])
        last = round((len(events) - 1) * cut)
        fork = add_run(store, f"f{number}", parent_run_id=parent, parent_seq=last)
        own = [event(fork, e.seq, e.payload, e.actor, at=e.at, span=e.span)
               for e in events[last + 1 :]]  # fmt: skip
        for first in range(0, len(own), block):
            store.append(fork, 0, own[first : first + block])
    length = events[-1].at - events[0].at
    start, end = (round(length * part) for part in sorted(window))
    for run_id in (parent, fork):
        assert entries(store.bars(run_id, level)) == expected(events, level, 0, 0)
        if end:
            found = entries(store.bars(run_id, level, start=start, end=end))
            assert found == expected(events, level, start, end)
        for kind in ("message.sent", "tool.called", "error.raised"):
            seqs = [e.seq for e in events if e.kind == kind]
            assert [e.seq for e in store.query(run_id, kinds=[kind])] == seqs
        wrong = [e.seq for e in store.query(run_id, min_severity=2)]
        assert wrong == [
            e.seq
            for e in events
            if e.kind in ("error.raised", "tool.failed")
            or (isinstance(e.payload, LlmFailed) and not e.payload.will_retry)
        ]


def file_size(store_folder: Path) -> int:
    return sum(file.stat().st_size for file in store_folder.glob("runs.sqlite3*"))


def test_deleting_a_run_gives_its_space_back(store: SqliteStore, tmp_path: Path) -> None:
    add_run(store, "small")
    store.append("small", 0, [event("small", 0, MessageSent("stays"))])
    store.index_text(budget_s=10)
    before = file_size(tmp_path)
    add_run(store, "large")
    for first in range(0, 4000, 1000):
        texts = [os.urandom(400).hex() for _ in range(1000)]
        store.append(
            "large", 0, [event("large", first + n, one) for n, one in enumerate(said(*texts))]
        )
    while store.index_text(budget_s=10):
        pass
    full = file_size(tmp_path)
    assert full > before + 1_500_000
    store.delete_run("large")
    assert file_size(tmp_path) < before + (full - before) // 10
    assert [hit.run_id for hit in store.search("stays")] == ["small"]
    assert [e.payload for e in store.read("small")] == said("stays")


def grow_old(folder: Path) -> None:
    """Make every blob older than a sweep spares."""
    for path in folder.glob("??/??/*"):
        then = path.stat().st_mtime - BLOB_AGE_S - 60
        os.utime(path, (then, then))


def test_a_sweep_takes_old_blobs_that_nothing_names(store: SqliteStore, tmp_path: Path) -> None:
    add_run(store)
    attached = store.put_blob(b"attached")
    large = ToolReturned("t", "x" * OFFLOAD_BYTES, attachments=({"blob": attached},))
    store.append("r", 0, [event("r", 0, large)])
    forgotten = store.put_blob(b"forgotten" * 100)
    again = store.put_blob(b"put again")
    grow_old(tmp_path / "blobs")
    store.put_blob(b"put again")
    (tmp_path / "blobs" / "00" / "00").mkdir(parents=True)
    left_over = tmp_path / "blobs" / "00" / "00" / "new-left-by-a-killed-writer"
    left_over.write_bytes(b"half")
    os.utime(left_over, (0, 0))

    assert store.sweep_blobs() == 900
    with pytest.raises(NotFound):
        store.get_blob(forgotten)
    assert store.get_blob(attached) == b"attached" and store.get_blob(again) == b"put again"
    assert store.resolve(store.read("r")[0]) == large
    assert not left_over.exists()

    store.delete_run("r")
    grow_old(tmp_path / "blobs")
    store.sweep_blobs()
    with pytest.raises(NotFound):
        store.get_blob(attached)


def test_a_fork_keeps_the_blobs_of_a_deleted_parent(store: SqliteStore, tmp_path: Path) -> None:
    add_run(store, "parent")
    large = ToolReturned("t", "x" * OFFLOAD_BYTES)
    gone = ToolReturned("t", "y" * OFFLOAD_BYTES)
    store.append("parent", 0, [event("parent", 0, large), event("parent", 1, gone)])
    add_run(store, "fork", parent_run_id="parent", parent_seq=0)
    store.delete_run("parent")
    grow_old(tmp_path / "blobs")
    assert store.sweep_blobs() > OFFLOAD_BYTES
    assert store.resolve(store.read("fork")[0]) == large


def test_threads_read_and_write_at_once(store: SqliteStore) -> None:
    failures: list[BaseException] = []

    def work(number: int) -> None:
        try:
            run_id = add_run(store, f"r{number}")
            for seq in range(30):
                store.append(run_id, 0, [event(run_id, seq, MessageSent(str(seq)))])
                assert len(store.read(run_id)) == seq + 1
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert store.list_runs().total == 8


def test_settings_open_sqlite_in_the_home_folder(tmp_path: Path) -> None:
    config = Config(home=tmp_path / "new" / "home", mongodb_uri="", redis_url="")
    opened = open_store(config)
    assert isinstance(opened, SqliteStore)
    opened.create_run(RunRecord(run_id="r", team_name="t", team={}, input=""))
    opened.close()
    assert config.database.is_file()
    again = open_store(config)
    assert again.get_run("r").run_id == "r"
    again.close()


def test_a_folder_that_cannot_be_made_is_named_with_a_cure(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder", encoding="utf-8")
    with pytest.raises(StoreError, match=r"file/home' cannot be made: .*AWORLD_HOME"):
        open_store(Config(home=tmp_path / "file" / "home", mongodb_uri="", redis_url=""))


def test_a_file_that_is_no_store_is_named_with_a_cure(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite3"
    path.write_bytes(b"This is a letter, not a database. " * 100)
    with pytest.raises(StoreError, match=r"runs\.sqlite3' cannot be used: .*no store"):
        SqliteStore(path, tmp_path / "blobs")


def test_a_full_disk_is_named_with_a_cure_and_harms_nothing(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite3"
    store = SqliteStore(path, tmp_path / "blobs")
    add_run(store)
    store.append("r", 0, [event("r", 0, MessageSent("kept"))])
    # SQLite's own limit on the file's pages stands for the disk's end.
    with store._connections.reading() as connection:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
    connection.execute(f"PRAGMA max_page_count={pages}")
    large = [event("r", 1 + n, MessageSent(os.urandom(5000).hex())) for n in range(50)]
    with pytest.raises(StoreError, match=r"full; free some space"):
        store.append("r", 0, large)
    assert [e.payload for e in store.read("r")] == said("kept")
    connection.execute("PRAGMA max_page_count=1000000")
    assert store.append("r", 0, large) == 50
    store.close()


def test_a_newer_store_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite3"
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version=99")
    connection.close()
    with pytest.raises(StoreError, match="format 99"):
        SqliteStore(path, tmp_path / "blobs")


def test_a_closed_store_says_so(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "runs.sqlite3", tmp_path / "blobs")
    store.close()
    with pytest.raises(StoreError, match="closed"):
        store.get_run("r")
