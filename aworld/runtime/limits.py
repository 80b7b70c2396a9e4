"""What a run has used, and which limit it has reached."""

from __future__ import annotations

from aworld.events.model import LlmRequested, LlmResponded
from aworld.events.run import LimitReached, Limits
from aworld.events.union import Event


class Account:
    """A fold of the log: model calls, tokens, cost, and seconds while running."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.steps = 0
        self.tokens = 0
        self.cost_usd = 0.0
        self._running_since: int | None = None
        self._ran_us = 0
        self._last_at = 0

    def add(self, event: Event) -> None:
        """Count one event."""
        payload = event.payload
        if isinstance(payload, LlmRequested):
            self.steps += 1
        elif isinstance(payload, LlmResponded):
            self.tokens += payload.input_tokens + payload.output_tokens
            self.cost_usd += payload.cost_usd or 0.0
        elif event.kind in {"run.started", "run.resumed"}:
            self._running_since = event.at
        elif event.kind in {"run.paused", "run.parked"}:
            self._stop_clock(event.at)
        elif event.kind == "run.lost":
            # The time between the last event and the loss was nobody's work.
            self._stop_clock(self._last_at)
        self._last_at = event.at

    def seconds(self, now: int) -> float:
        """Seconds the run has been running until `now` (UTC microseconds)."""
        open_us = now - self._running_since if self._running_since is not None else 0
        return (self._ran_us + open_us) / 1e6

    def reached(self, now: int) -> LimitReached | None:
        """The first limit that forbids another step, if any."""
        checks = (
            ("steps", self.limits.steps, float(self.steps)),
            ("tokens", self.limits.tokens, float(self.tokens)),
            ("seconds", self.limits.seconds, self.seconds(now)),
            ("cost_usd", self.limits.cost_usd, self.cost_usd),
        )
        for name, allowed, used in checks:
            if allowed is not None and used >= allowed:
                return LimitReached(limit=name, allowed=float(allowed), used=used)
        return None

    def seconds_left(self, now: int) -> float | None:
        """Until the time limit; None where there is none."""
        if self.limits.seconds is None:
            return None
        return max(0.0, self.limits.seconds - self.seconds(now))

    def _stop_clock(self, at: int) -> None:
        if self._running_since is not None:
            self._ran_us += max(0, at - self._running_since)
            self._running_since = None
