"""What every store promises of runs and leases."""

from __future__ import annotations

import msgspec
import pytest

from aworld.errors import NotFound, StoreError
from aworld.events.action import EnvironmentSubmitted, EnvironmentVerified, ToolFailed
from aworld.events.model import LlmFailed
from aworld.events.run import RunFailed, RunLost, RunPaused, RunStarted
from aworld.storage.base import ENDED, RunFilter, RunRecord
from tests.contracts.stores import START, Place, event, said, small_run


def ids(place: Place, where: RunFilter | None = None, **options: object) -> list[str]:
    """The listed runs' ids."""
    page = place.store.list_runs(where or RunFilter(), **options)  # type: ignore[arg-type]
    return [run.run_id for run in page.runs]


def test_a_run_is_kept_whole_with_its_time_and_place_in_the_queue(place: Place) -> None:
    given = RunRecord(
        run_id="r", team_name="算术队", team={"agents": [{"name": "solver"}]}, input="求解 🧮",
        task_id="t1", attempt=2, seed=7, source="web", tags=("a", "b"), priority=3,
    )  # fmt: skip
    made = place.store.create_run(given)
    assert made.created_at == START and made.position > 0
    assert place.store.get_run("r") == made
    assert place.open().get_run("r").team == {"agents": [{"name": "solver"}]}


def test_a_run_keeps_its_environments_task_and_takes_its_score_from_the_verdict(
    place: Place,
) -> None:
    task = {"id": "t", "data": {"a.b": ["$set", 1], "": None}}
    run_id = place.run(environment={"kind": "web", "task": task})
    assert place.store.get_run(run_id).score is None
    place.log(run_id, EnvironmentSubmitted("7"), EnvironmentVerified(0.5, "half"))
    place.log(run_id, *said("thanks"))
    kept = place.open().get_run(run_id)
    assert (kept.score, kept.environment) == (0.5, {"kind": "web", "task": task})
    assert place.store.list_runs().runs[0].score == 0.5


def test_what_is_read_can_be_written_as_json(place: Place) -> None:
    run_id = place.run()
    place.log(run_id, *said("thanks"))
    place.store.put_command(run_id, "pause", {}, by="ann")
    place.store.put_label(run_id, "score", 3, by="ann")
    fresh = place.open()
    page, version = fresh.list_runs(), fresh.version()
    found = (page.runs, page.total, version, fresh.commands(run_id), fresh.labels(run_id))
    again = msgspec.json.decode(msgspec.json.encode(found))
    assert again[0][0]["created_at"] == page.runs[0].created_at
    assert again[1:3] == [1, version]


def test_the_same_run_twice_returns_the_first(place: Place) -> None:
    first = place.store.create_run(RunRecord(run_id="r", team_name="a", team={}, input="1"))
    again = place.store.create_run(RunRecord(run_id="r", team_name="b", team={}, input="2"))
    assert again == first
    assert ids(place) == ["r"]


def test_an_unknown_run_is_named_in_the_error(place: Place) -> None:
    with pytest.raises(NotFound, match="'nobody'"):
        place.store.get_run("nobody")


def test_a_run_s_row_sums_up_its_events(place: Place) -> None:
    place.run()
    place.store.append("r", 0, small_run("r"))
    run = place.store.get_run("r")
    assert (run.status, run.answer, run.last_seq) == ("finished", "2", 7)
    assert (run.started_at, run.finished_at) == (START + 1000, START + 7000)
    assert (run.model_calls, run.tool_calls, run.input_tokens, run.output_tokens) == (1, 1, 20, 5)
    assert run.cost_usd == 0.25 and (run.errors, run.warnings) == (0, 0)


def test_errors_and_retries_are_counted_apart(place: Place) -> None:
    place.run()
    place.log("r", LlmFailed("429", will_retry=True), ToolFailed("t", "no"), RunFailed("gave up"))
    run = place.store.get_run("r")
    assert (run.errors, run.warnings, run.status, run.error) == (2, 1, "failed", "gave up")


