"""Where a run stops, or leaves a note, by itself.

A breakpoint names a step of the team (kind, agent, tool), never a number, so it holds in every run
and survives new versions of the team. `Breakpoints` follows one run: told of each recorded event
by `feed`, it says before a draft and after an event whether the run is to stop there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from aworld.errors import ConfigurationError
from aworld.events.control import BreakpointHit, EditApplied
from aworld.events.envelope import UNSEQUENCED
from aworld.events.run import Limits, RunCreated
from aworld.events.union import Event
from aworld.runtime.armed_breakpoint import Armed, Breakpoint, Hit
from aworld.runtime.machine import is_derived
from aworld.runtime.run_facts import Resolve, RunFacts, step_of

__all__ = [
    "Breakpoint",
    "Breakpoints",
    "Hit",
    "can_stop",
    "comes_from_a_draft",
    "read_breakpoints",
]

CONTROL = frozenset({"run", "breakpoint", "edit", "fork", "limit"})
"""Families of what happens to a run as a whole: stopping at a stop would never end."""
_ENDS = frozenset({"run.finished", "run.failed"})
"""What a coordinator wants in the end; a run can stop before it."""


def needs_past(plain: Sequence[Any]) -> bool:
    """Whether breakpoints armed in the middle of a run must know what happened before; those that
    count, or ask about the run as a whole, must. To read a million events takes twenty seconds.

    Raises:
        ConfigurationError: as `read_breakpoints`.
    """
    return any(
        one.once or one.from_hit > 1 or one.every > 1 or Armed(one).of_run
        for one in read_breakpoints(plain)
    )


def read_breakpoints(plain: Sequence[Any]) -> list[Breakpoint]:
    """Breakpoints from plain data, as a team, a command or a page has them.

    Raises:
        ConfigurationError: a field, condition or message cannot be used, or an id is empty or
            there twice.
    """
    try:
        found = msgspec.convert(plain, list[Breakpoint])
    except msgspec.ValidationError as error:
        raise ConfigurationError(f"The breakpoints cannot be read: {error}.") from error
    seen: set[str] = set()
    for breakpoint in found:
        if not breakpoint.id:
            raise ConfigurationError("A breakpoint has no id. Give each its own.")
        if breakpoint.id in seen:
            raise ConfigurationError(f"There are two breakpoints with the id {breakpoint.id!r}.")
        seen.add(breakpoint.id)
        Armed(breakpoint)
    return found


class Breakpoints:
    """The breakpoints of one run. What it says depends on the breakpoints and the log alone."""

    def __init__(
        self,
        breakpoints: Iterable[Breakpoint] = (),
        limits: Limits | None = None,
        resolve: Resolve | None = None,
    ) -> None:
        """`limits` are the run's; None takes them from its `run.created`. `resolve` fetches
        payloads that the log has only a reference of.

        Raises:
            ConfigurationError: a condition, a message or a count of a breakpoint is wrong.
        """
        self.run = RunFacts(limits or Limits(), resolve)
        self._takes_limits = limits is None
        self._armed = {b.id: Armed(b) for b in breakpoints if b.enabled}
        self._before: dict[tuple[str, str, str], tuple[Armed, ...]] = {}
        self._after: dict[tuple[str, str, str], tuple[Armed, ...]] = {}
        self._newest = -1
        self._due: list[Hit] = []

    def before(self, draft: Event) -> Hit | None:
        """Whether to stop before a draft is recorded and carried out. Ask once a draft."""
        candidates = self._candidates("before", draft)
        if not candidates:
            return None
        facts = self.run.about(draft)
        matching = [armed for armed in candidates if armed.holds(facts)]
        return self._told([armed.draft_matched(facts) for armed in matching])

    def feed(self, event: Event) -> None:
        """Count a recorded event: each one, in order, those of the log before a take-up too."""
        payload = event.payload
        if self._takes_limits and isinstance(payload, RunCreated):
            self.run.account.limits = payload.limits
        if isinstance(payload, BreakpointHit) and payload.breakpoint in self._armed:
            self._armed[payload.breakpoint].hit_recorded(payload)
        elif isinstance(payload, EditApplied):
            for armed in self._armed.values():
                armed.edited()
        self._count_draft(event)
        self.run.feed(event)
        self._newest = event.seq
        self._due.clear()
        candidates = self._candidates("after", event)
        if candidates:
            facts = self.run.about(event)
            for armed in candidates:
                hit = armed.event_matched(facts) if armed.holds(facts) else None
                self._due += [] if hit is None else [hit]

    def after(self, event: Event) -> Hit | None:
        """Whether to stop after the event that was fed last."""
        if event.seq != self._newest or not self._due:
            return None
        due, self._due = self._due, []
        return self._told(due)

    @property
    def of_run(self) -> bool:
        """Whether any of them must know every event of the run."""
        return any(armed.of_run for armed in self._armed.values())

    def _count_draft(self, event: Event) -> None:
        candidates = self._candidates("before", event)
        if candidates and comes_from_a_draft(event):
            # As it was when it was asked about: no number yet, and the run before it.
            facts = self.run.about(msgspec.structs.replace(event, seq=UNSEQUENCED))
            for armed in candidates:
                if armed.holds(facts):
                    armed.draft_recorded()

    def _candidates(self, when: str, event: Event) -> tuple[Armed, ...]:
        known = self._before if when == "before" else self._after
        step = step_of(event)
        found = known.get(step)
        if found is None:
            found = known[step] = tuple(
                armed
                for armed in self._armed.values()
                if armed.breakpoint.when == when
                and can_stop(when, step.kind)
                and armed.fits_step(*step)
            )
        return found

    def _told(self, hits: Iterable[Hit | None]) -> Hit | None:
        found = sorted((hit for hit in hits if hit is not None), key=lambda hit: not hit.stop)
        for hit in found:
            self._armed[hit.breakpoint_id].hit_told()
        return found[0]._replace(others=tuple(found[1:])) if found else None


def can_stop(when: str, kind: str) -> bool:
    """Whether anything of this kind can be stopped at."""
    return kind.partition(".")[0] not in CONTROL or (when == "before" and kind in _ENDS)


def comes_from_a_draft(event: Event) -> bool:
    """Whether a node wanted this event, so that a run can stop before it."""
    if event.kind in _ENDS:
        return True
    return is_derived(event) and event.kind not in {"node.joined", "node.left"}
