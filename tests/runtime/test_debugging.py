"""Holding a run, changing what its nodes see, and letting it go on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from aworld.agents.runner import parts_of
from aworld.bus.doorbell import Doorbell
from aworld.errors import AWorldError, ConfigurationError
from aworld.events.action import ToolReturned
from aworld.events.control import EditApplied
from aworld.events.model import LlmRequested, LlmResponded
from aworld.events.run import RunFinished
from aworld.llm.base import ModelRequest
from aworld.llm.scripted import ScriptedModel
from aworld.runtime import control
from aworld.runtime.fork import fork_run, plan
from aworld.runtime.launch import create_run, created_lease
from aworld.runtime.machine import is_derived
from aworld.runtime.recovery import read_log
from aworld.runtime.replay import replay
from aworld.runtime.supervisor import Supervisor
from aworld.storage.base import RunRecord, Store
from tests.teams import SOLVER, build, call, kinds, nodes, sqlite


def honest(request: ModelRequest) -> str:
    """A model that repeats the last tool result as its answer."""
    return f"Answer: {request.messages[-1].content}"


class Session:
    """A run under a debugger's hand."""

    def __init__(
        self, folder: Path, replies: list[Any], breakpoints: list[dict[str, Any]] | None = None
    ) -> None:
        self.store: Store = sqlite(folder)
        self.replies = replies
        self.team, self.built = build(SOLVER, ScriptedModel(replies))
        team = {**msgspec.to_builtins(self.team), "breakpoints": breakpoints or []}
        self.record = create_run(
            self.store, team=team, input="?", source="script", worker="w", lease_ttl_s=60
        )
        self.begin(created_lease(self.record))

    def begin(self, lease: Any, replies: list[Any] | None = None) -> None:
        if replies is not None:
            self.team, self.built = build(SOLVER, ScriptedModel(replies))
        parts = parts_of(self.built, self.store, self.record, Doorbell(""))
        self.supervisor = Supervisor(self.store, lease, parts.nodes, parts.make_gate)
        self.task = asyncio.create_task(self.supervisor.run())

    async def until(self, reached: Callable[[RunRecord], bool]) -> None:
        async with asyncio.timeout(20):
            while not reached(self.store.get_run(self.record.run_id)):
                for command in self.store.commands(
                    self.record.run_id, after=self.supervisor.next_command - 1
                ):
                    self.supervisor.command(command)
                await asyncio.sleep(0.005)

    async def paused(self, after: int = -1) -> None:
        await self.until(lambda run: run.status == "paused" and run.last_seq > after)

    async def finished(self) -> RunRecord:
        await self.until(lambda run: run.status in {"finished", "failed"})
        return await self.task

    def log(self) -> list[Any]:
        return read_log(self.store, self.record.run_id)

    async def crash(self) -> None:
        """The worker vanishes; another one takes the run up."""
        self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)
        lease = self.store.claim("other", ttl_s=60, run_id=self.record.run_id)
        self.begin(lease)


ON_RESULT = {"id": "b1", "when": "after", "kinds": ["tool.returned"]}
BEFORE_TOOL = {"id": "b2", "when": "before", "kinds": ["tool.called"]}
WRONG = call("calculator", {"expression": "2+2+1"})


async def test_a_bad_result_is_edited_and_the_run_succeeds(tmp_path: Path) -> None:
    session = Session(tmp_path, [WRONG, honest], [ON_RESULT])
    await session.paused()
    bad = session.log()[-3]
    assert bad.payload.text == "5"
    control.edit(
        session.store,
        session.record.run_id,
        bad.seq,
        {"text": "4"},
        nodes=nodes(SOLVER),
        by="ann",
    )
    control.resume(session.store, session.record.run_id, by="ann")
    record = await session.finished()
    assert record.answer == "Answer: 4"
    edit = next(e.payload for e in session.log() if isinstance(e.payload, EditApplied))
    assert (edit.by, edit.target, edit.before["text"], edit.after["text"]) == (
        "ann",
        bad.seq,
        "5",
        "4",
    )
    assert replay(record.run_id, session.log(), nodes(SOLVER)).identical


async def test_the_same_by_a_fork_from_the_recorded_run(tmp_path: Path) -> None:
    session = Session(tmp_path, [WRONG, honest])
    parent = await session.finished()
    assert parent.answer == "Answer: 5"
    log = session.log()
    bad = next(e for e in log if e.kind == "tool.returned")
    fork = fork_run(
        session.store,
        parent.run_id,
        bad.seq,
        nodes=nodes(SOLVER),
        edits={bad.seq: {"text": "4"}},
        by="ann",
    )
    session.record = fork
    lease = session.store.claim("w", ttl_s=60)
    session.begin(lease, [honest])
    done = await session.finished()
    assert done.answer == "Answer: 4"
    forked = session.log()
    assert [e.payload for e in forked[: bad.seq + 1]] == [e.payload for e in log[: bad.seq + 1]]
    assert [e.seq for e in forked] == list(range(len(forked)))
    assert replay(done.run_id, forked, nodes(SOLVER)).identical
    # What came before the fork was not asked again.
    assert kinds(forked).count("llm.requested") == 2


