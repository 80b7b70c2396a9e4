"""One browser's connection: what it follows, how far it is, and what waits for it."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Protocol

from apps.runs.live.feed import Frame, RunFeed, jump_frame
from apps.runs.live.flow import Flow

MOST_BEHIND = 5_000
"""Events that a client may be behind before it is told to fetch them by HTTP."""
MOST_NOTES = 256
"""Messages beside events that wait for a client."""
PAGE = 500


class Log(Protocol):
    """Where a client that is behind its feed's window reads."""

    async def page(self, run_id: str, after: int, limit: int) -> Frame | None:
        """The frame after a cursor, out of the store; None where there is nothing."""
        ...


class LiveClient:
    """Sends to one connection, from its own cursor in each run, as fast as it takes it.

    Nothing is queued for a slow client but a bounded number of notes: its cursor stays behind,
    and when it is too far behind it is told to jump.
    """

    def __init__(self, flow: Flow, log: Log) -> None:
        self._flow = flow
        self._log = log
        self._follows: dict[str, tuple[RunFeed, int]] = {}
        self._notes: deque[str] = deque(maxlen=MOST_NOTES)
        self._news = asyncio.Event()
        self.wants_runs = False

    @property
    def follows(self) -> list[str]:
        """The runs it follows."""
        return list(self._follows)

    def follow(self, feed: RunFeed, after: int) -> None:
        """Send the feed's events after `after`; again with another `after` starts from there."""
        self._follows[feed.run_id] = (feed, after)
        self._news.set()

    def unfollow(self, run_id: str) -> None:
        """Send nothing more of a run."""
        self._follows.pop(run_id, None)

    def notify(self) -> None:
        """Some feed has more."""
        self._news.set()

    def note(self, text: str, *, may_be_lost: bool = False) -> None:
        """Send a message beside events. One that may be lost is, while the connection is full."""
        if may_be_lost and not self._flow.is_open:
            return
        self._notes.append(text)
        self._news.set()

    async def run(self) -> None:
        """Send until cancelled."""
        while True:
            await self._news.wait()
            self._news.clear()
            while self._notes:
                await self._send(self._notes.popleft())
            for run_id in self.follows:
                await self._catch_up(run_id)

    async def _catch_up(self, run_id: str) -> None:
        """Send what a run has after the client's cursor."""
        while run_id in self._follows:
            feed, cursor = self._follows[run_id]
            if cursor >= feed.last_seq:
                return
            if feed.last_seq - cursor > MOST_BEHIND:
                self._move(run_id, feed, cursor, feed.last_seq)
                await self._send(jump_frame(run_id, cursor + 1, feed.last_seq))
                return
            frame = feed.frame(cursor) or await self._log.page(run_id, cursor, PAGE)
            if frame is None:
                return
            if self._move(run_id, feed, cursor, frame.last_seq):
                await self._send(frame.text)

    def _move(self, run_id: str, feed: RunFeed, cursor: int, to: int) -> bool:
        """Advance the cursor; False where the client asked for another place meanwhile."""
        if self._follows.get(run_id) != (feed, cursor):
            return False
        self._follows[run_id] = (feed, to)
        return True

    async def _send(self, text: str) -> None:
        await self._flow.send_text(text)
        if not self._flow.is_open:
            await self._flow.wait()
