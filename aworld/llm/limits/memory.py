"""The book of one process, shared by its threads and event loops."""

from __future__ import annotations

import threading
import time
from collections import defaultdict, deque
from collections.abc import Callable

from aworld.llm.limits.book import Call, LetIn, Spending, Spent, Verdict, Wait, periods
from aworld.llm.limits.ledger import Ledger
from aworld.llm.limits.rules import Limits

WINDOW_S = 60.0
ASK_AGAIN_S = 0.2
"""For what ends at no known time: another call."""


class _Account:
    def __init__(self) -> None:
        self.window: deque[tuple[float, str]] = deque()
        self.tokens: dict[str, int] = {}
        self.open: dict[str, tuple[float, float]] = {}
        """Call → when its lease ends, what it is expected to cost."""


class MemoryBook:
    """Exact windows: never more than a limit in any `window_s` seconds."""

    def __init__(
        self,
        ledger: Ledger | None = None,
        *,
        window_s: float = WINDOW_S,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """`clock` gives UTC seconds."""
        self._ledger = ledger or Ledger(None)
        self._window_s = window_s
        self._clock = clock
        self._lock = threading.Lock()
        self._accounts: dict[str, _Account] = defaultdict(_Account)

    async def enter(self, call: Call, limits: Limits) -> Verdict:
        """Let a call in, or say why not."""
        with self._lock:
            now = self._clock()
            account = self._accounts[call.connection]
            self._forget_old(account, now)
            refused = self._budget(account, call, limits, now) or self._rate(
                account, call, limits, now
            )
            if refused is not None:
                return refused
            account.window.append((now, call.id))
            account.tokens[call.id] = call.tokens
            account.open[call.id] = (now + call.lease_s, call.cost_usd)
            return LetIn()

    async def leave(self, call: Call, tokens: int | None, cost_usd: float) -> None:
        """The call is over."""
        with self._lock:
            account = self._accounts[call.connection]
            account.open.pop(call.id, None)
            if tokens is not None and call.id in account.tokens:
                account.tokens[call.id] = tokens
            if cost_usd > 0:
                self._ledger.add(call.connection, periods(self._clock()), cost_usd)

    async def spending(self, connection: str) -> Spending:
        """What it has cost."""
        day, month = periods(self._clock())
        return Spending(self._ledger.read(connection, day), self._ledger.read(connection, month))

    async def aclose(self) -> None:
        """Nothing to give back: other models use it too."""

    def _forget_old(self, account: _Account, now: float) -> None:
        while account.window and account.window[0][0] <= now - self._window_s:
            _, call = account.window.popleft()
            account.tokens.pop(call, None)
        for call in [call for call, (until, _) in account.open.items() if until <= now]:
            del account.open[call]

    def _budget(self, account: _Account, call: Call, limits: Limits, now: float) -> Verdict | None:
        day, month = periods(now)
        reserved = sum(cost for _, cost in account.open.values())
        waits = False
        for period, name, most in (
            ("day", day, limits.cost_per_day_usd),
            ("month", month, limits.cost_per_month_usd),
        ):
            if most is None:
                continue
            used = self._ledger.read(call.connection, name)
            if used >= most:
                return Spent("day" if period == "day" else "month", used)
            waits = waits or used + reserved >= most
        return Wait("budget", ASK_AGAIN_S) if waits and account.open else None

    def _rate(self, account: _Account, call: Call, limits: Limits, now: float) -> Verdict | None:
        if limits.concurrent is not None and len(account.open) >= limits.concurrent:
            return Wait("concurrent", ASK_AGAIN_S)
        most = limits.requests_per_minute
        if most is not None and len(account.window) >= most:
            leaves = account.window[len(account.window) - most][0] + self._window_s
            return Wait("requests_per_minute", leaves - now)
        if limits.tokens_per_minute is None:
            return None
        left = sum(account.tokens.values())
        if not left or left + call.tokens <= limits.tokens_per_minute:
            return None
        leaves = now
        for entered, one in account.window:
            left -= account.tokens.get(one, 0)
            leaves = entered + self._window_s
            if not left or left + call.tokens <= limits.tokens_per_minute:
                break
        return Wait("tokens_per_minute", leaves - now)
