"""A log as its nodes have to see it: edits applied, and where the nodes were held.

An edit changes what the nodes see of an earlier event, from the moment it is applied. It is only
allowed while nothing has been decided on that event yet, so seeing the edited event from the start
leads to the very same log; a replay need not tell the two apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import msgspec

from aworld.events.control import BreakpointHit, EditApplied
from aworld.events.union import AnyPayload, Event


class Seen(NamedTuple):
    """One event of the log."""

    recorded: Event
    seen: Event
    """What the nodes see: the same, or the edited one."""
    held_before_asking: bool
    """The nodes were not asked after it, until the run was resumed."""
    held_after_asking: bool
    """They were asked, but what they wanted was held back until the run was resumed."""


def as_seen(events: Sequence[Event]) -> Iterator[Seen]:
    """The log with all its edits and stops."""
    edits = edits_of(events)
    stops = [
        event.payload
        for event in events
        if isinstance(event.payload, BreakpointHit) and event.payload.stop
    ]
    before_asking = {stop.at_seq for stop in stops if not stop.before}
    after_asking = {stop.at_seq for stop in stops if stop.before}
    for event in events:
        payload = edits.get(event.seq)
        seen = event if payload is None else msgspec.structs.replace(event, payload=payload)
        yield Seen(event, seen, event.seq in before_asking, event.seq in after_asking)


def edits_of(events: Iterable[Event]) -> dict[int, AnyPayload]:
    """The newest edited payload of each edited event."""
    return {
        event.payload.target: edited_payload(event.payload)
        for event in events
        if isinstance(event.payload, EditApplied)
    }


def edited_payload(edit: EditApplied) -> AnyPayload:
    """What an edit puts in the place of a payload."""
    payload: AnyPayload = msgspec.convert(edit.after, AnyPayload)
    return payload
