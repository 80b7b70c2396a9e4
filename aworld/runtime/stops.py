"""When a run's nodes are held, and what they wanted that is held back meanwhile."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from aworld.events.control import BreakpointHit
from aworld.events.union import Event
from aworld.runtime.machine import SUPERVISOR

if TYPE_CHECKING:
    from aworld.runtime.breakpoints import Breakpoint, Breakpoints, Hit

STEP = "step"
"""The breakpoint's name where a single step, or `run to`, ended."""


class Stops:
    """Breakpoints, single steps, and the queue of what is to be carried out."""

    def __init__(self) -> None:
        self._breakpoints: Breakpoints | None = None
        self.queue: deque[Event] = deque()
        """Drafts that the nodes want recorded, oldest first."""
        self._passed: Event | None = None
        self._stepping = False
        self._until: int | None = None

    def arm(self, breakpoints: Sequence[Breakpoint], counted: Sequence[Event] = ()) -> None:
        """Put these in the place of the old ones; `counted` is the log so far."""
        # Runs without breakpoints, nearly all of them, pay nothing for them.
        from aworld.runtime.breakpoints import Breakpoints

        self._breakpoints = Breakpoints(breakpoints) if breakpoints else None
        for event in counted:
            self.feed(event)

    def arm_plain(self, breakpoints: Sequence[dict[str, Any]], counted: Sequence[Event]) -> None:
        """As `arm`, from a command's or a team's plain data."""
        if breakpoints or self._breakpoints is not None:
            from aworld.runtime.breakpoints import read_breakpoints

            self.arm(read_breakpoints(breakpoints), counted)

    def run_on(self) -> None:
        """Forget a step, or a run to somewhere, that has not ended yet."""
        self._stepping, self._until = False, None

    def step(self) -> None:
        """Stop after the next thing that happens to a node."""
        self._stepping = True

    def run_to(self, seq: int) -> None:
        """Stop at the first event of a node that has this number or a larger one."""
        self._until = seq

    def feed(self, event: Event) -> None:
        """Count a recorded event."""
        if self._breakpoints is not None:
            self._breakpoints.feed(event)

    def after(self, event: Event) -> list[BreakpointHit]:
        """Whether to hold the nodes before they are asked about this event, and what to note."""
        hit = self._breakpoints.after(event) if self._breakpoints is not None else None
        found = _records(hit, event.seq, before=False)
        reached = self._until is not None and event.seq >= self._until
        if event.actor != SUPERVISOR and (self._stepping or reached):
            self._stepping, self._until = False, None
            if not any(one.stop for one in found):
                found.append(BreakpointHit(STEP, event.seq))
        return found

    def before(self, wanted: Event, at_seq: int) -> list[BreakpointHit]:
        """Whether to hold a draft back; once it was, it passes the next time."""
        if wanted is self._passed:
            self._passed = None
            return []
        hit = self._breakpoints.before(wanted) if self._breakpoints is not None else None
        found = _records(hit, at_seq, before=True)
        if any(one.stop for one in found):
            self._passed = wanted
        return found

    def pass_held(self) -> None:
        """What was held back is answered, and passes."""
        self._passed = None

    def replace_queue(self, wanted: Sequence[Event]) -> None:
        """After an edit the nodes want other things; one that was held back passes all the same."""
        held = self._passed is not None
        self.queue = deque(wanted)
        self._passed = self.queue[0] if held and self.queue else None


def _records(hit: Hit | None, at_seq: int, *, before: bool) -> list[BreakpointHit]:
    """What is recorded of a hit: logpoints first, the stop last."""
    if hit is None:
        return []
    made = [
        BreakpointHit(one.breakpoint_id, at_seq, one.note, before=before, stop=one.stop)
        for one in (hit, *hit.others)
    ]
    return sorted(made, key=lambda one: one.stop)
