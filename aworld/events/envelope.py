"""What every event carries, whatever its kind.

`(run_id, seq)` is an event's identity. A span is named by the seq of the event that opened it,
so no random ids enter the log and a replay writes the same log again.
"""

from __future__ import annotations

import time

import msgspec

SCHEMA_VERSION = 1

UNSEQUENCED = -1
"""The seq of a draft: an event that its run's lease holder has not numbered yet."""

OWN_SPAN = -1
"""The span of a draft that opens one: the bus puts the event's own number there."""


class Payload(msgspec.Struct, frozen=True, tag_field="kind", omit_defaults=True):
    """What one kind of event says. The tag is the kind."""


class Clock:
    """UTC microseconds that never run backwards.

    Wall time is read once; afterwards the monotonic clock counts, so differences of two events'
    `at` are true durations. A worker that takes a run up starts not before its last event.
    """

    def __init__(self, not_before: int = 0) -> None:
        self._anchor = max(time.time_ns() // 1000, not_before)
        self._started = time.monotonic_ns()

    def now(self) -> int:
        """Microseconds since the Unix epoch, UTC."""
        return self._anchor + (time.monotonic_ns() - self._started) // 1000