async def test_before_a_tool_the_call_is_held_and_a_person_may_answer_instead(
    tmp_path: Path,
) -> None:
    session = Session(tmp_path, [WRONG, honest], [BEFORE_TOOL])
    await session.paused()
    assert "tool.called" not in kinds(session.log())
    held = session.supervisor.held()
    assert held is not None and held.kind == "tool.called"
    control.substitute(
        session.store, session.record.run_id, -1, {"text": "42"}, opened=held, by="ann"
    )
    control.resume(session.store, session.record.run_id, by="ann")
    record = await session.finished()
    assert record.answer == "Answer: 42"
    returned = next(e.payload for e in session.log() if isinstance(e.payload, ToolReturned))
    assert returned.source == "person:ann"
    assert replay(record.run_id, session.log(), nodes(SOLVER)).identical


async def test_a_held_call_passes_once_the_run_is_resumed(tmp_path: Path) -> None:
    session = Session(tmp_path, [WRONG, honest], [BEFORE_TOOL])
    await session.paused()
    control.resume(session.store, session.record.run_id, by="ann")
    assert (await session.finished()).answer == "Answer: 5"
    assert replay(session.record.run_id, session.log(), nodes(SOLVER)).identical


async def test_a_step_lets_one_wish_of_the_nodes_come_true(tmp_path: Path) -> None:
    first = {"id": "b", "when": "after", "kinds": ["llm.requested"], "once": True}
    session = Session(tmp_path, [WRONG, honest], [first])
    await session.paused()
    wishes: list[list[str]] = []
    while session.store.get_run(session.record.run_id).status == "paused":
        last = session.supervisor.last_seq
        control.step(session.store, session.record.run_id, by="ann")
        await session.until(
            lambda run, last=last: run.last_seq > last + 1 and run.status != "running"  # type: ignore[misc]
        )
        new = [event for event in session.log() if event.seq > last]
        wishes.append([e.kind for e in new if is_derived(e) or e.kind == "run.finished"])
    await session.finished()
    assert all(len(one) <= 1 for one in wishes)
    assert [kind for one in wishes for kind in one] == [
        "tool.called",
        "llm.requested",
        "message.sent",
        "run.finished",
    ]
    assert replay(session.record.run_id, session.log(), nodes(SOLVER)).identical


@pytest.mark.parametrize("breakpoint", [ON_RESULT, BEFORE_TOOL], ids=["after", "before"])
async def test_a_held_run_stays_held_when_its_worker_dies(
    tmp_path: Path, breakpoint: dict[str, Any]
) -> None:
    session = Session(tmp_path, [WRONG, honest], [breakpoint])
    await session.paused()
    last = session.supervisor.last_seq
    await session.crash()
    await session.paused(after=last)
    control.resume(session.store, session.record.run_id, by="ann")
    record = await session.finished()
    assert record.answer == "Answer: 5"
    assert kinds(session.log()).count("tool.called") == 1
    assert replay(record.run_id, session.log(), nodes(SOLVER)).identical


async def test_an_edited_prompt_is_what_the_model_sees(tmp_path: Path) -> None:
    stop = {"id": "b", "when": "before", "kinds": ["llm.requested"], "once": True}
    seen: list[ModelRequest] = []

    def watch(request: ModelRequest) -> str:
        seen.append(request)
        return "Answer: 1"

    session = Session(tmp_path, [watch], [stop])
    await session.paused()
    joined = next(e for e in session.log() if e.kind == "node.joined" and e.actor == "solver")
    run_id = session.record.run_id
    edit = {"instructions": "Say one."}
    control.edit(session.store, run_id, joined.seq, edit, nodes=nodes(SOLVER), by="ann")
    control.resume(session.store, run_id, by="ann")
    await session.finished()
    assert seen[0].messages[0].content == "Say one."
    assert replay(run_id, session.log(), nodes(SOLVER)).identical


