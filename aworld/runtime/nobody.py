"""What is answered where there is nobody to ask."""

from __future__ import annotations

import sys

from aworld.events.conversation import PersonAnswered, PersonAsked
from aworld.events.union import Event

BY = "nobody"
WHY = (
    "Nobody can be asked, for this run has no terminal and no page. Run it in a terminal, from "
    "the browser, or without approval"
)


def nobody(asked: PersonAsked) -> PersonAnswered:
    """What needs approval is refused, a question gets its default, or that nobody is there."""
    if asked.approval is not None:
        return PersonAnswered(f"deny: {WHY}.", by=BY)
    return PersonAnswered(asked.default or f"{WHY}.", by=BY)


async def nobody_at_hand(opened: Event) -> PersonAnswered:
    """`nobody`, said on standard error too."""
    asked = opened.payload
    assert isinstance(asked, PersonAsked)
    what = asked.approval.tool or "its model" if asked.approval is not None else asked.question
    sys.stderr.write(f"aworld: {asked.agent or 'The run'} asks about {what!r:.200}. {WHY}.\n")
    return nobody(asked)
