"""Whether a run can be put aside while it waits for people, so that its worker is free for others.

It is taken up again, by any worker, once somebody answers.
"""

from __future__ import annotations

from collections.abc import Mapping

from aworld.events.action import ToolCalled
from aworld.events.conversation import PersonAsked
from aworld.events.union import Event


def can_be_put_aside(open_spans: Mapping[int, Event]) -> bool:
    """Whether all that is under way waits for people, without a time-out, and can be begun again:
    a question, a call that nobody has allowed yet, a call that changes nothing."""
    waiting: set[int] = set()
    asked = False
    for event in open_spans.values():
        if isinstance(event.payload, PersonAsked):
            if event.payload.timeout_s is not None:
                return False
            asked = True
            waiting.add(event.seq)
            call = None if event.parent is None else open_spans.get(event.parent)
            if call is not None and _begins_again(event.payload, call):
                waiting.add(call.seq)
    return asked and waiting >= open_spans.keys()


def _begins_again(asked: PersonAsked, call: Event) -> bool:
    if asked.approval is not None:
        return asked.approval.stage == "before"
    return isinstance(call.payload, ToolCalled) and call.payload.effect == "read_only"
