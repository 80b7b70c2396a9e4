"""Environments inside a run: what is recorded, what agents see, and how it ends."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import msgspec
import pytest

from aworld.agents.nodes import recorded_nodes
from aworld.environments.base import StageLimits, Task
from aworld.environments.record import environment_of
from aworld.errors import ConfigurationError
from aworld.events.conversation import MessageSent
from aworld.events.union import Event, encode_json
from aworld.llm.base import Completion, ToolCall
from aworld.llm.scripted import ScriptedModel
from aworld.runtime import control
from aworld.runtime.launch import create_run
from aworld.runtime.recovery import read_log
from aworld.runtime.replay import replay
from aworld.storage.base import RunRecord
from aworld.storage.sqlite import SqliteStore
from tests.environments.locked_box import PICTURE, Box, task
from tests.runtime.driven import Driven
from tests.teams import PAIR, build, call, kinds, run_team

ALONE: dict[str, Any] = {
    "name": "alone",
    "topology": "single",
    "agents": [{"name": "solver", "role": "solver", "model": "m", "tools": []}],
}
SECRET = "It holds a pearl. Answer: a pearl"
RIGHT: list[Any] = [call("turn", {"clicks": 7}), call("open", {}), SECRET]


async def run_box(
    store: SqliteStore, replies: list[Any], wanted: Task, team: dict[str, Any] = ALONE
) -> tuple[RunRecord, list[Event]]:
    return await run_team(store, team, replies, wanted.question, task=wanted)


def payloads(log: list[Event], kind: str) -> list[Any]:
    return [event.payload for event in log if event.kind == kind]


def is_identical(store: SqliteStore, record: RunRecord, log: list[Event]) -> bool:
    return replay(record.run_id, log, recorded_nodes(store, record)).identical


async def test_a_run_resets_its_world_acts_on_it_and_is_judged(
    store: SqliteStore, box: type[Box]
) -> None:
    record, log = await run_box(store, RIGHT, task())
    assert kinds(log) == [
        "run.created", "run.started", "node.joined", "node.joined", "node.joined",
        "environment.reset", "environment.observed", "message.sent",
        "llm.requested", "llm.responded", "tool.called", "tool.returned",
        "llm.requested", "llm.responded", "tool.called", "tool.returned",
        "llm.requested", "llm.responded", "message.sent",
        "environment.submitted", "environment.verified", "run.finished",
    ]  # fmt: skip
    assert (record.status, record.score, record.errors) == ("finished", 1.0, 0)
    (verdict,) = payloads(log, "environment.verified")
    assert verdict.details == {"open": True, "dial": 7}
    (world,) = box.made
    assert (world.carried_out, world.closed) == (["turn", "open"], 1)


async def test_a_replay_of_an_episode_is_identical_and_makes_no_world(
    store: SqliteStore, box: type[Box]
) -> None:
    record, log = await run_box(store, RIGHT, task())
    report = replay(record.run_id, log, recorded_nodes(store, record))
    assert str(report) == f"identical to step {log[-1].seq}"
    assert len(box.made) == 1


async def test_a_replay_shows_where_the_answer_that_was_judged_has_changed(
    store: SqliteStore, box: type[Box]
) -> None:
    record, log = await run_box(store, RIGHT, task())
    (at,) = [i for i, event in enumerate(log) if event.kind == "environment.submitted"]
    other = msgspec.structs.replace(log[at].payload, answer="another")
    log[at] = msgspec.structs.replace(log[at], payload=other)
    report = replay(record.run_id, log, recorded_nodes(store, record))
    assert report.difference is not None
    assert report.difference.seq == at


async def test_the_task_begins_with_its_question_and_what_is_seen(
    store: SqliteStore, box: type[Box]
) -> None:
    _, log = await run_box(store, RIGHT, task())
    given = payloads(log, "message.sent")[0]
    assert given == MessageSent(
        "Open the box and say what it holds.\n\nWhat you see:\nThe dial is at 0.", "task"
    )


async def test_an_action_has_its_picture_in_the_blob_store_and_the_hash_of_what_was_seen(
    store: SqliteStore, box: type[Box]
) -> None:
    _, log = await run_box(store, RIGHT, task())
    turned = payloads(log, "tool.returned")[0]
    (picture,) = turned.attachments
    assert store.get_blob(picture["blob"]) == PICTURE.data
    assert turned.observation_hash == hashlib.sha256(b"The dial is at 7.").hexdigest()
    (observed,) = payloads(log, "environment.observed")
    assert observed.observation["attachments"] == [picture]


async def test_neither_the_log_nor_any_agent_gets_the_answers_before_the_verdict(
    store: SqliteStore, box: type[Box]
) -> None:
    wanted = task(data={"holds": "SECRET-STONE"})
    record, log = await run_box(store, ["I give up."], wanted)
    told = b"".join(encode_json(event) for event in log)
    assert b"SECRET-STONE" not in told
    assert record.environment["task"]["data"]["holds"] == "SECRET-STONE"


async def test_who_verifies_is_offered_no_action_and_who_answers_is(box: type[Box]) -> None:
    _, built = build(PAIR, _no_model(), task=task())
    actions = {"turn", "open"}
    assert actions <= set(built.tools["solver"])
    assert not actions & set(built.tools["verifier"])


async def test_what_a_tool_does_is_told_to_nobody_and_what_an_action_does_to_the_world(
    store: SqliteStore, box: type[Box]
) -> None:
    replies = [call("calculator", {"expression": "3 + 4"}), *RIGHT]
    (solver,) = ALONE["agents"]
    team = {**ALONE, "agents": [{**solver, "tools": ["calculator"]}]}
    _, log = await run_box(store, replies, task(), team)
    told = [event.recipients for event in log if event.kind.startswith("tool.")]
    assert told == [(), ()] + [("environment",)] * 4


@pytest.mark.parametrize(
    ("said", "judged"),
    [
        ("It is so. Answer: a pearl.", "a pearl"),
        ("Answer: no.\nFINAL ANSWER: a pearl", "Answer: no.\nFINAL ANSWER: a pearl"),
        ("Answer: see \\boxed{7}", "Answer: see \\boxed{7}"),
        ("a pearl, I think", "a pearl, I think"),
    ],
)
async def test_the_environment_judges_the_answer_in_the_form_that_scorers_know(
    store: SqliteStore, box: type[Box], said: str, judged: str
) -> None:
    _, log = await run_box(store, [*RIGHT[:2], said], task())
    assert payloads(log, "environment.submitted")[0].answer == judged


async def test_a_wrong_answer_is_a_finished_run_with_score_zero(
    store: SqliteStore, box: type[Box]
) -> None:
    record, log = await run_box(store, ["Answer: a frog"], task())
    assert (record.status, record.score, record.error) == ("finished", 0.0, "")
    assert is_identical(store, record, log)


async def test_a_task_that_is_not_graded_has_a_verdict_without_a_score(
    store: SqliteStore, box: type[Box]
) -> None:
    record, log = await run_box(store, RIGHT, task(graded=False))
    assert (record.status, record.score) == ("finished", None)
    assert payloads(log, "environment.verified")[0].why == "Nobody grades this."


@pytest.mark.parametrize(
    ("stage", "how", "said"),
    [
        ("reset", "fault", "failed to reset: its hinge broke."),
        ("reset", "crash", "failed to reset: its author slipped."),
        ("reset", "exit", "failed to reset: 3."),
        ("make", "crash", "could not be made: no wood"),
        ("step", "fault", "failed to step: its hinge broke."),
        ("step", "hang", "failed to step: it took longer than 0.5 s."),
        ("verify", "crash", "failed to verify: its author slipped."),
        ("verify", "hang", "failed to verify: it took longer than 0.5 s."),
    ],
)
async def test_a_world_that_breaks_ends_the_run_as_a_fault_of_the_environment(
    store: SqliteStore, box: type[Box], stage: str, how: str, said: str
) -> None:
    record, log = await run_box(store, RIGHT, task(data={stage: how}))
    assert log[-1].kind == "run.failed"
    assert log[-1].payload.outcome == "environment_error"  # type: ignore[union-attr]
    assert (record.status, record.score) == ("failed", None)
    assert said in record.error
    assert "'box' of task 'boxes/plain'" in record.error
    assert is_identical(store, record, log)


async def test_an_action_that_cannot_be_done_is_told_to_the_model_and_the_run_goes_on(
    store: SqliteStore, box: type[Box]
) -> None:
    record, log = await run_box(store, [call("open", {}), *RIGHT], task())
    assert payloads(log, "tool.failed")[0].error == "The box is locked."
    assert record.score == 1.0


async def test_arguments_that_do_not_fit_reach_no_world(store: SqliteStore, box: type[Box]) -> None:
    _, log = await run_box(store, [call("turn", {"clicks": "far"}), *RIGHT], task())
    assert payloads(log, "tool.failed")[0].reason == "malformed_call"
    assert box.made[0].carried_out == ["turn", "open"]


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        ({"max_steps": 1}, "The task allows 1 actions and all are used."),
        ({"seconds": 0.0}, "The task's 0 s are over."),
    ],
)
async def test_actions_beyond_the_tasks_limits_are_refused_with_a_reason(
    store: SqliteStore, box: type[Box], limits: dict[str, Any], said: str
) -> None:
    record, log = await run_box(store, RIGHT, task(**limits))
    refused = payloads(log, "tool.failed")[-1]
    assert refused.reason == "refused"
    assert refused.error == f"{said} Give your final answer now."
    assert (record.status, record.score) == ("finished", 0.0)


async def test_after_the_worlds_last_word_no_action_is_carried_out(
    store: SqliteStore, box: type[Box]
) -> None:
    record, log = await run_box(store, [*RIGHT[:2], call("turn", {"clicks": 1}), SECRET], task())
    assert payloads(log, "tool.failed")[0].reason == "refused"
    assert (box.made[0].dial, record.score) == (7, 1.0)


async def test_actions_asked_for_at_once_are_carried_out_one_after_another(
    store: SqliteStore, box: type[Box]
) -> None:
    turns = tuple(ToolCall(f"call_{i}", "turn", {"clicks": 1}) for i in range(7))
    replies = [Completion("", turns, "tool_calls"), call("open", {}), SECRET]
    record, log = await run_box(store, replies, task())
    seen = [one.data["dial"] for one in payloads(log, "tool.returned")[:7]]
    assert (seen, record.score) == ([1, 2, 3, 4, 5, 6, 7], 1.0)


async def test_a_tasks_time_ends_a_run_that_only_talks(store: SqliteStore, box: type[Box]) -> None:
    record, _ = await run_box(store, RIGHT, task(seconds=200.0))
    created = read_log(store, record.run_id)[0].payload
    assert created.limits.seconds == 260.0  # type: ignore[union-attr]


async def test_a_run_of_an_environment_that_is_not_there_is_refused_before_it_begins(
    store: SqliteStore,
) -> None:
    with pytest.raises(ConfigurationError, match="There is no environment 'box'"):
        await run_box(store, RIGHT, task())
    assert store.list_runs().total == 0


async def test_an_agent_may_not_be_named_as_the_environment_is(box: type[Box]) -> None:
    team = {"name": "t", "agents": [{"name": "environment", "role": "solver", "model": "m"}]}
    with pytest.raises(ConfigurationError, match="Rename the agent"):
        build(team, _no_model(), task=task())


def _no_model() -> ScriptedModel:
    return ScriptedModel([])


async def test_a_run_that_is_cancelled_during_an_action_ends_its_world(
    store: SqliteStore, box: type[Box], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Box, "limits", StageLimits(step_s=600.0))
    wanted = task(data={"step": "hang"})
    record = create_run(
        store,
        team=ALONE,
        input=wanted.question,
        source="script",
        worker="w",
        lease_ttl_s=3600,
        environment=environment_of(wanted),
    )
    driven = Driven(store, record, lambda _: build(ALONE, ScriptedModel(RIGHT), task=wanted)[1])
    await driven.until(lambda run: run.tool_calls == 1)
    control.cancel(store, driven.run_id, by="ann")
    driven.bring()
    await driven.task
    log = driven.log()
    assert kinds(log)[-2:] == ["tool.failed", "run.cancelled"]
    assert payloads(log, "tool.failed")[0].reason == "cancelled"
    assert [world.closed for world in box.made] == [1]
    assert is_identical(store, driven.record, log)


async def test_nothing_of_the_worlds_own_is_left_when_a_run_has_ended(
    store: SqliteStore, box: type[Box], home: Path
) -> None:
    record, _ = await run_box(store, RIGHT, task())
    assert (home / "workspaces" / record.run_id / "turns.txt").is_file()
    assert list((home / "private").iterdir()) == []
