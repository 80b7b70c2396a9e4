"""Random runs, and their timeline worked out the slow way from the contract's own words."""

from __future__ import annotations

from typing import NamedTuple

from hypothesis import strategies as st

from aworld.events.action import ToolCalled, ToolFailed, ToolReturned
from aworld.events.conversation import MessageSent, VerificationFailed
from aworld.events.model import LlmFailed, LlmRequested, LlmResponded
from aworld.events.run import ErrorRaised
from aworld.events.traits import closes_span, family, lane, severity
from aworld.events.union import AnyPayload, Event
from aworld.storage.base import FAMILIES, LEVEL_0_US, Bars
from tests.contracts.stores import START


class Step(NamedTuple):
    """One event of a random run."""

    wait_us: int
    actor: str
    what: str
    pick: int
    """Which of the open spans, or which amount."""


STEPS = st.lists(
    st.builds(
        Step,
        wait_us=st.one_of(st.integers(0, 3), st.integers(0, 20_000), st.integers(0, 10**8)),
        actor=st.sampled_from(["ann", "ben"]),
        what=st.sampled_from(["say", "ask", "call", "answer", "fail", "retry", "doubt", "crash"]),
        pick=st.integers(0, 5),
    ),
    min_size=1,
    max_size=60,
)


def events_of(steps: list[Step], run_id: str, first: int = 0) -> list[Event]:
    """The run. Spans close in any order, or never."""
    at = START
    events: list[Event] = []
    open_calls: list[Event] = []
    for seq, step in enumerate(steps, first):
        at += step.wait_us
        span: int | None = None
        payload: AnyPayload = MessageSent("hello")
        actor = step.actor
        if step.what == "ask":
            payload, span = LlmRequested("m", (), "h"), seq
        elif step.what == "call":
            payload, span = ToolCalled(f"tool{step.pick % 2}", {}), seq
        elif step.what in ("answer", "fail", "retry") and open_calls:
            opener = open_calls[step.pick % len(open_calls)]
            payload, span, actor = _closing(opener, step), opener.span, opener.actor
            if step.what != "retry" or isinstance(opener.payload, ToolCalled):
                open_calls.remove(opener)
        elif step.what == "doubt":
            payload = VerificationFailed("no")
        elif step.what == "crash":
            payload = ErrorRaised("boom")
        events.append(Event(run_id, seq, at, actor, payload, span=span))
        if step.what in ("ask", "call"):
            open_calls.append(events[-1])
    return events


def _closing(opener: Event, step: Step) -> AnyPayload:
    if isinstance(opener.payload, ToolCalled):
        tool = opener.payload.tool
        return ToolReturned(tool, "ok") if step.what == "answer" else ToolFailed(tool, "no")
    if step.what == "answer":
        return LlmResponded("hi", input_tokens=step.pick, output_tokens=1, cost_usd=step.pick / 4)
    return LlmFailed("no", will_retry=step.what == "retry")


class Entry(NamedTuple):
    """One row of Bars, its lane by name."""

    start: int
    lane: str
    end: int
    events: int
    severity: int
    severity_seq: int
    longest_seq: int
    family: int
    tokens: int
    cost_usd: float


def entries(bars: Bars) -> list[Entry]:
    """Bars by rows, in order of time and lane."""
    rows = zip(
        bars.start, [bars.lanes[n] for n in bars.lane], bars.end, bars.count, bars.severity,
        bars.severity_seq, bars.longest_seq, bars.family, bars.tokens, bars.cost_usd,
        strict=True,
    )  # fmt: skip
    return sorted(Entry(*row) for row in rows)


def expected(events: list[Event], level: int, start: int, end: int) -> list[Entry]:
    """What the timeline has to show of these events between start and end (0: the last)."""
    zero = events[0].at
    ends = {event.seq: event.at - zero for event in events}
    for event in events:
        if closes_span(event) and event.span is not None:
            ends[event.span] = event.at - zero
    end = end or events[-1].at - zero
    if level == 0:
        single = [_entry([event], event.at - zero, zero, ends) for event in events]
        return sorted(e for e in single if e.start <= end and (e.start >= start or e.end >= start))
    width = LEVEL_0_US * 4**level
    groups: dict[tuple[int, str], list[Event]] = {}
    for event in events:
        groups.setdefault(((event.at - zero) // width, lane(event)), []).append(event)
    cells = [_entry(group, bucket * width, zero, ends) for (bucket, _), group in groups.items()]
    first = start // width * width
    return sorted(c for c in cells if c.start <= end and (c.start >= first or c.end >= first))


def _entry(group: list[Event], start: int, zero: int, ends: dict[int, int]) -> Entry:
    worst = max(severity(event) for event in group)
    longest = max(group, key=lambda e: (ends[e.seq] - (e.at - zero), -e.seq))
    answers = [e.payload for e in group if isinstance(e.payload, LlmResponded)]
    return Entry(
        start=start,
        lane=lane(group[0]),
        end=max(ends[longest.seq], start),
        events=len(group),
        severity=worst,
        severity_seq=min(e.seq for e in group if severity(e) == worst) if worst else -1,
        longest_seq=longest.seq,
        family=FAMILIES.index(family(longest.kind)),
        tokens=sum(a.input_tokens + a.output_tokens for a in answers),
        cost_usd=sum(a.cost_usd or 0.0 for a in answers),
    )
