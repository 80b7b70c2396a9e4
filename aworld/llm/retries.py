"""Trying again: which errors are worth it, how long to wait, when to stop."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import TypeVar

import msgspec

from aworld.errors import ProviderError, ProviderTimeout
from aworld.llm.base import OnRetry
from aworld.llm.failures import ProviderUnavailable

T = TypeVar("T")
Sleep = Callable[[float], Awaitable[None]]


class RetryPolicy(msgspec.Struct, frozen=True):
    """Exponential back-off with jitter. All times in seconds."""

    attempts: int = 5
    """Attempts in all, the first one included."""
    timeouts: int = 2
    """Attempts that may run into their time limit: each costs the whole limit."""
    first_pause: float = 0.5
    longest_pause: float = 30.0
    """Longest pause of our own choosing."""
    longest_wait: float = 120.0
    """A provider that asks for more than this (`Retry-After`) is not waited for."""
    jitter: float = 0.25
    """A pause is drawn from ± this share, so that many callers do not come back at once."""

    def pause(self, failed: int, error: ProviderError, draw: float) -> float | None:
        """Seconds to wait after the n-th failure (1, 2, …), or None to give up. `draw` is a
        random number in [0, 1)."""
        asked = error.retry_after_s if isinstance(error, ProviderUnavailable) else None
        own = min(self.longest_pause, self.first_pause * 2.0 ** (failed - 1))
        own *= 1 + self.jitter * (2 * draw - 1)
        if not error.retryable or failed >= self.attempts:
            return None
        if asked is None:
            return own
        return None if asked > self.longest_wait else max(asked, own)


async def call_with_retries(
    attempt: Callable[[], Awaitable[T]],
    policy: RetryPolicy,
    *,
    on_retry: OnRetry | None = None,
    sleep: Sleep = asyncio.sleep,
    draw: Callable[[], float] = random.random,
) -> T:
    """Call `attempt` until it succeeds.

    Raises:
        ProviderError: the last one, when it cannot be retried or attempts ran out.
    """
    failed = timeouts = 0
    while True:
        try:
            return await attempt()
        except ProviderError as error:
            failed += 1
            timeouts += isinstance(error, ProviderTimeout)
            pause = policy.pause(failed, error, draw())
            if pause is None or timeouts >= policy.timeouts:
                raise
            if on_retry is not None:
                on_retry(error, pause)
        await sleep(pause)
