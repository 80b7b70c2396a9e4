"""Workers claim runs from the store, and a silent worker's run is taken up by another."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from aworld.agents.runner import parts_of
from aworld.bus.doorbell import Doorbell
from aworld.errors import ConfigurationError
from aworld.events.run import RunLost
from aworld.llm.base import Completion, Usage
from aworld.llm.scripted import ScriptedModel
from aworld.runtime import control
from aworld.runtime.launch import create_run
from aworld.runtime.pump import Parts, Pump, reap
from aworld.runtime.recovery import read_log
from aworld.storage.base import ENDED, RunRecord, Store
from tests.teams import SOLVER, build, kinds, sqlite


def queue(store: Store, **fields: Any) -> RunRecord:
    team, _ = build(SOLVER, ScriptedModel([]))
    return create_run(store, team=msgspec.to_builtins(team), input="?", source="web", **fields)


def builder(store: Store, answer: Callable[[], Any] = lambda: "Answer: 1") -> Any:
    def make(record: RunRecord, doorbell: Doorbell) -> Parts:
        _, built = build(record.team, ScriptedModel([answer()]))
        return parts_of(built, store, record, doorbell)

    return make


async def until_ended(store: Store, *run_ids: str) -> list[RunRecord]:
    async with asyncio.timeout(20):
        while True:
            records = [store.get_run(run_id) for run_id in run_ids]
            if all(record.status in ENDED for record in records):
                return records
            await asyncio.sleep(0.02)


async def pumping(store: Store, build: Any, worker: str = "w", **options: Any) -> Any:
    doorbell = Doorbell("")
    pump = Pump(store, build, doorbell, worker=worker, **options)
    return pump, asyncio.create_task(pump.run())


async def test_queued_runs_are_driven_to_their_ends(tmp_path: Path) -> None:
    store = sqlite(tmp_path)
    runs = [queue(store).run_id for _ in range(5)]
    pump, task = await pumping(store, builder(store))
    records = await until_ended(store, *runs)
    await pump.stop()
    await task
    assert {record.status for record in records} == {"finished"}
    assert {record.worker for record in records} <= {"w", ""}


async def test_two_workers_share_the_queue_and_no_run_is_driven_twice(tmp_path: Path) -> None:
    store = sqlite(tmp_path)
    runs = [queue(store).run_id for _ in range(12)]
    pumps = [await pumping(store, builder(store), worker) for worker in ("one", "two")]
    await until_ended(store, *runs)
    for pump, task in pumps:
        await pump.stop()
        await task
    for run_id in runs:
        assert kinds(read_log(store, run_id)).count("run.started") == 1


async def test_what_is_claimed_while_the_worker_stops_is_put_back_for_others(
    tmp_path: Path,
) -> None:
    store = sqlite(tmp_path)
    runs = [queue(store).run_id for _ in range(3)]
    claiming, stopped = threading.Event(), threading.Event()

    class Slow(Pump):
        def _claim(self, most: int) -> Any:
            claiming.set()
            stopped.wait(10)
            return super()._claim(most)

    pump = Slow(store, builder(store), Doorbell(""), worker="slow")
    task = asyncio.create_task(pump.run())
    await asyncio.to_thread(claiming.wait, 10)
    await pump.stop()
    stopped.set()
    await task
    assert [store.get_run(run_id).status for run_id in runs] == ["queued"] * 3
    leases = [store.claim("other", ttl_s=9.0) for _ in runs]
    assert [lease.run_id for lease in leases if lease] == runs


async def test_a_team_that_cannot_be_built_fails_with_the_reason(tmp_path: Path) -> None:
    store = sqlite(tmp_path)

    def broken(record: RunRecord, doorbell: Doorbell) -> Parts:
        raise ConfigurationError("There is no model 'gone'.")

    run = queue(store)
    pump, task = await pumping(store, broken)
    (record,) = await until_ended(store, run.run_id)
    await pump.stop()
    await task
    assert (record.status, record.error) == ("failed", "There is no model 'gone'.")


async def test_a_run_whose_maker_was_stopped_before_its_first_event_is_begun_by_its_worker(
    tmp_path: Path,
) -> None:
    store = sqlite(tmp_path)
    team, _ = build(SOLVER, ScriptedModel([]))
    row = RunRecord(run_id="half", team=msgspec.to_builtins(team), team_name="solver", input="?")
    store.create_run(row)
    pump, task = await pumping(store, builder(store))
    (record,) = await until_ended(store, "half")
    await pump.stop()
    await task
    assert record.status == "finished"
    assert kinds(read_log(store, "half"))[:2] == ["run.created", "run.started"]


def test_a_run_that_a_worker_claims_before_its_first_event_is_created_all_the_same(
    tmp_path: Path,
) -> None:
    store = sqlite(tmp_path)
    create = store.create_run

    def claimed_at_once(record: RunRecord) -> RunRecord:
        stored = create(record)
        assert store.claim("quick", ttl_s=60) is not None
        return stored

    store.create_run = claimed_at_once  # type: ignore[method-assign]
    assert queue(store).worker == "quick"


async def test_a_run_that_no_worker_can_drive_fails_and_is_not_tried_for_ever(
    tmp_path: Path,
) -> None:
    store = sqlite(tmp_path)
    run = queue(store)

    def unbuildable(record: RunRecord, doorbell: Doorbell) -> Parts:
        parts = builder(store)(record, doorbell)

        def make_gate(supervisor: Any) -> Any:
            gate = parts.make_gate(supervisor)
            supervisor._take_up = None  # a fault of ours, of whatever kind
            return gate

        return Parts(parts.nodes, make_gate)

    pump, task = await pumping(store, unbuildable)
    (record,) = await until_ended(store, run.run_id)
    await pump.stop()
    await task
    assert record.status == "failed"
    assert "'NoneType' object is not callable" in record.error


async def test_a_row_that_no_log_can_begin_with_fails_and_is_not_tried_for_ever(
    tmp_path: Path,
) -> None:
    store = sqlite(tmp_path)
    team, _ = build(SOLVER, ScriptedModel([]))
    plain = {**msgspec.to_builtins(team), "layout": {"x": 10**30}}
    store.create_run(RunRecord(run_id="odd", team=plain, team_name="solver", input="?"))
    pump, task = await pumping(store, builder(store))
    (record,) = await until_ended(store, "odd")
    await pump.stop()
    await task
    assert (record.status, record.last_seq) == ("failed", -1)


async def test_a_run_whose_event_cannot_be_kept_fails_with_the_reason_and_alone(
    tmp_path: Path,
) -> None:
    store = sqlite(tmp_path)
    odd, good = queue(store), queue(store)

    def make(record: RunRecord, doorbell: Doorbell) -> Parts:
        usage = Usage(input=10**30 if record.run_id == odd.run_id else 1)
        reply = Completion("Answer: 1", usage=usage)
        _, built = build(record.team, ScriptedModel([reply]))
        return parts_of(built, store, record, doorbell)

    pump, task = await pumping(store, make)
    failed, finished = await until_ended(store, odd.run_id, good.run_id)
    await pump.stop()
    await task
    assert (failed.status, finished.status) == ("failed", "finished")
    assert "'llm.responded' of 'solver'" in failed.error


@pytest.mark.parametrize("value", [10**30, "\ud800"])
def test_what_no_log_can_keep_is_refused_before_there_is_a_run(tmp_path: Path, value: Any) -> None:
    store = sqlite(tmp_path)
    team = {"name": "solver", "layout": {"x": value}}
    with pytest.raises(ConfigurationError, match="team 'solver' cannot be recorded"):
        create_run(store, team=team, input="?", source="web")
    assert store.list_runs().total == 0


async def test_a_silent_workers_run_is_marked_lost_and_taken_up(tmp_path: Path) -> None:
    store = sqlite(tmp_path)
    run = queue(store)
    # Somebody claimed it and was never heard of again.
    assert store.claim("dead", ttl_s=0.0, run_id=run.run_id) is not None
    pump, task = await pumping(store, builder(store))
    (record,) = await until_ended(store, run.run_id)
    await pump.stop()
    await task
    assert record.status == "finished"


async def test_the_reaper_names_the_worker_and_its_last_heartbeat(tmp_path: Path) -> None:
    store = sqlite(tmp_path)
    team, _ = build(SOLVER, ScriptedModel([]))
    record = create_run(
        store,
        team=msgspec.to_builtins(team),
        input="?",
        source="script",
        worker="dead",
        lease_ttl_s=0.0,
    )
    assert reap(store, "web") == [record.run_id]
    last = read_log(store, record.run_id)[-1].payload
    assert isinstance(last, RunLost)
    assert last.worker == "dead"
    assert store.get_run(record.run_id).status == "lost"
    assert reap(store, "web") == []


@pytest.mark.parametrize("status", ["queued", "lost"])
async def test_a_run_that_nobody_holds_is_cancelled_at_once(tmp_path: Path, status: str) -> None:
    store = sqlite(tmp_path)
    run = queue(store)
    if status == "lost":
        lease = store.claim("dead", ttl_s=60, run_id=run.run_id)
        assert lease is not None
        control.write_alone(store, lease, RunLost("dead", 0))
    record = control.cancel(store, run.run_id, by="ann")
    assert record.status == "cancelled"
    assert read_log(store, run.run_id)[-1].kind == "run.cancelled"
    assert store.claim("w", ttl_s=1) is None


async def test_higher_priority_goes_first(tmp_path: Path) -> None:
    store = sqlite(tmp_path)
    late, early = queue(store), queue(store, priority=5)
    first = store.claim("w", ttl_s=60)
    second = store.claim("w", ttl_s=60)
    assert first is not None and second is not None
    assert (first.run_id, second.run_id) == (early.run_id, late.run_id)