async def test_what_was_acted_on_cannot_be_edited_but_says_where_to_fork(tmp_path: Path) -> None:
    stop = {"id": "b", "when": "after", "kinds": ["tool.returned"]}
    session = Session(tmp_path, [WRONG, honest], [stop])
    await session.paused()
    answer = next(e for e in session.log() if isinstance(e.payload, LlmResponded))
    run_id = session.record.run_id
    other = {"tool_calls": [{"id": "x", "name": "calculator", "arguments": {"expression": "9"}}]}
    with pytest.raises(AWorldError, match=f"Fork the run at step {answer.seq}"):
        control.edit(session.store, run_id, answer.seq, other, nodes=nodes(SOLVER), by="a")
    with pytest.raises(ConfigurationError, match="cannot be edited"):
        control.edit(session.store, run_id, 0, {"input": "!"}, nodes=nodes(SOLVER), by="a")
    with pytest.raises(ConfigurationError, match="no field 'colour'"):
        control.edit(
            session.store, run_id, answer.seq + 2, {"colour": 1}, nodes=nodes(SOLVER), by="a"
        )
    control.cancel(session.store, run_id, by="ann")
    await session.until(lambda run: run.status == "cancelled")


@pytest.mark.parametrize(
    ("policies", "answer", "source"),
    [
        ({"calculator": "replay"}, "Answer: 5", "replay:"),
        ({"calculator": "mock:7"}, "Answer: 7", "mock"),
        ({"*": "live"}, "Answer: 5", ""),
    ],
)
async def test_a_fork_obeys_its_policies(
    tmp_path: Path, policies: dict[str, str], answer: str, source: str
) -> None:
    session = Session(tmp_path, [WRONG, honest])
    parent = await session.finished()
    at = next(e.seq for e in session.log() if e.kind == "llm.requested")
    planned = plan(session.log(), at - 1, policies)
    assert [effect.what for effect in planned] == ["model", "calculator", "model"]
    session.record = fork_run(
        session.store, parent.run_id, at - 1, nodes=nodes(SOLVER), policies=policies
    )
    session.begin(session.store.claim("w", ttl_s=60), [WRONG, honest])
    done = await session.finished()
    returned = next(e.payload for e in session.log() if isinstance(e.payload, ToolReturned))
    assert done.answer == answer
    assert returned.source.startswith(source)


async def test_a_replayed_model_answers_the_same_prompt_without_being_asked(
    tmp_path: Path,
) -> None:
    session = Session(tmp_path, [WRONG, honest])
    parent = await session.finished()
    session.record = fork_run(
        session.store,
        parent.run_id,
        4,
        nodes=nodes(SOLVER),
        policies={"model": "replay", "*": "replay"},
    )
    session.begin(session.store.claim("w", ttl_s=60), [])
    assert (await session.finished()).answer == "Answer: 5"


async def test_a_call_the_parent_never_made_is_refused_under_replay(tmp_path: Path) -> None:
    session = Session(tmp_path, [WRONG, honest])
    parent = await session.finished()
    session.record = fork_run(
        session.store, parent.run_id, 4, nodes=nodes(SOLVER), policies={"*": "replay"}
    )
    session.begin(
        session.store.claim("w", ttl_s=60), [call("calculator", {"expression": "6"}), honest]
    )
    await session.finished()
    failed = next(e.payload for e in session.log() if e.kind == "tool.failed")
    assert failed.reason == "refused"


async def test_a_fork_of_a_fork_shares_both_prefixes(tmp_path: Path) -> None:
    session = Session(tmp_path, [WRONG, honest])
    parent = await session.finished()
    session.record = fork_run(session.store, parent.run_id, 5, nodes=nodes(SOLVER))
    session.begin(session.store.claim("w", ttl_s=60), [WRONG, honest])
    child = await session.finished()
    at = next(e.seq for e in session.log() if e.kind == "tool.returned")
    session.record = fork_run(
        session.store, child.run_id, at, nodes=nodes(SOLVER), edits={at: {"text": "6"}}
    )
    session.begin(session.store.claim("w", ttl_s=60), [honest])
    grandchild = await session.finished()
    assert grandchild.answer == "Answer: 6"
    assert replay(grandchild.run_id, session.log(), nodes(SOLVER)).identical
    prompts = [e.payload for e in session.log() if isinstance(e.payload, LlmRequested)]
    assert len(prompts) == 2


@pytest.mark.parametrize(
    ("at", "policies", "says"),
    [(999, {}, "no step 999"), (4, {"calculator": "maybe"}, "no policy"), (-1, {}, "no step -1")],
)
async def test_an_impossible_fork_says_why(
    tmp_path: Path, at: int, policies: dict[str, str], says: str
) -> None:
    session = Session(tmp_path, ["Answer: 1"])
    parent = await session.finished()
    with pytest.raises(ConfigurationError, match=says):
        fork_run(session.store, parent.run_id, at, nodes=nodes(SOLVER), policies=policies)
    with pytest.raises(ConfigurationError, match="is its end"):
        fork_run(session.store, parent.run_id, parent.last_seq, nodes=nodes(SOLVER))
    assert session.log()[-1].payload == RunFinished("Answer: 1")
