"""Drives one run from its lease to its end. The only writer of `run.*`.

One loop: take the next recorded event, fold it, ask the nodes it touched, record what they want,
start the effects. Effects are tasks that come back as events. All on one event loop, so nothing
here is locked.
"""

from __future__ import annotations

import asyncio
import traceback
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from aworld.errors import StaleEpoch
from aworld.events.action import ToolCalled, ToolOutcomeUnknown
from aworld.events.conversation import MessageSent, PersonAnswered
from aworld.events.model import LlmFailed, LlmRequested
from aworld.events.run import (
    ErrorRaised,
    LimitReached,
    NodeLeft,
    RunCancelled,
    RunFailed,
    RunLost,
    RunParked,
    RunPaused,
    RunResumed,
    RunStarted,
)
from aworld.events.traits import TERMINAL, opens_span
from aworld.events.union import AnyPayload, Event, draft
from aworld.llm.base import ModelRequest, Parameters
from aworld.runtime.control import LEASE_S
from aworld.runtime.effect_tasks import EffectTasks
from aworld.runtime.effects import Gate
from aworld.runtime.limits import Account
from aworld.runtime.node import AnyNode
from aworld.runtime.recorder import Recorder
from aworld.runtime.recovery import TakenUp, cut_off, take_up
from aworld.runtime.replay import Replay
from aworld.storage.base import Command, Lease, RunRecord, Store
from aworld.storage.sink import LogWriter

PARK_AFTER_S = 60.0
"""How long a paused run keeps its worker."""

GateFactory = Callable[["Supervisor"], Gate]


