"""A run under random publish, join, leave, pause, crash and resume keeps its promises.

Nodes answer each ping with one call of a tool that must not run twice, and one pong. Whatever
happens in between: numbers are dense, the log replays identical, no call is made twice, and in the
end each ping has its pong.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from aworld.events.action import ToolCalled, ToolFailed, ToolOutcomeUnknown, ToolReturned
from aworld.events.conversation import MessageSent, PersonAnswered
from aworld.events.model import LlmFailed, LlmResponded
from aworld.events.run import NodeJoined
from aworld.events.union import AnyPayload, Event
from aworld.llm.base import ModelRequest
from aworld.runtime.effects import OfEnvironment
from aworld.runtime.launch import create_run
from aworld.runtime.node import CallTool, Intent, Say
from aworld.runtime.recovery import read_log
from aworld.runtime.replay import replay
from aworld.runtime.supervisor import Supervisor
from aworld.storage.base import Command, Lease
from tests.teams import sqlite

NAMES = ("a", "b", "c")
TOOL = {"name": "touch", "description": "", "parameters": {}, "effect": "unsafe"}


class PongState(msgspec.Struct):
    """Pings that wait, and the one at work."""

    waiting: list[tuple[int, str]] = []
    phase: str = "idle"


class PongNode:
    """Touches the world once for each ping, then says pong."""

    role = ""
    topics: tuple[str, ...] = ()
    state_type = PongState

    def __init__(self, name: str) -> None:
        self.name = name

    def joined(self) -> AnyPayload:
        return NodeJoined("agent", tools=(TOOL,))

    def initial(self) -> PongState:
        return PongState()

    def apply(self, state: PongState, event: Event) -> PongState:
        payload = event.payload
        if isinstance(payload, MessageSent) and payload.purpose == "ping":
            state.waiting.append((event.seq, payload.content))
            if state.phase == "idle":
                state.phase = "touch"
        elif event.actor != self.name:
            return state
        elif isinstance(payload, ToolCalled):
            state.phase = "touching"
        elif isinstance(payload, ToolReturned | ToolFailed | ToolOutcomeUnknown):
            state.phase = "say"
        elif isinstance(payload, MessageSent) and payload.purpose == "pong":
            state.waiting.pop(0)
            state.phase = "touch" if state.waiting else "idle"
        return state

    def decide(self, state: PongState) -> list[Intent]:
        if state.phase == "touch":
            seq, content = state.waiting[0]
            return [CallTool(content, "touch", {"ping": content}, (seq,))]
        if state.phase == "say":
            seq, content = state.waiting[0]
            return [Say(MessageSent(content, "pong"), ("nobody",), caused_by=(seq,))]
        return []


class HeldGate:
    """Tool calls that end when the test says so; counts each by its ping."""

    def __init__(self, world: list[str]) -> None:
        self.world = world
        self.open: dict[int, asyncio.Future[None]] = {}

    async def model(
        self, opened: Event, request: ModelRequest, on_retry: Any
    ) -> LlmResponded | LlmFailed:
        raise AssertionError("no model takes part")

    async def tool(self, opened: Event) -> ToolReturned | ToolFailed:
        payload = opened.payload
        assert isinstance(payload, ToolCalled)
        self.world.append(payload.call_id)
        waiting = self.open[opened.seq] = asyncio.get_running_loop().create_future()
        await waiting
        return ToolReturned("touch", "ok", call_id=payload.call_id)

    async def person(self, opened: Event) -> PersonAnswered:
        raise AssertionError("no person takes part")

    async def environment(self, opened: Event) -> OfEnvironment:
        raise AssertionError("no environment takes part")

    def answer(self, span: int, answered: PersonAnswered) -> bool:
        return False

    async def aclose(self) -> None:
        self.open.clear()

    def finish(self) -> None:
        for waiting in self.open.values():
            if not waiting.done():
                waiting.set_result(None)


class RunMachine(RuleBasedStateMachine):
    """One run and what can happen to it."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.store = sqlite(Path(self.folder.name))
        self.loop = asyncio.new_event_loop()
        self.world: list[str] = []
        self.pings: list[str] = []
        self.here = {"a"}
        self.left: set[str] = set()
        self.joined_late: list[str] = []
        self.commands = 0
        record = create_run(
            self.store, team={"limits": {"seconds": None}}, input="", source="script"
        )
        self.run_id = record.run_id
        self.begin()

    def begin(self) -> None:
        lease = self.store.claim("worker", ttl_s=60, run_id=self.run_id)
        assert lease is not None
        self.gate = HeldGate(self.world)

        async def start() -> None:
            self.supervisor = self.supervise(lease)
            self.task = self.loop.create_task(self.supervisor.run())

        self.loop.run_until_complete(start())
        self.settle()

    def do(self, action: Callable[[], object]) -> None:
        """Act on the run's own loop, then let it go on."""

        async def act() -> None:
            action()

        self.loop.run_until_complete(act())
        self.settle()

    def supervise(self, lease: Lease) -> Supervisor:
        return Supervisor(
            self.store,
            lease,
            [PongNode("a")],
            lambda _: self.gate,
            late=[PongNode(name) for name in self.joined_late],
            park_after_s=3600,
            keep_open=True,
        )

    def settle(self) -> None:
        """Let the run do all it can by itself, and the store have it."""

        async def quiet() -> None:
            seen = -2
            while not self.task.done() and seen != self.supervisor.last_seq:
                seen = self.supervisor.last_seq
                if seen >= 0:
                    await self.supervisor.writer.durable(seen)
                for _ in range(8):
                    await asyncio.sleep(0)
                if self.supervisor.last_seq < 0:
                    await asyncio.sleep(0.001)
                    seen = -2

        self.loop.run_until_complete(quiet())

    def order(self, name: str) -> None:
        number = self.store.put_command(self.run_id, name, {}, by="test")
        self.do(lambda: self.supervisor.command(Command(number, name, {}, "test", 0)))

    @property
    def paused(self) -> bool:
        return self.store.get_run(self.run_id).status == "paused"

    @rule(to=st.sampled_from(NAMES))
    def publish(self, to: str) -> None:
        if to not in self.here:
            return
        ping = f"ping{len(self.pings)}"
        self.pings.append(ping)
        self.do(lambda: self.supervisor.tell("ann", MessageSent(ping, "ping"), to))

    @rule(name=st.sampled_from(("b", "c")))
    def join(self, name: str) -> None:
        if name in self.here or name in self.left:
            return
        self.here.add(name)
        self.joined_late.append(name)
        self.do(lambda: self.supervisor.join(PongNode(name)))

    @rule(name=st.sampled_from(("b", "c")))
    def leave(self, name: str) -> None:
        if name not in self.here or self.unanswered():
            return
        self.here.discard(name)
        self.left.add(name)
        self.do(lambda: self.supervisor.leave(name))

    @rule()
    def finish_calls(self) -> None:
        self.do(self.gate.finish)

    @precondition(lambda self: not self.paused)
    @rule()
    def pause(self) -> None:
        self.order("pause")
        assert self.paused

    @precondition(lambda self: self.paused)
    @rule()
    def resume(self) -> None:
        self.order("resume")
        assert not self.paused

    @rule()
    def crash(self) -> None:
        """The worker vanishes; another takes the run up from its log."""
        self.task.cancel()
        self.loop.run_until_complete(asyncio.gather(self.task, return_exceptions=True))
        self.begin()

    def unanswered(self) -> list[str]:
        log = read_log(self.store, self.run_id)
        answered = [
            event.payload.content
            for event in log
            if isinstance(event.payload, MessageSent) and event.payload.purpose == "pong"
        ]
        assert len(answered) == len(set(answered))
        return [ping for ping in self.pings if ping not in answered]

    @invariant()
    def numbers_are_dense(self) -> None:
        log = read_log(self.store, self.run_id)
        assert [event.seq for event in log] == list(range(len(log)))

    @invariant()
    def nothing_is_touched_twice(self) -> None:
        assert len(self.world) == len(set(self.world))

    @invariant()
    def the_log_replays_identical(self) -> None:
        report = replay(
            self.run_id,
            read_log(self.store, self.run_id),
            [PongNode("a")],
            [PongNode(name) for name in self.joined_late],
        )
        assert report.difference is None, report.difference

    def teardown(self) -> None:
        try:
            if self.paused:
                self.order("resume")
            while self.unanswered():
                self.do(self.gate.finish)
        finally:
            self.task.cancel()
            self.loop.run_until_complete(asyncio.gather(self.task, return_exceptions=True))
            self.loop.close()
            self.store.close()
            self.folder.cleanup()


class LongRunMachine(RunMachine):
    """The same, 10,000 steps of it."""


def _settings(examples: int, steps: int) -> settings:
    return settings(
        max_examples=examples,
        stateful_step_count=steps,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )


TestRunMachine = RunMachine.TestCase
TestRunMachine.settings = _settings(12, 25)

TestLongRunMachine = pytest.mark.timeout(3600)(pytest.mark.long(LongRunMachine.TestCase))
TestLongRunMachine.settings = _settings(200, 50)