def test_a_run_that_goes_on_has_not_finished(place: Place) -> None:
    place.run()
    place.log("r", RunStarted("w"), RunFailed("infrastructure"), RunStarted("w", resumed=True))
    run = place.store.get_run("r")
    assert (run.status, run.finished_at, run.started_at) == ("running", 0, START)


def test_runs_are_found_by_what_they_are(place: Place) -> None:
    place.run("a", team_name="one", source="web", tags=("x", "y"), task_id="t")
    place.run("b", team_name="two", tags=("y",))
    place.store.append("a", 0, small_run("a"))
    place.log("b", ToolFailed("files", "no such file"))
    assert ids(place, RunFilter(teams=("one",))) == ["a"]
    assert ids(place, RunFilter(sources=("web", "rollout"))) == ["a"]
    assert ids(place, RunFilter(tag="y"), order="oldest") == ["a", "b"]
    assert ids(place, RunFilter(tag="x")) == ["a"]
    assert ids(place, RunFilter(task_id="t")) == ["a"]
    assert ids(place, RunFilter(tool="calculator")) == ["a"]
    assert ids(place, RunFilter(with_errors=True)) == ["b"]
    assert ids(place, RunFilter(statuses=("finished",))) == ["a"]
    assert ids(place, RunFilter(min_cost_usd=0.2)) == ["a"]
    assert ids(place, RunFilter(created_after=START)) == []
    assert ids(place, RunFilter(created_before=START + 1), order="oldest") == ["a", "b"]


def test_runs_are_found_by_text_of_input_answer_and_events(place: Place) -> None:
    place.run("a", input="Größe der SONNE")
    place.run("b", input="-")
    place.run("c", input="-")
    place.store.append("b", 0, small_run("b"))
    assert ids(place, RunFilter(text="sonne")) == ["a"]
    assert ids(place, RunFilter(text="计算")) == ["b"]
    place.store.index_text()
    assert ids(place, RunFilter(text="计算")) == ["b"]
    assert ids(place, RunFilter(text="it is 2")) == ["b"]
    assert ids(place, RunFilter(text="nowhere")) == []


def test_a_page_says_how_many_there_are_in_all(place: Place) -> None:
    for number in range(5):
        place.time.pass_seconds(1)
        place.run(f"r{number}")
    page = place.store.list_runs(limit=2, offset=1)
    assert ([run.run_id for run in page.runs], page.total) == (["r3", "r2"], 5)


def test_failures_come_first_then_what_is_running(place: Place) -> None:
    for name in ("queued", "failed", "running", "lost"):
        place.time.pass_seconds(1)
        place.run(name)
    place.log("failed", RunFailed("x"))
    place.log("running", RunStarted("w"))
    place.log("lost", RunLost("w", 0))
    assert ids(place, order="failures_first") == ["lost", "failed", "running", "queued"]


def test_runs_are_counted_by_status(place: Place) -> None:
    place.run("a")
    place.run("b")
    place.store.append("a", 0, small_run("a"))
    counts = place.store.count_by_status()
    assert {status: n for status, n in counts.items() if n} == {"finished": 1, "queued": 1}


def test_the_queue_runs_by_priority_then_position(place: Place) -> None:
    for name in ("a", "b", "c"):
        place.time.pass_seconds(1)
        place.run(name)
    place.store.set_run("c", priority=1)
    first = place.store.get_run("a").position
    place.store.set_run("b", position=first - 1)
    assert ids(place, order="queue") == ["c", "b", "a"]
    claims = [place.store.claim("w", ttl_s=60) for _ in range(4)]
    assert [lease and lease.run_id for lease in claims] == ["c", "b", "a", None]


def test_a_run_is_changed_only_in_the_given_status(place: Place) -> None:
    place.run()
    assert not place.store.set_run("r", status="cancelled", only_if=("running",))
    assert place.store.set_run("r", status="cancelled", tags=["x"], only_if=("queued", "paused"))
    run = place.store.get_run("r")
    assert (run.status, run.tags) == ("cancelled", ("x",))


