"""Carries out commands on a supervised run. What may be commanded is checked in `control.py`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from aworld.events.control import EditApplied
from aworld.events.conversation import PersonAnswered
from aworld.events.run import RunCancelled, RunPaused, RunResumed
from aworld.events.traits import opens_span
from aworld.events.union import AnyPayload, Event
from aworld.runtime.core import RunCore, StandIn
from aworld.runtime.editing import identity
from aworld.runtime.machine import SUPERVISOR
from aworld.storage.base import Command

_HOLDS = RunPaused | RunResumed


def obey(core: RunCore, command: Command) -> None:
    """Carry out one command; one that does not fit the run's state any more changes nothing."""
    order = _ORDERS.get(command.name)
    if order is not None and not core.ending:
        order(core, command)


def resume_order(core: RunCore, log: Sequence[Event], commands: Sequence[Command]) -> None:
    """Go on with the step, or the answer, that was under way when a worker stopped."""
    at = next(
        (i for i in reversed(range(len(log))) if isinstance(log[i].payload, _HOLDS)), len(log)
    )
    last = log[at].payload if at < len(log) else None
    if not isinstance(last, RunResumed):
        return
    command = next((one for one in commands if one.number == last.command), None)
    if command is None:
        return
    if command.name == "step":
        core.stops.step()
    elif command.name == "run_to":
        core.stops.run_to(int(command.arguments["seq"]))
    elif command.name == "substitute" and not any(map(opens_span, log[at + 1 :])):
        _stand_in(core, command)


def _cancel(core: RunCore, command: Command) -> None:
    reason = str(command.arguments.get("reason", ""))
    core.end(RunCancelled(by=command.by, reason=reason, command=command.number))


def _pause(core: RunCore, command: Command) -> None:
    if not core.paused:
        reason = str(command.arguments.get("reason", ""))
        core.pause(RunPaused(by=command.by, reason=reason, command=command.number))


def _resume(core: RunCore, command: Command) -> None:
    if core.paused:
        core.unsettled = True
        core.park_at = None
        core.stops.run_on()
        core.recorder.say(RunResumed(by=command.by, command=command.number))


def _step(core: RunCore, command: Command) -> None:
    if core.paused:
        _resume(core, command)
        core.stops.step()


def _run_to(core: RunCore, command: Command) -> None:
    if core.paused:
        _resume(core, command)
        core.stops.run_to(int(command.arguments["seq"]))


def _answer(core: RunCore, command: Command) -> None:
    answered = PersonAnswered(
        str(command.arguments.get("answer", "")), by=command.by, command=command.number
    )
    core.gate.answer(int(command.arguments.get("span", -1)), answered)


def _edit(core: RunCore, command: Command) -> None:
    """`{target, before, after, seen}`; `seen` is the last event of the log it was checked against.

    What a node has wanted since may rest on the event as it was, so then nothing is changed."""
    if core.paused and core.acted <= int(command.arguments["seen"]):
        made = {**command.arguments, "by": command.by, "command": command.number}
        core.unsettled = True
        core.recorder.say(msgspec.convert(made, EditApplied))
        core.park_soon()


def _substitute(core: RunCore, command: Command) -> None:
    """`{span, payload, wanted}`: a person answers instead of the model, the tool or a person.

    A negative span means what would begin next; `wanted` says what that was, for the command may
    come late, or again after a crash.
    """
    span = int(command.arguments["span"])
    payload: AnyPayload = msgspec.convert(command.arguments["payload"], AnyPayload)
    wanted = command.arguments.get("wanted")
    still_open = core.recorder.open_in_inbox(core.replay.open_spans)
    opened = next((one for one in still_open if one.seq == span), None)
    if opened is not None and opened.actor == SUPERVISOR:
        # A question within a call: whoever waits for it records the answer.
        assert isinstance(payload, PersonAnswered)
        core.gate.answer(span, payload)
    elif opened is not None:
        core.effects.abandon(span)
        core.recorder.close_span(opened, payload)
    elif span < 0 and core.paused:
        queue = core.stops.queue
        if not queue:
            # Held before the nodes were asked: they are asked now, and held again behind it.
            _stand_in(core, command)
            _resume(core, command)
        elif identity(queue[0]) == wanted:
            core.stops.pass_held()
            core.recorder.close_span(core.record_wish(queue.popleft()), payload)


def _stand_in(core: RunCore, command: Command) -> None:
    payload: AnyPayload = msgspec.convert(command.arguments["payload"], AnyPayload)
    core.stand_in = StandIn(command.arguments["wanted"], payload)


def _arm(core: RunCore, command: Command) -> None:
    core.arming = list(command.arguments["breakpoints"])


_ORDERS: Final[dict[str, Callable[[RunCore, Command], None]]] = {
    "answer": _answer,
    "arm": _arm,
    "cancel": _cancel,
    "edit": _edit,
    "pause": _pause,
    "resume": _resume,
    "run_to": _run_to,
    "step": _step,
    "substitute": _substitute,
}
