"""The gate in front of a connection: each attempt enters, and says what it used when it leaves."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import msgspec

from aworld.llm.base import Completion, OnRetry, Parameters, Usage
from aworld.llm.limits.book import Book, Call, Spent, Wait
from aworld.llm.limits.rules import BudgetSpent, Limits, WaitsForLimit
from aworld.llm.prices import Price
from aworld.llm.retries import Sleep

BYTES_A_TOKEN = 4
"""For the estimate; what was really used replaces it."""
LONGEST_PAUSE_S = 5.0
"""A limit may be raised, or another call end, while one waits."""
_GRACE_S = 10.0


class Entry:
    """One attempt inside the gate."""

    def __init__(self) -> None:
        self.tokens: int | None = None
        self.cost_usd = 0.0

    def answered(self, completion: Completion) -> None:
        """What it used. An attempt that failed keeps its estimate."""
        self.tokens = completion.usage.input + completion.usage.output
        self.cost_usd = completion.cost_usd or 0.0


class LimitGate:
    """Lets attempts in one after the other, in the order in which they came to this process."""

    def __init__(
        self,
        connection: str,
        limits: Limits,
        book: Book | None,
        *,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        """`connection` is the name that all workers count under."""
        self._connection = connection
        self._limits = limits
        self._book = book
        self._sleep = sleep
        self._line = asyncio.Lock()
        self._why: Wait | None = None
        """Why the first in the line waits."""

    @asynccontextmanager
    async def entered(
        self,
        body: Mapping[str, Any],
        parameters: Parameters,
        price: Price | None,
        on_wait: OnRetry | None,
    ) -> AsyncGenerator[Entry]:
        """Inside from here to the end of the block.

        `on_wait` is told once where the attempt must wait.

        Raises:
            BudgetSpent: the connection may cost no more today or this month.
        """
        entry = Entry()
        if self._book is None or not self._limits.any:
            yield entry
            return
        call = self._expected(body, parameters, price)
        await self._enter(self._book, call, on_wait)
        try:
            yield entry
        finally:
            await self._book.leave(call, entry.tokens, entry.cost_usd)

    async def aclose(self) -> None:
        """Give back what the book holds for this event loop."""
        if self._book is not None:
            await self._book.aclose()

    async def _enter(self, book: Book, call: Call, on_wait: OnRetry | None) -> None:
        told = False
        if self._why is not None and on_wait is not None:
            self._tell(self._why, on_wait)
            told = True
        async with self._line:
            try:
                while True:
                    verdict = await book.enter(call, self._limits)
                    if isinstance(verdict, Spent):
                        raise self._spent(verdict)
                    if not isinstance(verdict, Wait):
                        return
                    self._why = verdict
                    if on_wait is not None and not told:
                        self._tell(verdict, on_wait)
                        told = True
                    await self._sleep(min(max(verdict.seconds, 0.01), LONGEST_PAUSE_S))
            finally:
                self._why = None

    def _expected(
        self, body: Mapping[str, Any], parameters: Parameters, price: Price | None
    ) -> Call:
        given = len(msgspec.json.encode(body)) // BYTES_A_TOKEN
        longest = parameters.max_tokens or 0
        cost = price.cost(Usage(input=given, output=longest)) if price is not None else 0.0
        lease_s = parameters.timeout_s + _GRACE_S
        return Call(self._connection, uuid.uuid4().hex, given + longest, cost, lease_s)

    def _tell(self, wait: Wait, on_wait: OnRetry) -> None:
        limits = self._limits
        what = {
            "requests_per_minute": f"its {limits.requests_per_minute} calls a minute",
            "tokens_per_minute": f"its {limits.tokens_per_minute} tokens a minute",
            "concurrent": f"its {limits.concurrent} calls at once",
            "budget": "what is left of its budget, which calls under way may use up",
        }[wait.reason]
        error = WaitsForLimit(
            f"Model connection {self._connection!r} has reached {what}; the call waits until there "
            "is room."
        )
        on_wait(error, round(wait.seconds, 3))

    def _spent(self, spent: Spent) -> BudgetSpent:
        day = spent.period == "day"
        most = self._limits.cost_per_day_usd if day else self._limits.cost_per_month_usd
        begins = "at 00:00 UTC" if day else "on the first at 00:00 UTC"
        return BudgetSpent(
            f"Model connection {self._connection!r} has cost {_usd(spent.used_usd)} of the "
            f"{_usd(most or 0.0)} that it may a {spent.period}; the next {spent.period} begins "
            f"{begins}. Raise its budget, or let the agent use another model."
        )


def _usd(amount: float) -> str:
    return f"{amount:.2f} USD" if amount >= 0.01 else f"{amount:.2g} USD"


NO_LIMITS = LimitGate("", Limits(), None)
"""Lets everything in."""