def test_a_claim_is_held_by_one_and_counts_the_epoch(place: Place) -> None:
    place.run()
    lease = place.store.claim("one", ttl_s=10)
    assert lease == ("r", "one", 1, START + 10_000_000)
    assert place.store.claim("two", ttl_s=10) is None
    assert place.store.claim("two", ttl_s=10, run_id="r") is None
    place.time.pass_seconds(11)
    second = place.store.claim("two", ttl_s=10)
    assert second is not None and second.epoch == 2
    assert place.store.renew(lease, ttl_s=10) is None
    place.store.release(lease)  # Changes nothing: it is not the holder's.
    assert place.store.claim("three", ttl_s=10) is None


def test_a_renewed_lease_goes_on_and_a_released_one_is_free(place: Place) -> None:
    place.run()
    lease = place.store.claim("one", ttl_s=10)
    assert lease is not None
    place.time.pass_seconds(9)
    lease = place.store.renew(lease, ttl_s=10)
    assert lease is not None
    place.time.pass_seconds(9)
    assert place.store.claim("two", ttl_s=10) is None
    place.store.release(lease)
    assert place.store.claim("two", ttl_s=10) is not None


def test_a_running_run_whose_lease_ran_out_is_expired_and_can_be_taken_up(place: Place) -> None:
    place.run()
    lease = place.store.claim("one", ttl_s=10)
    assert lease is not None
    place.store.append("r", lease.epoch, [event("r", 0, RunStarted("one"))])
    assert place.store.expired() == []
    place.time.pass_seconds(11)
    assert [run.run_id for run in place.store.expired()] == ["r"]
    taken = place.store.claim("two", ttl_s=10)
    assert taken is not None and taken.epoch == 2
    assert place.store.expired() == []


def test_a_parked_run_is_taken_only_by_name_and_an_ended_one_never(place: Place) -> None:
    place.run("parked")
    place.store.set_run("parked", status="parked")
    assert place.store.claim("w", ttl_s=10) is None
    assert place.store.claim("w", ttl_s=10, run_id="parked") is not None
    for status in sorted(ENDED):
        place.run(status)
        place.store.set_run(status, status=status)  # type: ignore[arg-type]
        assert place.store.claim("w", ttl_s=10, run_id=status) is None


def test_a_leased_run_is_not_deleted(place: Place) -> None:
    place.run()
    lease = place.store.claim("busy-worker", ttl_s=10)
    assert lease is not None
    with pytest.raises(StoreError, match="'busy-worker'"):
        place.store.delete_run("r")
    place.store.release(lease)
    place.store.delete_run("r")
    with pytest.raises(NotFound):
        place.store.get_run("r")
    with pytest.raises(NotFound):
        place.store.delete_run("r")


def test_a_deleted_run_leaves_nothing_behind_and_takes_no_other_along(place: Place) -> None:
    others = [place.run("before"), place.run()]
    others[1:] = [place.run("after")]
    for run_id in others:
        place.store.append(run_id, 0, small_run(run_id))
    place.store.append("r", 0, small_run("r"))
    place.store.put_label("r", "score", 1, by="ann")
    place.store.put_command("r", "pause", {}, by="ann")
    place.store.put_snapshot("r", 3, b"state")
    place.store.index_text()
    place.store.delete_run("r")
    assert {hit.run_id for hit in place.store.search("计算")} == set(others)
    for run_id in others:
        assert place.store.read(run_id) == small_run(run_id)
        assert sum(place.store.bars(run_id, 3).count) == 8
    place.run()
    assert place.store.read("r") == []
    assert place.store.labels("r") == [] and place.store.commands("r") == []
    assert place.store.latest_snapshot("r") is None
    assert place.store.bars("r", 3).lane == []


def test_the_version_changes_with_every_write_also_of_others(place: Place) -> None:
    other = place.open()
    seen = {place.store.version()}
    assert place.store.version() in seen
    for write in (
        lambda: place.run(),
        lambda: place.log("r", *said("one")),
        lambda: other.append("r", 0, [event("r", 1, RunPaused())]),
        lambda: other.put_command("r", "resume", {}, by="ann"),
    ):
        write()
        version = place.store.version()
        assert version not in seen
        assert place.store.version() == version
        seen.add(version)
    other.close()
