"""What a supervised run consists of, and what may be done to it, one small move at a time.

`supervisor.py` decides when; `orders.py` turns commands into these moves.
"""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from aworld.errors import StaleEpoch
from aworld.events.control import BreakpointHit
from aworld.events.model import LlmRequested
from aworld.events.run import ErrorRaised, LimitReached, RunFailed, RunPaused
from aworld.events.traits import TERMINAL, opens_span
from aworld.events.union import AnyPayload, Event
from aworld.llm.base import ModelRequest, Parameters
from aworld.runtime.editing import identity
from aworld.runtime.effect_tasks import EffectTasks
from aworld.runtime.effects import Gate
from aworld.runtime.limits import Account
from aworld.runtime.machine import is_derived
from aworld.runtime.recorder import Recorder
from aworld.runtime.recovery import TakenUp, cut_off
from aworld.runtime.replay import Replay
from aworld.runtime.stops import STEP, Stops


class StandIn(NamedTuple):
    """A person's answer in the place of an effect that has not begun."""

    wanted: list[str]
    """The effect's `identity`."""
    payload: AnyPayload


class RunCore:
    """One run that has been taken up."""

    def __init__(self, taken: TakenUp, recorder: Recorder, gate: Gate, park_after_s: float) -> None:
        self.replay: Replay = taken.replay
        self.account: Account = taken.account
        self.recorder = recorder
        self.gate = gate
        self.stops = Stops()
        self.effects = EffectTasks(
            gate, self._make_request, recorder.close_span, self._effect_failed
        )
        self.ending = False
        """Its last word has been said; nothing more is begun."""
        self.lost = False
        """Another worker has the run."""
        self.unsettled = False
        """It was let go on, or something was edited, and the nodes have not seen that yet; what
        is commanded next waits for that."""
        self.acted = next((e.seq for e in reversed(taken.log) if is_derived(e)), -1)
        """The newest event that a node wanted."""
        self.stand_in: StandIn | None = None
        """Closes the effect that comes next; then the nodes are held again."""
        self.park_at: float | None = None
        """When a paused run gives its worker back, on the loop's clock."""
        self.arming: list[dict[str, Any]] | None = None
        """Breakpoints to be armed as soon as the log so far has been counted."""
        self._park_after_s = park_after_s

    @property
    def paused(self) -> bool:
        """Whether the nodes are held."""
        return self.replay.machine.paused

    # -- carrying out ----------------------------------------------------------------------------

    def react(self, event: Event) -> None:
        """Ask the nodes that an event touched, and carry out what they want, unless held."""
        machine = self.replay.machine
        if not (machine.paused or self.ending):
            self._hold(self.stops.after(event))
        self.stops.queue.extend(self.replay.drafter.draft(wish) for wish in machine.wishes())
        self.carry_out_queue()

    def carry_out_queue(self) -> None:
        """Record what waits, oldest first, until something holds it."""
        queue = self.stops.queue
        while queue and not (self.paused or self.ending):
            self._hold(self._before(queue[0]))
            if not self.paused:
                self._perform(queue.popleft())

    def _before(self, wanted: Event) -> list[BreakpointHit]:
        if self.stand_in is None:
            return self.stops.before(wanted, self.replay.last_seq)
        if identity(wanted) == self.stand_in.wanted:
            return []
        # The answer was meant for something else; whoever gave it has to look again.
        self.stand_in = None
        return [BreakpointHit(STEP, self.replay.last_seq, before=True)]

    def _perform(self, wanted: Event) -> None:
        """Record what a node wants, and begin it where it is an effect."""
        kind = wanted.kind
        if kind in TERMINAL:
            self.end(wanted.payload, wanted.caused_by)
            return
        if kind == "llm.requested":
            reached = self.account.reached(self.recorder.now())
            if reached is not None:
                self.end_by_limit(reached)
                return
        event = self.record_wish(wanted)
        if not opens_span(event):
            return
        if self.stand_in is None:
            self.effects.start(event)
            return
        self.recorder.close_span(event, self.stand_in.payload)
        self.stand_in = None
        self.stops.step()

    def record_wish(self, wanted: Event) -> Event:
        """Record what a node wants, without carrying it out."""
        event = self.recorder.write(wanted)
        self.acted = event.seq
        return event

    def _make_request(self, asked: LlmRequested) -> ModelRequest:
        parameters = msgspec.convert(asked.parameters, Parameters)
        return self.replay.drafter.book.request(asked.context, parameters)

    def _effect_failed(self, error: Exception) -> None:
        if isinstance(error, StaleEpoch):
            self.lost = True
            self.recorder.wake.set()
        elif not self.ending:
            self.fail(error)

    # -- holding ---------------------------------------------------------------------------------

    def _hold(self, hits: Sequence[BreakpointHit]) -> None:
        for hit in hits:
            self.recorder.say(hit)
            if hit.stop and not self.paused:
                # At once, not only when `run.paused` is folded: nothing may slip through meanwhile.
                self.replay.machine.paused = True
                self.pause(RunPaused(by="breakpoint", reason=hit.breakpoint))

    def pause(self, paused: RunPaused) -> None:
        """Hold the nodes, and set the time to park."""
        self.recorder.say(paused)
        self.park_soon()

    def park_soon(self) -> None:
        """Begin to wait for the time to park."""
        self.park_at = asyncio.get_running_loop().time() + self._park_after_s

    def see_anew(self, taken: TakenUp) -> None:
        """Go on from the log as it is seen after an edit."""
        if taken.failure is not None:
            self.fail(taken.failure)
            return
        self.replay = taken.replay
        self.stops.replace_queue(list(taken.replay.expected))
        self.replay.expected.clear()

    # -- ending ----------------------------------------------------------------------------------

    def fail(self, error: BaseException) -> None:
        """End the run by a fault of ours or of a node's code."""
        trace = "".join(traceback.format_exception(error))[-8_000:]
        raised = ErrorRaised(error=str(error), error_type=type(error).__name__, traceback=trace)
        self.recorder.say(raised)
        self.end(RunFailed(error=str(error) or type(error).__name__, outcome="error"))

    def end_by_limit(self, reached: LimitReached) -> None:
        """End the run by a limit."""
        self.recorder.say(reached)
        unit = "USD" if reached.limit == "cost_usd" else reached.limit
        error = f"The run reached its limit of {reached.allowed:g} {unit}."
        self.end(RunFailed(error=error, outcome="limit"))

    def end(self, payload: AnyPayload, caused_by: tuple[int, ...] = ()) -> None:
        """Close what is open, then say the last word. What is under way is not waited for."""
        if self.ending:
            return
        self.ending = True
        self.effects.cancel()
        for opened in self.recorder.open_in_inbox(self.replay.open_spans):
            self.recorder.close_span(opened, cut_off(opened))
        self.recorder.say(payload, caused_by)
