"""What model connections have cost today and this month."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import msgspec

from aworld.llm.limits.book import Spending
from aworld.llm.limits.shared_book import shared_book

_BUDGETS = ("cost_per_day_usd", "cost_per_month_usd")


def spending_of(connection: str, limits: Mapping[str, Any]) -> dict[str, float] | None:
    """`{day_usd, month_usd}`; None where no budget makes anyone count."""
    if not any(limits.get(budget) for budget in _BUDGETS):
        return None
    found: dict[str, float] = msgspec.structs.asdict(asyncio.run(_read(connection)))
    return found


async def _read(connection: str) -> Spending:
    book = shared_book()
    try:
        return await book.spending(connection)
    finally:
        await book.aclose()
