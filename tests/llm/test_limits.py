"""Limits of a connection: one contract over the book of a process and the book in Redis."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from aworld.errors import ConfigurationError
from aworld.llm.base import ChatMessage, ModelRequest, Usage
from aworld.llm.client import LLMClient
from aworld.llm.limits.book import Book, Call, LetIn, Spending, Spent, Wait
from aworld.llm.limits.gate import LimitGate
from aworld.llm.limits.ledger import Ledger
from aworld.llm.limits.memory import MemoryBook
from aworld.llm.limits.redis import RedisBook
from aworld.llm.limits.rules import BudgetSpent, Limits, limits_from
from tests.openai_server import Answer, Failure, OpenAIServer
from tests.servers import free_port

ASK = ModelRequest((ChatMessage("user", "hello"),))
WINDOW_S = 0.6


@pytest.fixture(params=["memory", "redis"])
async def book(request: pytest.FixtureRequest) -> AsyncIterator[Book]:
    if request.param == "memory":
        yield MemoryBook(window_s=WINDOW_S)
        return
    url = request.getfixturevalue("valkey_url")
    shared = RedisBook(url, MemoryBook(), window_s=WINDOW_S, prefix=uuid.uuid4().hex)
    yield shared
    await shared.aclose()


@pytest.fixture
def server() -> Iterator[OpenAIServer]:
    with OpenAIServer(default="ok") as server:
        yield server


def call(tokens: int = 1, cost_usd: float = 0.0, lease_s: float = 60.0) -> Call:
    return Call("c", uuid.uuid4().hex, tokens, cost_usd, lease_s)


async def test_no_more_calls_than_allowed_in_any_window(book: Book) -> None:
    limits = Limits(requests_per_minute=2)
    assert [await book.enter(call(), limits) for _ in range(2)] == [LetIn(), LetIn()]
    refused = await book.enter(call(), limits)
    assert isinstance(refused, Wait)
    assert refused.reason == "requests_per_minute"
    assert 0 < refused.seconds <= WINDOW_S
    await asyncio.sleep(refused.seconds + 0.02)
    assert await book.enter(call(), limits) == LetIn()


async def test_tokens_count_by_estimate_first_and_then_as_used(book: Book) -> None:
    limits = Limits(tokens_per_minute=100)
    first = call(tokens=90)
    assert await book.enter(first, limits) == LetIn()
    refused = await book.enter(call(tokens=20), limits)
    assert isinstance(refused, Wait)
    assert refused.reason == "tokens_per_minute"
    await book.leave(first, 30, 0.0)
    assert await book.enter(call(tokens=20), limits) == LetIn()


async def test_a_call_larger_than_the_limit_goes_alone_rather_than_never(book: Book) -> None:
    assert await book.enter(call(tokens=500), Limits(tokens_per_minute=100)) == LetIn()


async def test_a_call_that_ends_makes_room_for_another(book: Book) -> None:
    limits = Limits(concurrent=1)
    first = call()
    assert await book.enter(first, limits) == LetIn()
    assert await book.enter(call(), limits) == Wait("concurrent", 0.2)
    await book.leave(first, None, 0.0)
    assert await book.enter(call(), limits) == LetIn()


async def test_a_killed_workers_call_gives_its_place_back(book: Book) -> None:
    limits = Limits(concurrent=1)
    assert await book.enter(call(lease_s=0.05), limits) == LetIn()
    await asyncio.sleep(0.07)
    assert await book.enter(call(), limits) == LetIn()


@pytest.mark.parametrize(
    ("limits", "period"),
    [(Limits(cost_per_day_usd=0.5), "day"), (Limits(cost_per_month_usd=0.5), "month")],
)
async def test_a_spent_budget_refuses(book: Book, limits: Limits, period: str) -> None:
    first = call()
    assert await book.enter(first, limits) == LetIn()
    await book.leave(first, 10, 0.75)
    assert await book.enter(call(), limits) == Spent(period, 0.75)  # type: ignore[arg-type]
    assert await book.spending("c") == Spending(0.75, 0.75)
    assert await book.spending("another") == Spending()


async def test_calls_under_way_hold_what_they_may_cost(book: Book) -> None:
    """A hundred calls at once must not all pass the same last cent."""
    limits = Limits(cost_per_day_usd=1.0)
    first = call(cost_usd=0.9)
    assert await book.enter(first, limits) == LetIn()
    assert await book.enter(call(cost_usd=0.9), limits) == LetIn()
    assert await book.enter(call(), limits) == Wait("budget", 0.2)
    await book.leave(first, 10, 0.05)
    assert await book.enter(call(), limits) == LetIn()


async def test_two_workers_share_one_count(valkey_url: str) -> None:
    prefix = uuid.uuid4().hex
    one, two = (RedisBook(valkey_url, MemoryBook(), prefix=prefix) for _ in range(2))
    limits = Limits(requests_per_minute=10)
    verdicts = await asyncio.gather(
        *(book.enter(call(), limits) for book in (one, two) for _ in range(20))
    )
    await one.aclose()
    await two.aclose()
    assert sum(isinstance(verdict, LetIn) for verdict in verdicts) == 10


async def test_without_redis_a_process_counts_alone_and_says_so_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    book = RedisBook(f"redis://127.0.0.1:{free_port()}/0", MemoryBook())
    limits = Limits(requests_per_minute=1)
    assert await book.enter(call(), limits) == LetIn()
    assert isinstance(await book.enter(call(), limits), Wait)
    await book.aclose()
    assert caplog.text.count("by each process alone") == 1


async def test_a_budget_outlives_the_process(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    await MemoryBook(ledger).leave(call(), 1, 2.5)
    ledger.close()
    again = Ledger(tmp_path)
    verdict = await MemoryBook(again).enter(call(), Limits(cost_per_month_usd=2.0))
    again.close()
    assert verdict == Spent("month", 2.5)


async def test_a_call_waits_for_its_turn_and_says_what_for(server: OpenAIServer) -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        clock[0] += seconds

    clock = [time.time()]
    book = MemoryBook(clock=lambda: clock[0])
    gate = LimitGate("mine", Limits(requests_per_minute=1), book, sleep=sleep)
    model = LLMClient("m", base_url=server.base_url, gate=gate)
    told: list[str] = []

    def note(error: Exception, pause_s: float) -> None:
        told.append(str(error))

    await model.complete(ASK, on_retry=note)
    await model.complete(ASK, on_retry=note)
    await model.aclose()

    assert sum(slept) == pytest.approx(60.0, abs=0.1)
    assert told == [
        "Model connection 'mine' has reached its 1 calls a minute; the call waits until there is "
        "room."
    ]


async def test_a_spent_budget_is_refused_with_words_and_nothing_is_sent(
    server: OpenAIServer,
) -> None:
    server.reply(Answer("ok", usage={"prompt_tokens": 1_000_000, "completion_tokens": 0}))
    gate = LimitGate("mine", Limits(cost_per_day_usd=2.0), MemoryBook())
    price: dict[str, Any] = {"input": 2.5, "output": 1.0}
    model = LLMClient("m", base_url=server.base_url, gate=gate, price=price)

    await model.complete(ASK)
    with pytest.raises(BudgetSpent, match=r"'mine' has cost 2.50 USD of the 2.00 USD.* a day"):
        await model.complete(ASK)
    await model.aclose()

    assert len(server.requests) == 1


async def test_a_failed_or_cancelled_call_leaves_no_place_taken(server: OpenAIServer) -> None:
    server.reply(Failure(400))
    gate = LimitGate("mine", Limits(concurrent=1), MemoryBook())
    model = LLMClient("m", base_url=server.base_url, gate=gate)

    with pytest.raises(Exception, match="400"):
        await model.complete(ASK)
    waiting = asyncio.create_task(model.complete(ASK))
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    completion = await asyncio.wait_for(model.complete(ASK), 5)
    await model.aclose()

    assert completion.usage == Usage(7, 3)


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"requests_per_minute": 0}, "is 0; give a number above 0"),
        ({"requests_per_minute": 1.5}, "cannot be read"),
        ({"cost_per_day_usd": float("nan")}, "above 0"),
        ({"calls": 3}, "no limit 'calls'"),
        ([], "cannot be read"),
    ],
)
def test_a_limit_that_cannot_be_is_refused(given: Any, why: str) -> None:
    with pytest.raises(ConfigurationError, match=why):
        limits_from(given)


def test_a_budget_needs_a_price() -> None:
    with pytest.raises(ConfigurationError, match="A budget needs the price"):
        limits_from({"cost_per_day_usd": 1}, priced=False)
