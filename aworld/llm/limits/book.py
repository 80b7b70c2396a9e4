"""What counts the calls of a connection: one call asks to be let in, and says what it used."""

from __future__ import annotations

from typing import Literal, Protocol

import msgspec

from aworld.llm.limits.rules import Limits

Reason = Literal["requests_per_minute", "tokens_per_minute", "concurrent", "budget"]
Period = Literal["day", "month"]


class Call(msgspec.Struct, frozen=True):
    """One attempt, as it is expected to be."""

    connection: str
    id: str
    """Unique among all attempts of all workers."""
    tokens: int
    """Estimated input and longest answer."""
    cost_usd: float
    """What those tokens cost."""
    lease_s: float
    """Seconds after which it counts as over, whatever became of its worker."""


class LetIn(msgspec.Struct, frozen=True):
    """The call may be sent; it counts from now on."""


class Wait(msgspec.Struct, frozen=True):
    """The call must ask again."""

    reason: Reason
    seconds: float
    """When that may be worth it."""


class Spent(msgspec.Struct, frozen=True):
    """The budget is used up."""

    period: Period
    used_usd: float


class Spending(msgspec.Struct, frozen=True):
    """USD of a connection since 00:00 UTC, and since the first of the month."""

    day_usd: float = 0.0
    month_usd: float = 0.0


Verdict = LetIn | Wait | Spent


class Book(Protocol):
    """Counts for all who share it. Every answer is one atomic step."""

    async def enter(self, call: Call, limits: Limits) -> Verdict:
        """Let a call in, or say why not."""
        ...

    async def leave(self, call: Call, tokens: int | None, cost_usd: float) -> None:
        """The call is over. None leaves its estimate as its tokens."""
        ...

    async def spending(self, connection: str) -> Spending:
        """What it has cost."""
        ...

    async def aclose(self) -> None:
        """Give back connections."""
        ...


def periods(now: float) -> tuple[str, str]:
    """The names of the day and the month of a time in seconds: `2026-12-01` and `2026-12`."""
    import datetime

    day = datetime.datetime.fromtimestamp(now, datetime.UTC).date().isoformat()
    return day, day[:7]
