"""Carries out commands on a supervised run. What may be commanded is checked in `control.py`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec

from aworld.events.control import EditApplied
from aworld.events.conversation import PersonAnswered
from aworld.events.run import RunCancelled, RunPaused, RunResumed
from aworld.events.union import AnyPayload
from aworld.runtime.core import RunCore
from aworld.storage.base import Command


def obey(core: RunCore, command: Command) -> None:
    """Carry out one command; one that does not fit the run's state any more changes nothing."""
    order = _ORDERS.get(command.name)
    if order is not None and not core.ending:
        order(core, command)


def _cancel(core: RunCore, command: Command) -> None:
    reason = str(command.arguments.get("reason", ""))
    core.end(RunCancelled(by=command.by, reason=reason, command=command.number))


def _pause(core: RunCore, command: Command) -> None:
    if not core.paused:
        reason = str(command.arguments.get("reason", ""))
        core.pause(RunPaused(by=command.by, reason=reason, command=command.number))


def _resume(core: RunCore, command: Command) -> None:
    if core.paused:
        core.park_at = None
        core.recorder.say(RunResumed(by=command.by, command=command.number))


def _step(core: RunCore, command: Command) -> None:
    if core.paused:
        core.stops.step()
        _resume(core, command)


def _run_to(core: RunCore, command: Command) -> None:
    core.stops.run_to(int(command.arguments["seq"]))
    _resume(core, command)


def _answer(core: RunCore, command: Command) -> None:
    answered = PersonAnswered(
        str(command.arguments.get("answer", "")), by=command.by, command=command.number
    )
    core.gate.answer(int(command.arguments.get("span", -1)), answered)


def _edit(core: RunCore, command: Command) -> None:
    """`{target, before, after}`."""
    if core.paused:
        made = {**command.arguments, "by": command.by, "command": command.number}
        core.recorder.say(msgspec.convert(made, EditApplied))
        core.park_soon()


def _substitute(core: RunCore, command: Command) -> None:
    """`{span, payload}`: a person answers instead of the model, the tool or another person.

    A negative span means the effect that is held back and would begin next.
    """
    span = int(command.arguments["span"])
    payload: AnyPayload = msgspec.convert(command.arguments["payload"], AnyPayload)
    opened = core.replay.open_spans.get(span)
    if opened is not None:
        core.effects.abandon(span)
        core.recorder.close_span(opened, payload)
    elif span < 0 and core.stops.queue and core.paused:
        core.recorder.close_span(core.recorder.write(core.stops.queue.popleft()), payload)


def _arm(core: RunCore, command: Command) -> None:
    core.stops.arm_plain(command.arguments["breakpoints"], ())


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
