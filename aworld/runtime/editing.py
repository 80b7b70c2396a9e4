"""Checks what a person wants to change in a paused run, before it is commanded."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from aworld.errors import AWorldError, ConfigurationError
from aworld.events.action import ToolCalled, ToolFailed, ToolReturned
from aworld.events.control import EditApplied
from aworld.events.conversation import PersonAnswered, PersonAsked
from aworld.events.model import LlmRequested, LlmResponded
from aworld.events.union import AnyPayload, Event, kind_of
from aworld.runtime.effective_log import as_seen
from aworld.runtime.machine import SUPERVISOR
from aworld.runtime.node import AnyNode
from aworld.runtime.replay import Replay, drafter_for

EDITABLE = frozenset(
    {
        "message.sent",
        "llm.responded",
        "tool.returned",
        "tool.failed",
        "tool.outcome_unknown",
        "person.answered",
        "node.joined",
        "plan.proposed",
        "plan.revised",
        "reflection.made",
        "verification.passed",
        "verification.failed",
    }
)
"""What nodes see and a person may change."""


class ActedOn(AWorldError):
    """A node has acted on what was to be changed. `acted_on` is the seq where it did."""

    def __init__(self, message: str, *, acted_on: int) -> None:
        super().__init__(message)
        self.acted_on = acted_on


def make_edit(
    events: Sequence[Event], target: int, after: dict[str, Any], nodes: Sequence[AnyNode]
) -> EditApplied:
    """The edit of an event, checked against the whole log so far.

    `after` holds the fields that change; the rest stays. A tool's failure may be turned into a
    result and back by giving the other `kind`.

    Raises:
        ConfigurationError: the event cannot be edited, or the fields do not fit its kind.
        ActedOn: a node has acted on the event already.
    """
    event = next((one for one in events if one.seq == target), None)
    if event is None:
        raise ConfigurationError(f"There is no event {target} in this run.")
    if event.kind not in EDITABLE:
        raise ConfigurationError(
            f"Event {target} is a {event.kind}; that cannot be edited. These can: "
            f"{', '.join(sorted(EDITABLE))}."
        )
    before = msgspec.to_builtins(event.payload)
    edit = EditApplied(target, before, msgspec.to_builtins(_changed(before, after)))
    check_edits(events, [edit], nodes)
    return edit


def check_edits(
    events: Sequence[Event], edits: Sequence[EditApplied], nodes: Sequence[AnyNode]
) -> None:
    """Replay the log with more edits.

    Raises:
        ActedOn: a node has acted on what would be changed, so the log would not be true.
    """
    last = events[-1]
    made = [
        Event(last.run_id, last.seq + 1 + i, last.at, SUPERVISOR, edit)
        for i, edit in enumerate(edits)
    ]
    follower = Replay(nodes, drafter_for(last.run_id, events[0]))
    for step in as_seen([*events, *made]):
        difference = follower.feed(step)
        if difference is not None:
            targets = ", ".join(str(edit.target) for edit in edits)
            raise ActedOn(
                f"Event {targets} has been acted on at step {difference.seq}. Fork the run at "
                f"step {min(edit.target for edit in edits)} to change it there.",
                acted_on=difference.seq,
            )


def stand_in(opened: Event, payload: dict[str, Any], *, by: str) -> AnyPayload:
    """What a person answers instead of a model, a tool or another person.

    Raises:
        ConfigurationError: the fields do not fit what the span waits for.
    """
    asked, source = opened.payload, f"person:{by}"
    try:
        if isinstance(asked, LlmRequested):
            return msgspec.convert(
                {**payload, "source": source, "kind": "llm.responded"}, LlmResponded
            )
        if isinstance(asked, ToolCalled):
            kind = "tool.failed" if "error" in payload else "tool.returned"
            fixed = {"tool": asked.tool, "call_id": asked.call_id, "source": source, "kind": kind}
            made: AnyPayload = msgspec.convert({**payload, **fixed}, ToolReturned | ToolFailed)
            return made
        if isinstance(asked, PersonAsked):
            return msgspec.convert({**payload, "by": by, "kind": "person.answered"}, PersonAnswered)
    except msgspec.ValidationError as error:
        raise ConfigurationError(
            f"This does not fit as an answer to {opened.kind}: {error}."
        ) from error
    raise ConfigurationError(f"Event {opened.seq} is a {opened.kind} and waits for no answer.")


def identity(opened: Event) -> list[str]:
    """What tells an effect that has not begun from every other one of its run."""
    asked = opened.payload
    if isinstance(asked, LlmRequested):
        return [opened.actor, opened.kind, asked.request_hash]
    if isinstance(asked, ToolCalled):
        return [opened.actor, opened.kind, asked.call_id]
    return [opened.actor, opened.kind]


def _changed(before: dict[str, Any], after: dict[str, Any]) -> AnyPayload:
    kind = str(after.get("kind", before["kind"]))
    failure = {"tool.returned", "tool.failed", "tool.outcome_unknown"}
    if kind != before["kind"]:
        if not {kind, before["kind"]} <= failure:
            raise ConfigurationError(f"A {before['kind']} cannot be turned into a {kind}.")
        before = {"tool": before["tool"], "call_id": before.get("call_id", "")}
    unknown = set(after) - {"kind"}
    try:
        payload: AnyPayload = msgspec.convert({**before, **after, "kind": kind}, AnyPayload)
    except msgspec.ValidationError as error:
        raise ConfigurationError(f"This does not fit a {kind}: {error}.") from error
    fields = set(type(payload).__struct_fields__)
    if unknown - fields:
        raise ConfigurationError(
            f"A {kind_of(payload)} has no field {sorted(unknown - fields)[0]!r}. Its fields: "
            f"{', '.join(sorted(fields))}."
        )
    return payload
