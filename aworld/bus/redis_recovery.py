"""Which stored events a dead holder made of remote drafts without saying so.

Such a holder died between the store's write and the stream's. Its events are in the store, beyond
the stream's end; each draft that has no ack is compared with them, so that none becomes two events.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence

import msgspec

from aworld.bus.memory import History
from aworld.bus.redis_wire import Answered
from aworld.events.envelope import OWN_SPAN
from aworld.events.union import Event, Offloaded, encode_payload


async def recover_answers(
    drafts: Sequence[tuple[str, Event]], history: History, *, after: int, before: int
) -> list[Answered]:
    """The drafts (`producer:counter`, draft) that are among the events between two seqs, both
    excluded, with the seqs they have there."""
    events: list[Event] = []
    while after + 1 < before:
        page = await asyncio.to_thread(history, after)
        if not page:
            break
        events += [event for event in page if event.seq < before]
        after = page[-1].seq
    answers: list[Answered] = []
    for field, draft in drafts:
        for index, event in enumerate(events):
            if _became(draft, event):
                answers.append(Answered(field, event.seq))
                del events[index]
                break
    return answers


def _became(draft: Event, event: Event) -> bool:
    """Whether the event is the draft, numbered; its payload may lie in the blob store."""
    payload = draft.payload
    if isinstance(event.payload, Offloaded):
        if hashlib.sha256(encode_payload(payload)).hexdigest() != event.payload.blob:
            return False
        payload = event.payload
    span = event.seq if draft.span == OWN_SPAN else draft.span
    numbered = msgspec.structs.replace(
        draft, seq=event.seq, at=event.at, span=span, payload=payload
    )
    return numbered == event
