"""A chain of connections: who is asked when, and what is said about it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from aworld.errors import ConfigurationError, ProviderError, ProviderRefused, ProviderTimeout
from aworld.llm.base import ChatMessage, ModelRequest
from aworld.llm.failures import ProviderUnavailable
from aworld.llm.fallback import FallbackModel, Link
from aworld.llm.limits.rules import BudgetSpent
from aworld.llm.registry import make_model
from aworld.llm.scripted import ScriptedModel
from tests.openai_server import Failure, OpenAIServer

ASK = ModelRequest((ChatMessage("user", "hello"),))


class Notes:
    """What `on_retry` was told."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def __call__(self, error: Exception, pause_s: float) -> None:
        self.said.append(str(error))


def chain(*replies: Any, clock: Any = lambda: 0.0) -> FallbackModel:
    links = [
        Link(name, ScriptedModel([reply], name=name, repeat_last=True))
        for name, reply in zip("abc", replies, strict=False)
    ]
    return FallbackModel(links, clock=clock)


@pytest.mark.parametrize(
    "failure",
    [
        ProviderUnavailable("busy", status=503),
        ProviderUnavailable("slow down", status=429),
        ProviderTimeout("too slow"),
        ProviderRefused("wrong key", status=401),
        BudgetSpent("spent"),
        ProviderError("nonsense"),
    ],
    ids=lambda failure: type(failure).__name__,
)
async def test_whatever_stops_one_connection_leads_to_the_next(failure: ProviderError) -> None:
    notes = Notes()
    completion = await chain(failure, "hi").complete(ASK, on_retry=notes)
    assert (completion.text, completion.connection) == ("hi", "b")
    assert completion.instead_of == f"'a' failed: {failure}"
    assert notes.said == [f"Model connection 'a' failed: {failure}. 'b' is asked next."]


async def test_the_first_answers_where_it_can_and_that_needs_no_reason() -> None:
    completion = await chain("hi", "unused").complete(ASK)
    assert (completion.connection, completion.instead_of) == ("a", "")


async def test_a_connection_that_failed_rests_and_is_asked_again_later() -> None:
    now = [0.0]
    first = ScriptedModel([ProviderTimeout("down"), "back"])
    links = [Link("a", first), Link("b", ScriptedModel(["hi"], repeat_last=True))]
    model = FallbackModel(links, clock=lambda: now[0])
    await model.complete(ASK)
    meanwhile = await model.complete(ASK)
    now[0] = 31.0
    later = await model.complete(ASK)
    assert meanwhile.instead_of == "shortly before, 'a' failed: down"
    assert (later.connection, later.text, later.instead_of) == ("a", "back", "")
    assert len(first.requests) == 2


async def test_when_all_fail_each_reason_is_named() -> None:
    model = chain(ProviderTimeout("slow"), ProviderRefused("wrong key", status=401))
    with pytest.raises(ProviderError, match=r"All 2 model.*'a' failed: slow.*'b' failed: wrong"):
        await model.complete(ASK)


@pytest.fixture
def servers() -> Iterator[tuple[OpenAIServer, OpenAIServer]]:
    with OpenAIServer() as first, OpenAIServer() as second:
        yield first, second


async def test_a_connection_with_fallbacks_becomes_a_chain(
    servers: tuple[OpenAIServer, OpenAIServer],
) -> None:
    first, second = servers
    first.reply(Failure(401, "no such key"))
    second.reply("from the second")
    spec = {"name": "one", "provider": "vllm", "model": "m", "base_url": first.base_url}
    other = {"name": "two", "provider": "vllm", "model": "n", "base_url": second.base_url}
    model = make_model({**spec, "fallbacks": [other]})

    completion = await model.complete(ASK)
    await model.aclose()

    assert (model.name, completion.text, completion.connection) == ("m", "from the second", "two")
    assert "no such key" in completion.instead_of


@pytest.mark.parametrize("fallbacks", ["two", ["two"], 7])
def test_fallbacks_must_be_whole_connections(fallbacks: Any) -> None:
    with pytest.raises(ConfigurationError, match="must be a list of connections"):
        make_model({"provider": "vllm", "model": "m", "fallbacks": fallbacks})


async def test_a_key_may_stand_in_a_variable(
    monkeypatch: pytest.MonkeyPatch, servers: tuple[OpenAIServer, OpenAIServer]
) -> None:
    server, _ = servers
    server.reply("ok")
    monkeypatch.setenv("MY_KEY", "from-variable")
    spec = {"provider": "vllm", "model": "m", "base_url": server.base_url, "api_key": "${MY_KEY}"}
    model = make_model(spec)
    await model.complete(ASK)
    await model.aclose()
    monkeypatch.delenv("MY_KEY")
    assert server.requests[0].headers["authorization"] == "Bearer from-variable"
    with pytest.raises(ConfigurationError, match="MY_KEY, which is not set"):
        make_model(spec)