class Supervisor:
    """One run on this worker. Make it, then await `run()` once."""

    def __init__(
        self,
        store: Store,
        lease: Lease,
        nodes: Sequence[AnyNode],
        make_gate: GateFactory,
        *,
        late: Sequence[AnyNode] = (),
        on_durable: Callable[[int], None] | None = None,
        park_after_s: float = PARK_AFTER_S,
        keep_open: bool = False,
    ) -> None:
        """`late` nodes joined while the run ran before; they are needed to take it up again.
        `on_durable(seq)` is told whenever more of the log is in the store. With `keep_open` the
        run waits for somebody to join or speak where it would else fail for want of work."""
        self._store = store
        self._lease = lease
        self._nodes = list(nodes)
        self._late = list(late)
        self._park_after_s = park_after_s
        self._keep_open = keep_open
        self._commands: deque[Command] = deque()
        self._next_command = 0
        self._park_at: float | None = None
        self._lost = False
        self._ending = False
        self._parked = False
        self._driving = False
        self._recorder = Recorder(store, lease, on_durable)
        self._gate = make_gate(self)
        self._effects = EffectTasks(
            self._gate, self._make_request, self._recorder.close_span, self._effect_failed
        )
        self._replay: Replay
        self._account: Account

    @property
    def run_id(self) -> str:
        """The run it drives."""
        return self._lease.run_id

    @property
    def writer(self) -> LogWriter:
        """What writes the log; `durable(seq)` waits for the store."""
        return self._recorder.writer

    @property
    def last_seq(self) -> int:
        """The newest seq given; -1 while the run is being taken up."""
        return self._recorder.last_seq

    @property
    def next_command(self) -> int:
        """Commands with a smaller number have been carried out or are under way."""
        return self._next_command

    def command(self, command: Command) -> None:
        """Hand in a command; each number counts once. Call on the loop's thread."""
        if command.number >= self._next_command:
            self._next_command = command.number + 1
            self._commands.append(command)
            if self._driving:
                self._take_commands()
            self._recorder.wake.set()

    def join(self, node: AnyNode) -> None:
        """Let a node take part from now on."""
        self._replay.late[node.name] = node
        self._recorder.write(self._replay.drafter.joined(node))

    def leave(self, name: str, *, reason: str = "") -> None:
        """Let a node take part no longer."""
        self._recorder.write(draft(self.run_id, name, NodeLeft(reason)))

    def tell(self, person: str, payload: MessageSent, *recipients: str) -> Event:
        """Record a person's message to some nodes."""
        return self._recorder.write(
            draft(self.run_id, f"person:{person}", payload, recipients=recipients)
        )

    def lease_lost(self) -> None:
        """Another worker has the run: stop without another word. Call on the loop's thread."""
        self._lost = True
        self._recorder.wake.set()

    async def run(self) -> RunRecord:
        """Drive the run until it ends, is parked, or the lease is lost.

        Raises:
            StaleEpoch: the lease was lost; whoever holds it now goes on from the log.
        """
        record = await asyncio.to_thread(self._store.get_run, self.run_id)
        try:
            await self._take_up(record)
            await self._drive()
        except StaleEpoch:
            self._lost = True
        finally:
            await self._close()
        if self._lost:
            raise StaleEpoch(f"Run {self.run_id!r} is written by another worker now.")
        return await asyncio.to_thread(self._store.get_run, self.run_id)

    # -- taking a run up -------------------------------------------------------------------------

    async def _take_up(self, record: RunRecord) -> None:
        taken = await asyncio.to_thread(take_up, self._store, record, self._nodes, self._late)
        self._account, self._replay = taken.account, taken.replay
        self._next_command = max(self._next_command, taken.next_command)
        self._recorder.open(after=taken.last_seq, last_at=taken.last_at)
        if self._replay.ended:
            return
        self._announce(record, taken)
        if taken.failure is None:
            self._go_on()
        if self._replay.machine.paused:
            self._park_at = asyncio.get_running_loop().time() + self._park_after_s

    def _announce(self, record: RunRecord, taken: TakenUp) -> None:
        if not taken.fresh and record.status in {"running", "paused"}:
            last_heartbeat = record.lease_until - int(LEASE_S * 1e6)
            self._recorder.say(RunLost(worker=record.worker, last_heartbeat=last_heartbeat))
        self._recorder.say(
            RunStarted(worker=self._lease.worker, epoch=self._lease.epoch, resumed=not taken.fresh)
        )
        if self._replay.machine.paused:
            # Being started made its row say `running`.
            self._recorder.say(RunPaused(reason="It was paused when its worker stopped."))
        if taken.fresh:
            for node in self._nodes:
                self._recorder.write(self._replay.drafter.joined(node))
        if taken.failure is not None:
            self._fail(taken.failure)

    def _go_on(self) -> None:
        """Carry out what the log promised but does not show, and effects that were under way."""
        for opened in list(self._replay.open_spans.values()):
            self._begin_again(opened)
        left_over = list(self._replay.expected)
        self._replay.expected.clear()
        for wanted in left_over:
            self._perform(wanted)

    def _begin_again(self, opened: Event) -> None:
        payload = opened.payload
        if isinstance(payload, ToolCalled) and payload.effect == "unsafe":
            self._recorder.close_span(opened, ToolOutcomeUnknown(payload.tool, payload.call_id))
            return
        if isinstance(payload, LlmRequested):
            note = LlmFailed(
                "The worker stopped during the call; it is made again.", will_retry=True
            )
            self._recorder.close_span(opened, note)
        self._effects.start(opened)

    # -- the loop --------------------------------------------------------------------------------

    async def _drive(self) -> None:
        self._driving = True
        while not self._over():
            self._recorder.wake.clear()
            self._take_commands()
            self._fold_inbox()
            if self._lost:
                return
            if self._over():
                return
            if not self._recorder.inbox and not self._commands:
                self._check_standstill()
                if not self._recorder.inbox:
                    await self._wait()
            await self._recorder.keep_up()

    def _over(self) -> bool:
        return self._replay.ended or self._parked

    def _fold_inbox(self) -> None:
        while self._recorder.inbox and not self._replay.ended:
            event = self._recorder.inbox.popleft()
            self._account.add(event)
            try:
                self._replay.follow(event)
                wishes = self._replay.machine.wishes()
                for wish in wishes:
                    if self._ending:
                        break
                    self._perform(self._replay.drafter.draft(wish))
            except Exception as error:  # a node's own code: the run ends, the worker goes on
                self._fail(error)

    def _perform(self, wanted: Event) -> None:
        """Record what a node wants, and begin it where it is an effect."""
        kind = wanted.kind
        if kind in TERMINAL:
            self._end(wanted.payload, wanted.caused_by)
            return
        if kind == "llm.requested":
            reached = self._account.reached(self._recorder.now())
            if reached is not None:
                self._end_by_limit(reached)
                return
        event = self._recorder.write(wanted)
        if opens_span(event):
            self._effects.start(event)

    def _make_request(self, asked: LlmRequested) -> ModelRequest:
        parameters = msgspec.convert(asked.parameters, Parameters)
        return self._replay.drafter.book.request(asked.context, parameters)

    def _effect_failed(self, error: Exception) -> None:
        if isinstance(error, StaleEpoch):
            self.lease_lost()
        elif not self._ending:
            self._fail(error)

    def _check_standstill(self) -> None:
        waits = self._effects.running or self._replay.machine.paused or self._replay.open_spans
        if waits or self._ending or self._keep_open:
            return
        self._end(
            RunFailed(
                error="Nobody in the team has anything left to do, and there is no answer.",
                outcome="no_answer",
            )
        )

    async def _wait(self) -> None:
        timeout = self._timeout()
        try:
            await asyncio.wait_for(self._recorder.wake.wait(), timeout)
        except TimeoutError:
            self._on_timeout()

    def _timeout(self) -> float | None:
        if self._park_at is not None:
            return max(0.0, self._park_at - asyncio.get_running_loop().time())
        if self._replay.machine.paused:
            return None
        return self._account.seconds_left(self._recorder.now())

    def _on_timeout(self) -> None:
        if self._park_at is not None:
            if not self._effects.running:
                self._recorder.say(RunParked())
                self._parked = True
            else:
                self._park_at += 1.0
            return
        reached = self._account.reached(self._recorder.now())
        if reached is not None:
            self._end_by_limit(reached)

    # -- commands --------------------------------------------------------------------------------

    def _take_commands(self) -> None:
        while self._commands and not self._ending:
            command = self._commands.popleft()
            self._obey(command)

    def _obey(self, command: Command) -> None:
        arguments: dict[str, Any] = command.arguments
        if command.name == "cancel":
            reason = str(arguments.get("reason", ""))
            self._end(RunCancelled(by=command.by, reason=reason, command=command.number))
        elif command.name == "pause" and not self._replay.machine.paused:
            self._recorder.say(
                RunPaused(
                    by=command.by, reason=str(arguments.get("reason", "")), command=command.number
                )
            )
            self._park_at = asyncio.get_running_loop().time() + self._park_after_s
        elif command.name == "resume" and self._replay.machine.paused:
            self._park_at = None
            self._recorder.say(RunResumed(by=command.by, command=command.number))
        elif command.name == "answer":
            answered = PersonAnswered(
                str(arguments.get("answer", "")), by=command.by, command=command.number
            )
            self._gate.answer(int(arguments.get("span", -1)), answered)

    # -- the end --------------------------------------------------------------------------------

    def _fail(self, error: BaseException) -> None:
        trace = "".join(traceback.format_exception(error))[-8_000:]
        self._recorder.say(
            ErrorRaised(error=str(error), error_type=type(error).__name__, traceback=trace)
        )
        self._end(RunFailed(error=str(error) or type(error).__name__, outcome="error"))

    def _end_by_limit(self, reached: LimitReached) -> None:
        self._recorder.say(reached)
        unit = "USD" if reached.limit == "cost_usd" else reached.limit
        error = f"The run reached its limit of {reached.allowed:g} {unit}."
        self._end(RunFailed(error=error, outcome="limit"))

    def _end(self, payload: AnyPayload, caused_by: tuple[int, ...] = ()) -> None:
        """Close what is open, then say the last word. What is under way is not waited for."""
        if self._ending:
            return
        self._ending = True
        self._effects.cancel()
        for opened in self._recorder.open_in_inbox(self._replay.open_spans):
            self._recorder.close_span(opened, cut_off(opened))
        self._recorder.say(payload, caused_by)

    async def _close(self) -> None:
        await self._effects.aclose()
        await self._gate.aclose()
        try:
            await self._recorder.aclose()
        except StaleEpoch:
            self._lost = True
        if not self._lost:
            await asyncio.to_thread(self._store.release, self._lease)
