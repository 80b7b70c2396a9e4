"""Running a log's nodes again with nothing but the log.

Outcomes of effects, and what the supervisor did, are taken from the log; everything a node decided
is produced again and compared. `Replay` is also how a lost or parked run is taken up: feed it the
log, then carry out what is left over.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import NamedTuple

from aworld.events.run import NodeJoined, RunCreated, RunStarted
from aworld.events.traits import TERMINAL, closes_span, opens_span
from aworld.events.union import Event
from aworld.runtime.drafts import Drafter
from aworld.runtime.effective_log import Seen, as_seen
from aworld.runtime.machine import SUPERVISOR, Machine, is_derived
from aworld.runtime.node import AnyNode


class Difference(NamedTuple):
    """Where the log and the nodes part."""

    seq: int
    recorded: Event | None
    """None where the nodes wanted something that the log does not have."""
    produced: Event | None
    """The draft; None where the nodes wanted nothing."""


class ReplayReport(NamedTuple):
    """What a replay found."""

    compared: int
    """How many of the nodes' own events were produced again and compared."""
    last_seq: int
    difference: Difference | None

    @property
    def identical(self) -> bool:
        """Whether all of the log was produced again."""
        return self.difference is None

    def __str__(self) -> str:
        if self.difference is None:
            return f"identical to step {self.last_seq}"
        seq = self.difference.seq
        return f"identical to step {seq - 1}; first difference at step {seq}"


class Replay:
    """Follows a log event by event."""

    def __init__(
        self, nodes: Iterable[AnyNode], drafter: Drafter, late: Iterable[AnyNode] = ()
    ) -> None:
        """`nodes` take part from the start; `late` ones from their `node.joined` on."""
        self.late = {node.name: node for node in late}
        self._nodes = list(nodes)
        self.machine = Machine(self._nodes)
        self.drafter = drafter
        self.expected: deque[Event] = deque()
        """Drafts the nodes want recorded that the log has not shown yet."""
        self.open_spans: dict[int, Event] = {}
        self.compared = 0
        self.last_seq = -1
        self.ended = False

    def feed(self, step: Seen) -> Difference | None:
        """Take the log's next event; the difference where the nodes wanted another one."""
        event = step.recorded
        if self._must_be_produced(event):
            produced = self._produced(event)
            if produced is None or not same(event, produced):
                return Difference(event.seq, event, produced)
            self.compared += 1
        self.follow(step.seen)
        if isinstance(event.payload, RunStarted) and not event.payload.resumed:
            self.expected.extend(self.drafter.joined(node) for node in self._nodes)
        if step.held_before_asking:
            self.machine.paused = True
        self.expected.extend(self.drafter.draft(wish) for wish in self.machine.wishes())
        if step.held_after_asking:
            self.machine.paused = True
        return None

    def _produced(self, event: Event) -> Event | None:
        if isinstance(event.payload, NodeJoined) and event.actor in self.late:
            return self.drafter.joined(self.late[event.actor])
        return self.expected.popleft() if self.expected else None

    def follow(self, event: Event) -> None:
        """Fold an event without asking the nodes what they want."""
        if isinstance(event.payload, NodeJoined) and event.actor in self.late:
            self.machine.add(self.late.pop(event.actor))
        self.last_seq = event.seq
        self.drafter.add(event)
        self.machine.feed(event)
        if opens_span(event):
            self.open_spans[event.seq] = event
        elif closes_span(event) and event.span is not None:
            self.open_spans.pop(event.span, None)
        if event.kind in TERMINAL:
            self.ended = True

    def _must_be_produced(self, event: Event) -> bool:
        if is_derived(event):
            return True
        if event.actor != SUPERVISOR or event.kind not in {"run.finished", "run.failed"}:
            return False
        # A supervisor ends a run by itself too (limits, faults); then no node asked for it.
        return bool(self.expected) and self.expected[0].actor == SUPERVISOR


def replay(
    run_id: str,
    events: Iterable[Event],
    nodes: Iterable[AnyNode],
    late: Iterable[AnyNode] = (),
) -> ReplayReport:
    """Run the nodes again over a whole log.

    `nodes` are fresh ones, made from the run's copy of its team; `late` those that joined while it
    ran. Needs no model and no network.
    """
    log = list(events)
    if not log:
        return ReplayReport(0, -1, None)
    follower = Replay(nodes, drafter_for(run_id, log[0]), late)
    for step in as_seen(log):
        difference = follower.feed(step)
        if difference is not None:
            return ReplayReport(follower.compared, follower.last_seq, difference)
    return ReplayReport(follower.compared, follower.last_seq, None)


def drafter_for(run_id: str, first: Event) -> Drafter:
    """The drafter for a log, from its first event."""
    if isinstance(first.payload, RunCreated):
        return Drafter(run_id, task_id=first.task_id, attempt=first.attempt)
    return Drafter(run_id)


def same(recorded: Event, produced: Event) -> bool:
    """Whether a draft is the recorded event, but for its number and time."""
    return (
        recorded.actor == produced.actor
        and recorded.payload == produced.payload
        and recorded.caused_by == produced.caused_by
        and recorded.recipients == produced.recipients
        and recorded.topic == produced.topic
    )
