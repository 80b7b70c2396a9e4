"""The log's writer: events reach the store in order and in the background, or it says why."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from aworld.errors import StaleEpoch, StoreError
from aworld.events.union import Event
from aworld.storage import sink
from aworld.storage.base import Lease, RunRecord
from aworld.storage.sink import LogWriter
from aworld.storage.sqlite import SqliteStore
from tests.contracts.stores import event, said

Batches = Sequence[tuple[str, int, Sequence[Event]]]


class GatedStore(SqliteStore):
    """A store whose commits wait for a gate, and can be told to fail."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder / "runs.sqlite3", folder / "blobs")
        self.gate = threading.Event()
        self.gate.set()
        self.commits: list[list[tuple[str, int]]] = []
        self.failures: list[Exception] = []

    def append_many(self, batches: Batches) -> list[int | StoreError]:
        assert self.gate.wait(30)
        self.commits.append([(run_id, len(events)) for run_id, _, events in batches])
        if self.failures:
            raise self.failures.pop(0)
        return super().append_many(batches)

    def lease(self, run_id: str) -> Lease:
        """A new run, claimed."""
        self.create_run(RunRecord(run_id=run_id, team_name="t", team={}, input=""))
        found = self.claim("w", ttl_s=60, run_id=run_id)
        assert found is not None
        return found


@pytest.fixture
def store(tmp_path: Path) -> Iterator[GatedStore]:
    found = GatedStore(tmp_path)
    yield found
    found.gate.set()
    found.close()


def messages(run_id: str, *texts: str, first: int = 0) -> list[Event]:
    return [event(run_id, seq, one) for seq, one in enumerate(said(*texts), first)]


async def test_durable_returns_once_the_store_has_the_event(store: GatedStore) -> None:
    told: list[int] = []
    writer = LogWriter(store, store.lease("r"), on_durable=told.append)
    events = messages("r", *"abcde")
    for one in events:
        writer.write(one)
    assert writer.backlog == 5
    await writer.durable(4)
    assert store.read("r") == events
    assert (writer.backlog, told) == (0, [4])
    await writer.aclose()


async def test_what_gathers_during_a_commit_goes_into_the_next(store: GatedStore) -> None:
    writer = LogWriter(store, store.lease("r"))
    store.gate.clear()
    for one in messages("r", *map(str, range(100))):
        writer.write(one)
        await asyncio.sleep(0)
    first = asyncio.create_task(writer.durable(0))
    last = asyncio.create_task(writer.durable(99))
    await asyncio.sleep(0)
    assert not first.done()
    store.gate.set()
    await asyncio.gather(first, last)
    assert sum(n for commit in store.commits for _, n in commit) == 100
    assert len(store.commits) <= 2
    await writer.aclose()


async def test_the_runs_of_a_process_share_a_commit(store: GatedStore) -> None:
    writers = {name: LogWriter(store, store.lease(name)) for name in ("a", "b", "c")}
    store.gate.clear()
    for name, writer in writers.items():
        writer.write(messages(name, "x")[0])
    waits = [asyncio.create_task(writer.durable(0)) for writer in writers.values()]
    store.gate.set()
    await asyncio.gather(*waits)
    assert len(store.commits) < 3
    assert sorted(one for commit in store.commits for one in commit) == [
        ("a", 1), ("b", 1), ("c", 1)
    ]  # fmt: skip
    for writer in writers.values():
        await writer.aclose()


async def test_closing_writes_what_is_left_and_ends_the_thread(store: GatedStore) -> None:
    others = set(threading.enumerate())
    writer = LogWriter(store, store.lease("r"))
    events = messages("r", *map(str, range(3 * sink.COMMIT_EVENTS // 2)))
    for one in events:
        writer.write(one)
    await writer.aclose()
    assert store.get_run("r").last_seq == events[-1].seq
    with pytest.raises(StoreError, match="closed"):
        writer.write(events[0])
    own = set(threading.enumerate()) - others
    threads = [thread for thread in own if thread.name == "aworld-log"]
    for thread in threads:
        await asyncio.to_thread(thread.join, 30)
    assert not any(thread.is_alive() for thread in threads)


async def test_a_writer_that_lost_its_lease_fails_its_waiters_alone(store: GatedStore) -> None:
    lost, other = LogWriter(store, store.lease("a")), LogWriter(store, store.lease("b"))
    store.release(lost.lease)
    assert store.claim("other-worker", ttl_s=60, run_id="a") is not None
    lost.write(messages("a", "late")[0])
    other.write(messages("b", "fine")[0])
    with pytest.raises(StaleEpoch, match="'a'"):
        await lost.durable(0)
    await other.durable(0)
    assert isinstance(lost.failed, StaleEpoch) and other.failed is None
    lost.write(messages("a", "later", first=1)[0])
    assert lost.backlog == 0
    with pytest.raises(StaleEpoch):
        await lost.durable(1)
    with pytest.raises(StaleEpoch):
        await lost.aclose()
    await other.aclose()
    assert store.read("a") == []


async def test_a_failure_that_passes_is_tried_again(
    store: GatedStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sink, "RETRY_AFTER_S", (0.0, 0.0))
    store.failures = [StoreError("disk full"), StoreError("disk full")]
    writer = LogWriter(store, store.lease("r"))
    writer.write(messages("r", "x")[0])
    await writer.durable(0)
    assert len(store.commits) == 3
    await writer.aclose()


@pytest.mark.parametrize("failure", [StoreError("disk full"), ZeroDivisionError("a bug")])
async def test_a_failure_that_stays_is_no_success(
    store: GatedStore, monkeypatch: pytest.MonkeyPatch, failure: Exception
) -> None:
    monkeypatch.setattr(sink, "RETRY_AFTER_S", (0.0,))
    store.failures = [failure] * 2
    writer = LogWriter(store, store.lease("r"))
    writer.write(messages("r", "x")[0])
    with pytest.raises(StoreError, match=r"disk full|a bug"):
        await writer.durable(0)
    with pytest.raises(StoreError):
        await writer.aclose()


async def test_a_run_taken_up_waits_for_nothing_that_was_there(store: GatedStore) -> None:
    lease = store.lease("r")
    store.append("r", lease.epoch, messages("r", *"abc"))
    writer = LogWriter(store, lease)
    store.gate.clear()
    writer.write(messages("r", "d", first=3)[0])
    await asyncio.wait_for(writer.durable(2), 30)
    store.gate.set()
    await writer.durable(3)
    await writer.aclose()


async def test_a_waiter_that_gives_up_harms_no_other(store: GatedStore) -> None:
    writer = LogWriter(store, store.lease("r"))
    store.gate.clear()
    writer.write(messages("r", "x")[0])
    one, two = (asyncio.create_task(writer.durable(0)) for _ in range(2))
    await asyncio.sleep(0)
    one.cancel()
    store.gate.set()
    await two
    await writer.aclose()
