"""A run's questions to people: put, waited for, and found again where another worker put them.

The supervisor puts them, for a call that waits: no node asked, so a replay takes them from the log
as it takes the call's outcome.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import NamedTuple

import msgspec

from aworld.errors import ConfigurationError
from aworld.events.control import GateDecided
from aworld.events.conversation import PersonAnswered, PersonAsked
from aworld.events.envelope import OWN_SPAN
from aworld.events.union import Event, draft
from aworld.runtime.approval import read_answer
from aworld.runtime.machine import SUPERVISOR
from aworld.runtime.recorder import Recorder
from aworld.runtime.recovery import whole
from aworld.storage.base import Store

_KINDS = ("person.asked", "person.answered")
_MOST = 100_000
NOT_ANSWERED = PersonAnswered("", timed_out=True)
"""What closes a question that nobody will answer any more."""


class Put(NamedTuple):
    """A question of the log."""

    seq: int
    within: int | None
    """Seq of the call that waits for it."""
    asked: PersonAsked
    answered: PersonAnswered | None


class Questions:
    """Those of one run on this worker."""

    def __init__(
        self,
        store: Store,
        recorder: Recorder,
        person: Callable[[Event], Awaitable[PersonAnswered]],
        goes_on: Callable[[], bool],
    ) -> None:
        """`person` waits for an answer; `goes_on` tells whether the run still writes."""
        self._store = store
        self._recorder = recorder
        self._person = person
        self._goes_on = goes_on
        self._found: list[Put] | None = None
        self._dropped: set[int] = set()
        self.taken_seq = -1
        """The last event of an earlier worker: calls behind it have no earlier questions."""
        self.waiting: dict[int, PersonAsked] = {}
        """Questions that wait for an answer now, by the seq that asked."""

    async def put(self, asked: PersonAsked, within: Event | None = None) -> PersonAnswered:
        """Ask, and wait for the answer. `within` is the call that waits; where an earlier worker
        asked the very same for it, that question and its answer are taken."""
        earlier = await self._earlier(asked, within)
        if earlier is not None and earlier.answered is not None:
            return earlier.answered
        opened = self._opened(asked, within, earlier)
        self.waiting[opened.seq] = asked
        try:
            answered = await self._person(opened)
        except asyncio.CancelledError:
            if self._goes_on():
                self._recorder.close_span(opened, NOT_ANSWERED)
            raise
        finally:
            del self.waiting[opened.seq]
        self._recorder.close_span(opened, answered)
        return answered

    def drop(self, opened: Event) -> None:
        """Close one that an earlier worker put; whatever asked it will ask anew."""
        self._dropped.add(opened.seq)
        self._recorder.close_span(opened, NOT_ANSWERED)

    def decided(self, decision: GateDecided) -> None:
        """Record that a call was refused or changed."""
        self._recorder.say(decision, (decision.call,))

    async def durable(self) -> None:
        """Wait until all that was decided so far is in the store."""
        await self._recorder.writer.durable(self._recorder.last_seq)

    async def found(self) -> list[Put]:
        """The questions of the log, as it was when this was first asked."""
        if self._found is None:
            self._found = await asyncio.to_thread(
                find_questions, self._store, self._recorder.run_id
            )
        return self._found

    def _opened(self, asked: PersonAsked, within: Event | None, earlier: Put | None) -> Event:
        run_id = self._recorder.run_id
        wanted = draft(
            run_id,
            SUPERVISOR,
            asked,
            span=OWN_SPAN,
            parent=within.seq if within is not None else None,
            caused_by=(within.seq,) if within is not None else (),
        )
        if earlier is None:
            return self._recorder.write(wanted)
        return msgspec.structs.replace(wanted, seq=earlier.seq, span=earlier.seq)

    async def _earlier(self, asked: PersonAsked, within: Event | None) -> Put | None:
        """The newest question of this very kind that an earlier worker put for the call."""
        if within is None or within.seq > self.taken_seq:
            return None
        found = [
            put
            for put in await self.found()
            if put.within == within.seq
            and put.asked == asked
            and put.answered != NOT_ANSWERED
            and put.seq not in self._dropped
        ]
        return found[-1] if found else None


def find_questions(store: Store, run_id: str) -> list[Put]:
    """The questions that a supervisor put in a run, oldest first, with their answers."""
    asked: dict[int, Put] = {}
    for event in store.query(run_id, kinds=_KINDS, limit=_MOST):
        payload = whole(store, event).payload
        if isinstance(payload, PersonAsked) and event.actor == SUPERVISOR:
            asked[event.seq] = Put(event.seq, event.parent, payload, None)
        elif isinstance(payload, PersonAnswered) and event.span in asked:
            asked[event.span] = asked[event.span]._replace(answered=payload)
    return list(asked.values())


def waits_for_leave(log: list[Event], call: int) -> bool:
    """Whether a call has not begun yet, for nobody has allowed it."""
    newest: Event | None = None
    answer: PersonAnswered | None = None
    for event in log[call + 1 :]:
        payload = event.payload
        if isinstance(payload, GateDecided) and payload.call == call:
            if payload.decision == "deny" and payload.stage == "before":
                return True
        elif isinstance(payload, PersonAsked):
            approval = payload.approval
            if event.parent == call and approval is not None and approval.stage == "before":
                newest, answer = event, None
        elif newest is not None and event.span == newest.seq:
            answer = payload if isinstance(payload, PersonAnswered) else answer
    return newest is not None and not _allowed(answer)


def _allowed(answer: PersonAnswered | None) -> bool:
    if answer is None or answer == NOT_ANSWERED:
        return False
    try:
        return read_answer(answer.answer).decision != "deny"
    except ConfigurationError:
        return False
