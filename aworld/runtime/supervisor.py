"""Drives one run from its lease to its end. The only writer of `run.*`.

One loop: take the next recorded event, fold it, ask the nodes it touched, record what they want,
start the effects. Effects are tasks that come back as events. All on one event loop, so nothing
here is locked.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Collection, Sequence

from aworld.errors import StaleEpoch
from aworld.events.action import ToolCalled, ToolOutcomeUnknown
from aworld.events.control import EditApplied
from aworld.events.conversation import MessageSent, PersonAnswered, PersonAsked
from aworld.events.model import LlmFailed, LlmRequested
from aworld.events.run import (
    ErrorRaised,
    NodeLeft,
    RunFailed,
    RunLost,
    RunParked,
    RunPaused,
    RunResumed,
    RunStarted,
)
from aworld.events.union import Event, draft
from aworld.runtime.core import RunCore
from aworld.runtime.effects import Gate
from aworld.runtime.machine import SUPERVISOR
from aworld.runtime.node import AnyNode
from aworld.runtime.orders import obey, resume_order
from aworld.runtime.put_aside import can_be_put_aside
from aworld.runtime.questions import Questions, waits_for_leave
from aworld.runtime.recorder import Recorder
from aworld.runtime.recovery import (
    TakenUp,
    armed,
    counted_log,
    last_worker,
    must_not_repeat,
    take_up,
)
from aworld.runtime.snapshots import SnapshotWriter
from aworld.storage.base import Command, Lease, RunRecord, Store
from aworld.storage.sink import LogWriter

PARK_AFTER_S = 60.0
"""How long a paused run keeps its worker."""

GateFactory = Callable[["Supervisor"], Gate]


class Supervisor:
    """One run on this worker. Make it on the loop that drives it, then await `run()` once."""

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
        put_aside: bool = False,
    ) -> None:
        """`late` nodes joined while the run ran before; they are needed to take it up again.
        `on_durable(seq)` is told whenever more of the log is in the store. With `keep_open` the
        run waits for somebody to join or speak where it would else fail for want of work. With
        `put_aside` one that waits for people only is parked after `park_after_s` seconds."""
        self._store = store
        self._lease = lease
        self._nodes = list(nodes)
        self._late = list(late)
        self._park_after_s = park_after_s
        self._keep_open = keep_open
        self._put_aside = put_aside
        self._aside_at: float | None = None
        self._commands: deque[Command] = deque()
        self._next_command = 0
        self._lost = False
        self._parked = False
        self._edit: Event | None = None
        self._recorder = Recorder(store, lease, on_durable)
        self._snapshots = SnapshotWriter(store, lease.run_id, self._recorder.writer.durable)
        self.questions = Questions(store, self._recorder, self._person, self._goes_on)
        """Put to people by the run itself, for calls that wait."""
        self._gate = make_gate(self)
        self._core: RunCore | None = None

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

    def held(self) -> Event | None:
        """The draft that would be carried out next if the run were resumed."""
        core = self._core
        return core.stops.queue[0] if core is not None and core.stops.queue else None

    def command(self, command: Command) -> None:
        """Hand in a command; each number counts once. Call on the loop's thread."""
        if command.number >= self._next_command:
            self._next_command = command.number + 1
            self._commands.append(command)
            self._take_commands()
            self._recorder.wake.set()

    def join(self, node: AnyNode) -> None:
        """Let a node take part from now on."""
        replay = self._running.replay
        self._late.append(node)
        replay.late[node.name] = node
        self._recorder.write(replay.drafter.joined(node))

    def leave(self, name: str, *, reason: str = "") -> None:
        """Let a node take part no longer."""
        self._recorder.write(draft(self.run_id, name, NodeLeft(reason)))

    def tell(self, person: str, payload: MessageSent, *recipients: str) -> Event:
        """Record a person's message to some nodes."""
        return self._recorder.write(
            draft(self.run_id, f"person:{person}", payload, recipients=recipients)
        )

    def report(self, fault: ErrorRaised) -> None:
        """Record something that the run's surroundings did wrong and that does not end it."""
        self._recorder.say(fault)

    def running_s(self) -> float:
        """Seconds the run has been running; pauses do not count."""
        return self._running.account.seconds(self._recorder.now())

    async def ask(self, question: str, choices: tuple[str, ...] = ()) -> str:
        """Put a question of the run's own to a person, and wait; for what needs approval."""
        return (await self.questions.put(PersonAsked(question, choices))).answer

    def lease_lost(self) -> None:
        """Another worker has the run: stop without another word. Call on the loop's thread."""
        self._lost = True
        self._recorder.wake.set()

    async def run(self) -> RunRecord:
        """Drive the run until it ends, is parked, or the lease is lost.

        Raises:
            StaleEpoch: the lease was lost; whoever holds it now goes on from the log.
        """
        try:
            core = await self._take_up()
            await self._drive(core)
        except StaleEpoch:
            self._lost = True
        finally:
            record = await self._close()
        if record is None:
            raise StaleEpoch(f"Run {self.run_id!r} is written by another worker now.")
        return record

    async def _person(self, asked: Event) -> PersonAnswered:
        return await self._gate.person(asked)

    def _goes_on(self) -> bool:
        """Whether what a cancelled effect leaves open is to be closed in the log."""
        core = self._core
        return core is not None and not (core.ending or core.effects.cancelled)

    @property
    def _running(self) -> RunCore:
        assert self._core is not None, "the run has not been taken up yet"
        return self._core

    # -- taking a run up -------------------------------------------------------------------------

    async def _take_up(self) -> RunCore:
        record, taken, commands = await asyncio.to_thread(self._read)
        self._next_command = max(self._next_command, taken.next_command)
        # The heartbeat may have brought old ones before the log said what was carried out.
        self._commands = deque(c for c in self._commands if c.number >= taken.next_command)
        self._recorder.open(after=taken.last_seq, last_at=taken.last_at)
        self.questions.taken_seq = taken.last_seq
        core = RunCore(taken, self._recorder, self._gate, self._park_after_s)
        core.stops.arm_plain(armed(record, commands), taken.log)
        resume_order(core, taken.log[record.parent_seq + 1 :], commands)
        self._core = core
        if core.replay.ended:
            return core
        self._announce(core, record, taken)
        if taken.failure is None:
            self._go_on(core, taken)
        if core.paused:
            core.park_soon()
        return core

    def _read(self) -> tuple[RunRecord, TakenUp, Sequence[Command]]:
        """All that is known of the run, in one go: each way into a thread and back costs more than
        what is read there."""
        record, taken = self._fold_log()
        return record, taken, self._store.commands(self.run_id)

    def _fold_log(self, until: int | None = None) -> tuple[RunRecord, TakenUp]:
        record = self._store.get_run(self.run_id)
        return record, take_up(self._store, record, self._nodes, self._late, until=until)

    def _announce(self, core: RunCore, record: RunRecord, taken: TakenUp) -> None:
        recorder = self._recorder
        if not taken.fresh and record.status in {"running", "paused"}:
            # The row names this worker already, so the log has to say whose heart beat last.
            recorder.say(RunLost(worker=last_worker(taken.log), last_heartbeat=taken.last_at))
        lease = self._lease
        recorder.say(RunStarted(worker=lease.worker, epoch=lease.epoch, resumed=not taken.fresh))
        if core.paused:
            # Being started made its row say `running`.
            recorder.say(RunPaused(reason="It was paused when its worker stopped."))
        if taken.fresh:
            for node in self._nodes:
                recorder.write(core.replay.drafter.joined(node))
        if taken.failure is not None:
            core.fail(taken.failure)

    def _go_on(self, core: RunCore, taken: TakenUp) -> None:
        """Carry out what the log promised but does not show, and effects that were under way."""
        begun: set[int] = set()
        for opened in list(core.replay.open_spans.values()):
            if self._begin_again(core, opened, taken, begun):
                begun.add(opened.seq)
        core.stops.queue.extend(core.replay.expected)
        core.replay.expected.clear()
        core.carry_out_queue()

    def _begin_again(
        self, core: RunCore, opened: Event, taken: TakenUp, begun: Collection[int]
    ) -> bool:
        """Begin an open effect again, or close it; whether it was begun. `begun` are those so far,
        the oldest first."""
        payload = opened.payload
        if opened.actor == SUPERVISOR:
            if opened.parent not in begun or taken.forked:
                # Whatever asked this is begun again, and asks again.
                self.questions.drop(opened)
            return False
        if not taken.forked:
            if must_not_repeat(opened) and not waits_for_leave(taken.log, opened.seq):
                assert isinstance(payload, ToolCalled)
                unknown = ToolOutcomeUnknown(payload.tool, payload.call_id)
                self._recorder.close_span(opened, unknown)
                return False
            if isinstance(payload, LlmRequested):
                why = "The worker stopped during the call; it is made again."
                self._recorder.close_span(opened, LlmFailed(why, will_retry=True))
        core.effects.start(opened)
        return True

    # -- the loop --------------------------------------------------------------------------------

    async def _drive(self, core: RunCore) -> None:
        recorder = self._recorder
        while not self._over(core):
            recorder.wake.clear()
            self._take_commands()
            self._fold_inbox(core)
            await self._see_edit(core)
            await self._arm(core)
            self._take_commands()
            if self._over(core):
                return
            if not recorder.inbox:
                self._check_standstill(core)
                if not recorder.inbox:
                    await self._wait(core)
            await recorder.keep_up()

    def _over(self, core: RunCore) -> bool:
        self._lost = self._lost or core.lost
        return core.replay.ended or self._parked or self._lost

    def _take_commands(self) -> None:
        core = self._core
        while core is not None and self._commands and not (core.unsettled or self._over(core)):
            obey(core, self._commands.popleft())

    def _fold_inbox(self, core: RunCore) -> None:
        inbox = self._recorder.inbox
        while inbox and self._edit is None and not core.replay.ended:
            event = inbox.popleft()
            core.account.add(event)
            core.stops.feed(event)
            try:
                core.replay.follow(event)
                self._snapshots.folded(event, core.replay, core.account)
                if isinstance(event.payload, RunResumed):
                    core.unsettled = False
                if isinstance(event.payload, EditApplied):
                    self._edit = event
                else:
                    core.react(event)
            except Exception as error:  # a node's own code: the run ends, the worker goes on
                core.fail(error)

    async def _see_edit(self, core: RunCore) -> None:
        """Fold the log again as the nodes see it now."""
        if self._edit is None:
            return
        await self.writer.durable(self._edit.seq)
        _, taken = await asyncio.to_thread(self._fold_log, self._edit.seq)
        core.see_anew(taken)
        self._edit = None
        core.unsettled = False

    async def _arm(self, core: RunCore) -> None:
        """Put new breakpoints in force; their counts begin with the run."""
        if core.arming is None:
            return
        plain, core.arming = core.arming, None
        folded = core.replay.last_seq
        await self.writer.durable(folded)
        log = await asyncio.to_thread(counted_log, self._store, self.run_id, plain)
        core.stops.arm_plain(plain, [event for event in log if event.seq <= folded])

    def _check_standstill(self, core: RunCore) -> None:
        waits = core.effects.running or core.paused or core.replay.open_spans
        if waits or core.ending or self._keep_open:
            return
        error = "Nobody in the team has anything left to do, and there is no answer."
        core.end(RunFailed(error=error, outcome="no_answer"))

    async def _wait(self, core: RunCore) -> None:
        try:
            # Not `wait_for`, which makes a task for each wait.
            async with asyncio.timeout(self._timeout(core)):
                await self._recorder.wake.wait()
        except TimeoutError:
            self._on_timeout(core)

    def _timeout(self, core: RunCore) -> float | None:
        now = asyncio.get_running_loop().time()
        if core.park_at is not None:
            return max(0.0, core.park_at - now)
        if self._put_aside and not core.paused and can_be_put_aside(core.replay.open_spans):
            self._aside_at = self._aside_at or now + self._park_after_s
            return max(0.0, self._aside_at - now)
        self._aside_at = None
        return None if core.paused else core.account.seconds_left(self._recorder.now())

    def _on_timeout(self, core: RunCore) -> None:
        if core.park_at is not None:
            if core.effects.running:
                core.park_at += 1.0
            else:
                self._recorder.say(RunParked())
                self._parked = True
            return
        if self._aside_at is not None:
            self._recorder.say(RunParked())
            self._parked = True
            return
        reached = core.account.reached(self._recorder.now())
        if reached is not None:
            core.end_by_limit(reached)

    async def _close(self) -> RunRecord | None:
        """End all that is under way; the run as it is given back, None where the lease is lost."""
        if self._core is not None:
            await self._core.effects.aclose()
        await self._gate.aclose()
        try:
            await self._recorder.aclose()
        except StaleEpoch:
            self._lost = True
        await self._snapshots.aclose()
        return None if self._lost else await asyncio.to_thread(self._give_back)

    def _give_back(self) -> RunRecord:
        """Release the lease; a command that came while the run was being parked wakes it again."""
        self._store.release(self._lease)
        unheard = self._commands or self._store.commands(self.run_id, after=self._next_command - 1)
        if self._parked and unheard:
            self._store.set_run(self.run_id, status="queued", only_if=("parked",))
        return self._store.get_run(self.run_id)
