"""What only the MongoDB store must prove: deaths between its two writes, and killed servers."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from aworld.errors import NotFound, StaleEpoch, StoreError
from aworld.events.conversation import MessageSent
from aworld.events.union import Event
from aworld.storage.base import OFFLOAD_BYTES, RunRecord
from aworld.storage.mongo import BLOB_AGE_US, MongoStore
from aworld.storage.mongo_collections import CHUNK_BYTES
from tests.contracts.stores import ManualTime, event, said, small_run
from tests.servers import free_port, secantusdb


@pytest.fixture
def time() -> ManualTime:
    return ManualTime()


@pytest.fixture
def store(mongodb_uri: str, time: ManualTime) -> Iterator[MongoStore]:
    made = MongoStore(mongodb_uri, f"aworld_test_{uuid.uuid4().hex[:12]}", now=time)
    made.create_run(RunRecord(run_id="r", team_name="t", team={}, input="?"))
    yield made
    made.close()


class Dies(Exception):
    """The writer's death."""


def die_between_the_writes(
    store: MongoStore, epoch: int, events: list[Event], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Append, but die after the block was written and before the run's document is."""

    def dies(*_: object) -> None:
        raise Dies

    with monkeypatch.context() as patch:
        patch.setattr(store._events, "_count_block", dies)
        with pytest.raises(Dies):
            store.append("r", epoch, events)


def test_a_block_of_which_the_run_knows_nothing_is_not_seen_and_completed_by_its_writer(
    store: MongoStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    events = small_run("r")
    die_between_the_writes(store, 0, events[:4], monkeypatch)
    assert store.read("r") == [] and store.get_run("r").last_seq == -1
    assert store.append("r", 0, events) == 7
    run = store.get_run("r")
    assert store.read("r") == events
    assert (run.status, run.model_calls, run.tool_calls, run.cost_usd) == ("finished", 1, 1, 0.25)


def test_a_block_that_a_dead_lease_left_gives_way_to_that_of_the_new_one(
    store: MongoStore, time: ManualTime, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = store.claim("one", ttl_s=1)
    assert old is not None
    die_between_the_writes(store, old.epoch, [event("r", 0, MessageSent("lost"))], monkeypatch)
    time.pass_seconds(2)
    new = store.claim("two", ttl_s=1)
    assert new is not None
    with pytest.raises(StaleEpoch):
        store.append("r", old.epoch, [event("r", 0, MessageSent("lost"))])
    kept = [event("r", n, payload) for n, payload in enumerate(said("kept", "too"))]
    assert store.append("r", new.epoch, kept) == 1
    assert store.read("r") == kept


def test_a_lease_that_ends_between_the_writes_refuses_the_block(
    store: MongoStore, time: ManualTime, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = store.claim("one", ttl_s=1)
    assert old is not None
    count_block = store._events._count_block

    def loses_the_lease(run: dict[str, object], block: dict[str, object]) -> None:
        time.pass_seconds(2)
        assert store.claim("two", ttl_s=1) is not None
        count_block(run, block)

    with monkeypatch.context() as patch:
        patch.setattr(store._events, "_count_block", loses_the_lease)
        with pytest.raises(StaleEpoch, match="epoch 2"):
            store.append("r", old.epoch, [event("r", 0, MessageSent("late"))])
    assert store.read("r") == []


def test_a_payload_of_many_megabytes_lies_in_pieces_and_comes_back_whole(
    store: MongoStore,
) -> None:
    large = MessageSent("页" * (6 * CHUNK_BYTES))
    store.append("r", 0, [event("r", 0, large)])
    (stored,) = store.read("r")
    assert stored.payload != large
    assert store.resolve(stored) == large


def test_only_old_blobs_that_no_event_names_are_swept(store: MongoStore, time: ManualTime) -> None:
    named = MessageSent("x" * OFFLOAD_BYTES)
    store.append("r", 0, [event("r", 0, named)])
    forgotten = store.put_blob(b"a" * 1000)
    time.pass_seconds(BLOB_AGE_US / 1e6 + 1)
    young = store.put_blob(b"young")
    assert store.sweep_blobs() == 1000
    with pytest.raises(NotFound):
        store.get_blob(forgotten)
    assert store.get_blob(young) == b"young"
    assert store.resolve(store.read("r")[0]) == named
    store.delete_run("r")
    time.pass_seconds(BLOB_AGE_US / 1e6 + 1)
    assert store.sweep_blobs() > OFFLOAD_BYTES
    assert store._all.chunks.count_documents({}) == 0


def test_a_deletion_that_was_cut_off_is_finished_by_the_next_sweep(
    store: MongoStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.append("r", 0, small_run("r"))
    store.put_snapshot("r", 3, b"state")

    def dies(*_: object) -> None:
        raise Dies

    with monkeypatch.context() as patch:
        patch.setattr(store._deletion, "_trim", dies)
        with pytest.raises(Dies):
            store.delete_run("r")
    with pytest.raises(NotFound):
        store.get_run("r")
    store.sweep_blobs()
    left = [store._all.runs, store._all.blocks, store._all.snapshots, store._all.chunks]
    assert [collection.count_documents({}) for collection in left] == [0, 0, 0, 0]


def test_detail_that_was_stored_shows_what_rows_show(
    store: MongoStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("aworld.storage.mongo_timeline.SEGMENT_EVENTS", 3)
    events = small_run("r")
    levels = range(1, 13)
    store.append("r", 0, events[:2])
    for first in (2, 4, 6):
        store.append("r", 0, events[first : first + 2])
    stored = [store.bars("r", level) for level in levels]
    assert store._all.detail.count_documents({}) > 0
    store._all.runs.update_one({"_id": "r"}, {"$set": {"stored_seq": -1}})
    assert [store.bars("r", level) for level in levels] == stored


def test_another_store_sees_that_something_was_written(store: MongoStore, mongodb_uri: str) -> None:
    other = MongoStore(mongodb_uri, store._all.runs.database.name)
    before = other.version()
    assert other.version() == before
    store.append("r", 0, [event("r", 0, MessageSent("news"))])
    assert other.version() != before
    other.close()


def test_acknowledged_events_survive_the_death_of_the_server(tmp_path: Path) -> None:
    server = secantusdb(tmp_path)
    server.start()
    store = MongoStore(f"mongodb://127.0.0.1:{server.port}/")
    store.create_run(RunRecord(run_id="r", team_name="t", team={}, input="?"))
    acknowledged: list[Event] = []
    for _ in range(2):
        for _ in range(10):
            seq = len(acknowledged)
            block = [event("r", seq + n, MessageSent(f"{seq + n}")) for n in range(20)]
            assert store.append("r", 0, block) == seq + 19
            acknowledged += block
        server.kill()
        server.start()
        assert store.read("r") == acknowledged
        assert store.get_run("r").last_seq == len(acknowledged) - 1
    store.close()
    server.stop()


def test_a_server_that_is_not_there_and_a_uri_that_is_none_are_told_apart(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("aworld.storage.mongo_collections.CONNECT_MS", 100)
    with pytest.raises(StoreError, match="not a MongoDB URI"):
        MongoStore("http://localhost:27017")
    with pytest.raises(StoreError, match="check that AWORLD_MONGODB_URI is right"):
        MongoStore(f"mongodb://127.0.0.1:{free_port()}/")
