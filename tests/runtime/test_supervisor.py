"""A run from its lease to its end, on scripted models."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest

from aworld.agents.runner import parts_of
from aworld.bus.doorbell import Doorbell
from aworld.errors import ProviderRefused
from aworld.events.action import ToolFailed, ToolOutcomeUnknown
from aworld.events.conversation import MessageSent
from aworld.events.model import LlmRequested
from aworld.events.run import LimitReached, RunFailed, RunFinished
from aworld.events.traits import TERMINAL
from aworld.llm.base import Completion, ToolCall
from aworld.llm.scripted import ScriptedModel
from aworld.runtime import control
from aworld.runtime.launch import create_run, created_lease
from aworld.runtime.recovery import read_log
from aworld.runtime.supervisor import Supervisor
from aworld.tools.base import BaseTool, ToolContext, ToolResult
from tests.teams import PAIR, SOLVER, build, call, kinds, run_team, sqlite


async def test_a_single_agent_calls_its_tool_and_answers(tmp_path: Path) -> None:
    store = sqlite(tmp_path)
    record, events = await run_team(
        store, SOLVER, [call("calculator", {"expression": "23*47"}), "Answer: 1081"]
    )
    assert kinds(events) == [
        "run.created",
        "run.started",
        "node.joined",
        "node.joined",
        "message.sent",
        "llm.requested",
        "llm.responded",
        "tool.called",
        "tool.returned",
        "llm.requested",
        "llm.responded",
        "message.sent",
        "run.finished",
    ]
    assert events[8].payload.text == "1081"  # type: ignore[union-attr]
    assert events[-1].payload == RunFinished("Answer: 1081")
    assert (record.status, record.answer) == ("finished", "Answer: 1081")


async def test_numbers_are_dense_and_times_never_run_backwards(tmp_path: Path) -> None:
    _, events = await run_team(sqlite(tmp_path), PAIR, ["Answer: 1", "VERIFIED: 1 is 1."])
    assert [event.seq for event in events] == list(range(len(events)))
    assert all(a.at <= b.at for a, b in zip(events, events[1:], strict=False))


async def test_a_prompt_is_recorded_as_references_to_the_events_that_carry_it(
    tmp_path: Path,
) -> None:
    _, events = await run_team(
        sqlite(tmp_path), SOLVER, [call("calculator", {"expression": "1+1"}), "Answer: 2"]
    )
    second = [event.payload for event in events if isinstance(event.payload, LlmRequested)][1]
    assert [events[seq].kind for seq in second.context] == [
        "node.joined",
        "message.sent",
        "llm.responded",
        "tool.returned",
    ]


async def test_a_verifier_that_agrees_makes_the_answer_verified(tmp_path: Path) -> None:
    record, events = await run_team(
        sqlite(tmp_path), PAIR, ["Answer: 1081", "VERIFIED: 23*47 is 1081."]
    )
    assert record.status == "finished"
    assert events[-1].payload == RunFinished("Answer: 1081", verified=True)


async def test_a_rejected_answer_goes_back_with_the_objection(tmp_path: Path) -> None:
    _, events = await run_team(
        sqlite(tmp_path),
        PAIR,
        ["Answer: 1080", "REJECTED: 23*47 is 1081.", "Answer: 1081", "VERIFIED: it is."],
    )
    critique = next(
        event.payload
        for event in events
        if isinstance(event.payload, MessageSent) and event.payload.purpose == "critique"
    )
    assert "23*47 is 1081." in critique.content
    assert events[-1].payload == RunFinished("Answer: 1081", verified=True)


async def test_after_the_last_round_the_answer_stands_unverified(tmp_path: Path) -> None:
    _, events = await run_team(
        sqlite(tmp_path),
        {**PAIR, "max_rounds": 1},
        ["Answer: 1", "REJECTED: no.", "Answer: 2", "REJECTED: no."],
    )
    assert events[-1].payload == RunFinished("Answer: 2", verified=False)


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (call("abacus", {}), "There is no tool 'abacus'. Your tools: calculator."),
        (
            Completion("", (ToolCall("a", "calculator", None, "{1", "That is no JSON."),)),
            "That is no JSON.",
        ),
        (call("calculator", {"expression": "1/0"}), "zero"),
        (call("calculator", {"formula": "1"}), "expression"),
        ("", "Your answer was empty"),
    ],
    ids=["unknown tool", "malformed call", "tool error", "wrong arguments", "nothing at all"],
)
async def test_what_a_model_gets_wrong_is_its_next_input(
    tmp_path: Path, reply: Any, told: str
) -> None:
    team, built = build(SOLVER, model := ScriptedModel([reply, "Answer: 1"]))
    store = sqlite(tmp_path)
    record, _ = await run_team(store, SOLVER, [reply, "Answer: 1"])
    assert record.status == "finished"
    del team, built, model
    log = read_log(store, record.run_id)
    second = [event for event in log if event.kind == "llm.requested"][1]
    assert isinstance(second.payload, LlmRequested)
    last = log[second.payload.context[-1]].payload
    text = last.error if isinstance(last, ToolFailed) else last.content  # type: ignore[union-attr]
    assert told in text


async def test_three_useless_answers_in_a_row_end_the_run(tmp_path: Path) -> None:
    record, events = await run_team(sqlite(tmp_path), SOLVER, ["", "", "", "Answer: 1"])
    assert record.status == "failed"
    assert "3 answers in a row" in record.error
    assert kinds(events).count("llm.requested") == 3


async def test_the_same_call_failing_three_times_in_a_row_ends_the_run(tmp_path: Path) -> None:
    again = call("calculator", {"expression": "12/0"})
    record, events = await run_team(sqlite(tmp_path), SOLVER, [again] * 5)
    assert record.status == "failed"
    assert 'calculator({"expression":"12/0"})' in record.error
    assert kinds(events).count("tool.failed") == 3


async def test_parallel_calls_run_together_and_answer_in_the_models_order(tmp_path: Path) -> None:
    started = asyncio.Event()

    class Slow(BaseTool):
        name, description, effect = "slow", "Waits for the other.", "read_only"

        def get_schema(self) -> dict[str, Any]:
            return {"type": "object", "properties": {}}

        async def run(self, context: ToolContext, **arguments: Any) -> ToolResult | str:
            await started.wait()
            return "slow"

    class Quick(Slow):
        name = "quick"

        async def run(self, context: ToolContext, **arguments: Any) -> ToolResult | str:
            started.set()
            return "quick"

    both = Completion("", (ToolCall("a", "slow", {}), ToolCall("b", "quick", {})), "tool_calls")
    team = {**SOLVER, "agents": [{"name": "solver", "model": "m", "tools": ["slow", "quick"]}]}
    _, events = await run_team(
        sqlite(tmp_path), team, [both, "Done."], tools={"slow": Slow(), "quick": Quick()}
    )
    assert [e.payload.tool for e in events if e.kind == "tool.returned"] == ["quick", "slow"]  # type: ignore[union-attr]
    second = [e.payload for e in events if isinstance(e.payload, LlmRequested)][1]
    assert [events[s].payload.tool for s in second.context[-2:]] == ["slow", "quick"]  # type: ignore[union-attr]


async def test_a_providers_refusal_fails_the_run_with_its_words(tmp_path: Path) -> None:
    record, events = await run_team(
        sqlite(tmp_path), SOLVER, [ProviderRefused("401: bad key xyz", status=401)]
    )
    assert record.status == "failed"
    assert "bad key xyz" in record.error
    assert "llm.failed" in kinds(events)


async def test_a_step_limit_stops_the_run_and_says_so(tmp_path: Path) -> None:
    team = {**SOLVER, "limits": {"steps": 2}}
    again = call("calculator", {"expression": "1+1"})
    _, events = await run_team(sqlite(tmp_path), team, [again, again, again])
    assert events[-2].payload == LimitReached("steps", 2.0, 2.0)
    assert isinstance(events[-1].payload, RunFailed)
    assert events[-1].payload.outcome == "limit"


async def test_a_time_limit_ends_a_call_that_hangs(tmp_path: Path) -> None:
    team = {**SOLVER, "limits": {"seconds": 0.05}}
    built_team, built = build(team, ScriptedModel(["x"], delay_s=60))
    store = sqlite(tmp_path)
    record = create_run(
        store,
        team=msgspec.to_builtins(built_team),
        input="?",
        source="script",
        worker="w",
        lease_ttl_s=30,
    )
    parts = parts_of(built, store, record, Doorbell(""))
    done = await Supervisor(store, created_lease(record), parts.nodes, parts.make_gate).run()
    events = read_log(store, record.run_id)
    assert done.status == "failed"
    assert [e.kind for e in events[-3:]] == ["limit.reached", "llm.failed", "run.failed"]


async def test_a_nodes_own_fault_fails_the_run_with_its_traceback(tmp_path: Path) -> None:
    built_team, built = build(SOLVER, ScriptedModel(["x"]))

    class Broken(type(built.nodes[0])):  # type: ignore[misc]
        def decide(self, state: Any) -> Any:
            raise ZeroDivisionError("in decide")

    built.nodes[0].__class__ = Broken
    store = sqlite(tmp_path)
    record = create_run(
        store,
        team=msgspec.to_builtins(built_team),
        input="?",
        source="script",
        worker="w",
        lease_ttl_s=30,
    )
    parts = parts_of(built, store, record, Doorbell(""))
    done = await Supervisor(store, created_lease(record), parts.nodes, parts.make_gate).run()
    error = next(e.payload for e in read_log(store, record.run_id) if e.kind == "error.raised")
    assert done.status == "failed"
    assert "in decide" in error.traceback  # type: ignore[union-attr]


class Held:
    """A supervised run whose model waits until it is let go."""

    def __init__(self, folder: Path, replies: list[Any], team: dict[str, Any] = SOLVER) -> None:
        self.store = sqlite(folder)
        self.let_go = asyncio.Event()
        self.asked = asyncio.Event()

        async def wait(_: float) -> None:
            self.asked.set()
            await self.let_go.wait()

        self.team, self.built = build(team, ScriptedModel(replies, delay_s=1, sleep=wait))
        self.record = create_run(
            self.store,
            team=msgspec.to_builtins(self.team),
            input="?",
            source="script",
            worker="w",
            lease_ttl_s=60,
        )
        self.supervisor = self.supervise()

    def supervise(self, **options: Any) -> Supervisor:
        parts = parts_of(self.built, self.store, self.record, Doorbell(""))
        lease = created_lease(self.store.get_run(self.record.run_id))
        return Supervisor(self.store, lease, parts.nodes, parts.make_gate, **options)

    def obey(self) -> None:
        run_id = self.record.run_id
        for command in self.store.commands(run_id, after=self.supervisor.next_command - 1):
            self.supervisor.command(command)

    def log(self) -> list[str]:
        return kinds(read_log(self.store, self.record.run_id))


async def test_cancel_closes_what_is_open_and_names_who(tmp_path: Path) -> None:
    held = Held(tmp_path, ["x"])
    running = asyncio.create_task(held.supervisor.run())
    await held.asked.wait()
    await held.supervisor.writer.durable(5)
    control.cancel(held.store, held.record.run_id, by="ann", reason="enough")
    held.obey()
    done = await running
    assert done.status == "cancelled"
    assert held.log()[-2:] == ["llm.failed", "run.cancelled"]


async def test_pause_lets_calls_finish_but_nothing_new_begin(tmp_path: Path) -> None:
    held = Held(tmp_path, [call("calculator", {"expression": "1+1"}), "Answer: 2"])
    running = asyncio.create_task(held.supervisor.run())
    await held.asked.wait()
    await held.supervisor.writer.durable(5)
    control.pause(held.store, held.record.run_id, by="ann")
    held.obey()
    held.let_go.set()
    while held.store.get_run(held.record.run_id).last_seq < 7:
        await held.supervisor.writer.durable(7)
    assert held.log()[-2:] == ["run.paused", "llm.responded"]
    control.resume(held.store, held.record.run_id, by="ann")
    held.obey()
    assert (await running).status == "finished"


async def test_a_paused_run_parks_and_is_taken_up_again(tmp_path: Path) -> None:
    held = Held(tmp_path, [call("calculator", {"expression": "1+1"}), "Answer: 2"])
    held.supervisor = held.supervise(park_after_s=0.01)
    running = asyncio.create_task(held.supervisor.run())
    await held.asked.wait()
    await held.supervisor.writer.durable(5)
    control.pause(held.store, held.record.run_id, by="ann")
    held.obey()
    held.let_go.set()
    assert (await running).status == "parked"
    control.resume(held.store, held.record.run_id, by="ann")
    lease = held.store.claim("other", ttl_s=30)
    assert lease is not None
    parts = parts_of(held.built, held.store, held.record, Doorbell(""))
    second = Supervisor(held.store, lease, parts.nodes, parts.make_gate)
    held.supervisor = second
    again = asyncio.create_task(second.run())
    await asyncio.sleep(0)
    held.obey()
    assert (await again).status == "finished"
    assert held.log().count("run.parked") == 1


@pytest.mark.parametrize("effect", ["read_only", "unsafe"])
async def test_a_crash_between_call_and_result_repeats_only_what_may_be(
    tmp_path: Path, effect: str
) -> None:
    calls: list[int] = []
    hang = asyncio.Event()

    class Counted(BaseTool):
        name, description = "counted", "Counts its calls."

        def get_schema(self) -> dict[str, Any]:
            return {"type": "object", "properties": {}}

        async def run(self, context: ToolContext, **arguments: Any) -> ToolResult | str:
            calls.append(1)
            if len(calls) == 1:
                hang.set()
                await asyncio.Event().wait()
            return "done"

    Counted.effect = effect  # type: ignore[assignment]
    team = {**SOLVER, "agents": [{"name": "solver", "model": "m", "tools": ["counted"]}]}
    model = ScriptedModel([call("counted", {}), "Answer: 1"])
    built_team, built = build(team, model, {"counted": Counted()})
    store = sqlite(tmp_path)
    record = create_run(
        store,
        team=msgspec.to_builtins(built_team),
        input="?",
        source="script",
        worker="first",
        lease_ttl_s=0.0,
    )
    parts = parts_of(built, store, record, Doorbell(""))
    first = Supervisor(store, created_lease(record), parts.nodes, parts.make_gate)
    crashed = asyncio.create_task(first.run())
    await hang.wait()
    await first.writer.durable(7)
    # The worker is gone without a word: another one claims the run over it.
    lease = store.claim("second", ttl_s=30, run_id=record.run_id)
    assert lease is not None
    crashed.cancel()
    await asyncio.gather(crashed, return_exceptions=True)
    _, again = build(team, model, {"counted": Counted()})
    parts = parts_of(again, store, record, Doorbell(""))
    done = await Supervisor(store, lease, parts.nodes, parts.make_gate).run()
    events = read_log(store, record.run_id)
    assert done.status == "finished"
    assert "run.lost" in kinds(events)
    assert len(calls) == (2 if effect == "read_only" else 1)
    unknown = [e for e in events if isinstance(e.payload, ToolOutcomeUnknown)]
    assert len(unknown) == (0 if effect == "read_only" else 1)
    assert [e.kind for e in events if e.kind in TERMINAL] == ["run.finished"]
