"""The newest events of one followed run, encoded once, as frames that all its clients share."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

from aworld.events.union import Event, encode_json

FRAME_BYTES = 64 * 1024
KEEP_EVENTS = 4096
KEEP_BYTES = 8 * 1024 * 1024


class Frame(NamedTuple):
    """One text frame of events."""

    text: str
    last_seq: int
    """The newest event in it."""


def events_frame(run_id: str, events: Sequence[str]) -> str:
    """`{"type":"events",…}` of encoded events."""
    return f'{{"type":"events","run":"{run_id}","events":[{",".join(events)}]}}'


def jump_frame(run_id: str, start: int, end: int) -> str:
    """`{"type":"jump",…}`: fetch these events by HTTP, what follows comes here."""
    return f'{{"type":"jump","run":"{run_id}","from":{start},"to":{end}}}'


def encoded(events: Sequence[Event]) -> list[str]:
    """Each event's JSON."""
    return [encode_json(event).decode() for event in events]


class RunFeed:
    """A window of a run's log that ends at its newest known event."""

    def __init__(self, run_id: str, after: int) -> None:
        self.run_id = run_id
        self.last_seq = after
        self._texts: deque[str] = deque()
        self._bytes = 0
        self._frames: dict[int, Frame] = {}

    @property
    def first_seq(self) -> int:
        """The oldest event in the window; `last_seq + 1` where it is empty."""
        return self.last_seq + 1 - len(self._texts)

    def extend(self, events: Sequence[Event]) -> None:
        """Add the events that follow `last_seq`; the oldest leave a full window."""
        if not events:
            return
        for text in encoded(events):
            self._texts.append(text)
            self._bytes += len(text)
        self.last_seq = events[-1].seq
        while len(self._texts) > KEEP_EVENTS or (self._bytes > KEEP_BYTES and self._texts):
            self._bytes -= len(self._texts.popleft())
        self._frames.clear()

    def frame(self, after: int) -> Frame | None:
        """The next frame for a cursor; None where it is at the end, or before the window.

        Clients at the same cursor get the same string.
        """
        if after >= self.last_seq or after + 1 < self.first_seq:
            return None
        frame = self._frames.get(after)
        if frame is None:
            frame = self._frames[after] = self._make(after)
        return frame

    def _make(self, after: int) -> Frame:
        texts: list[str] = []
        size = 0
        for text in islice(self._texts, after + 1 - self.first_seq, None):
            if texts and size + len(text) > FRAME_BYTES:
                break
            texts.append(text)
            size += len(text) + 1
        return Frame(events_frame(self.run_id, texts), after + len(texts))
