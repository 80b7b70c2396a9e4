"""What a run has used, and which limit it has reached."""

from __future__ import annotations

import msgspec

from aworld.events.model import LlmRequested, LlmResponded
from aworld.events.run import LimitReached, Limits
from aworld.events.traits import CLOSERS, OPENERS, closes_span, opens_span
from aworld.events.union import Event


class Used(msgspec.Struct):
    """What a run has used so far."""

    steps: int = 0
    """Model calls."""
    tokens: int = 0
    cost_usd: float = 0.0
    running_since: int | None = None
    """UTC microseconds; None while its clock stands."""
    ran_us: int = 0
    """Microseconds it had run when its clock last stood."""
    last_at: int = 0
    """Time of the last event, UTC microseconds."""
    asked: dict[int, int | None] = {}
    """Open questions to people, by their seq: the call that waits for the answer, or None."""
    busy: list[int] = []
    """Seqs of the other open effects."""
    waits: bool = False
    """Its clock stands because all that goes on is waiting for people."""


class Account:
    """A fold of the log: model calls, tokens, cost, and seconds while running."""

    def __init__(self, limits: Limits, used: Used | None = None) -> None:
        self.limits = limits
        self._used = used or Used()

    def used(self) -> Used:
        """What has been used."""
        return self._used

    @property
    def steps(self) -> int:
        """Model calls so far."""
        return self._used.steps

    @property
    def tokens(self) -> int:
        """Input and output tokens so far."""
        return self._used.tokens

    @property
    def cost_usd(self) -> float:
        """US dollars so far, of calls whose price is known."""
        return self._used.cost_usd

    def add(self, event: Event) -> None:
        """Count one event."""
        used, payload, kind = self._used, event.payload, event.kind
        if isinstance(payload, LlmRequested):
            used.steps += 1
        elif isinstance(payload, LlmResponded):
            used.tokens += payload.input_tokens + payload.output_tokens
            used.cost_usd += payload.cost_usd or 0.0
        elif kind in {"run.started", "run.resumed"}:
            # A run that is taken up while paused starts, but its clock stands until it is resumed.
            self._stop_clock(event.at)
            used.running_since = event.at
        elif kind in {"run.paused", "run.parked"}:
            self._stop_clock(event.at)
            used.waits = False
        elif kind in {"run.lost", "fork.created"}:
            # The time between the last event and the loss, or the fork, was nobody's work.
            self._stop_clock(used.last_at)
            used.waits = False
        if used.asked or kind in OPENERS or kind in CLOSERS:
            self._wait_or_go_on(event)
        used.last_at = event.at

    def seconds(self, now: int) -> float:
        """Seconds the run has been running until `now` (UTC microseconds)."""
        used = self._used
        open_us = now - used.running_since if used.running_since is not None else 0
        return (used.ran_us + open_us) / 1e6

    def reached(self, now: int) -> LimitReached | None:
        """The first limit that forbids another step, if any."""
        checks = (
            ("steps", self.limits.steps, float(self._used.steps)),
            ("tokens", self.limits.tokens, float(self._used.tokens)),
            ("seconds", self.limits.seconds, self.seconds(now)),
            ("cost_usd", self.limits.cost_usd, self._used.cost_usd),
        )
        for name, allowed, used in checks:
            if allowed is not None and used >= allowed:
                return LimitReached(limit=name, allowed=float(allowed), used=used)
        return None

    def seconds_left(self, now: int) -> float | None:
        """Until the time limit; None where there is none."""
        if self.limits.seconds is None or self._used.waits:
            return None
        return max(0.0, self.limits.seconds - self.seconds(now))

    def _wait_or_go_on(self, event: Event) -> None:
        """Let the clock stand while people are all that the run waits for."""
        used = self._used
        if event.kind == "person.asked":
            used.asked[event.seq] = event.parent
        elif opens_span(event):
            used.busy.append(event.seq)
        elif closes_span(event) and event.span is not None:
            used.asked.pop(event.span, None)
            if event.span in used.busy:
                used.busy.remove(event.span)
        waits = bool(used.asked) and set(used.busy) <= set(used.asked.values())
        if waits and used.running_since is not None:
            self._stop_clock(event.at)
            used.waits = True
        elif used.waits and not waits:
            used.running_since = used.running_since or event.at
            used.waits = False

    def _stop_clock(self, at: int) -> None:
        used = self._used
        if used.running_since is not None:
            used.ran_us += max(0, at - used.running_since)
            used.running_since = None
