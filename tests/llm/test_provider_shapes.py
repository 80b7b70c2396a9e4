"""Every preset against what its provider answers, over each transport that can carry it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from aworld.errors import ProviderRefused
from aworld.llm.base import ChatMessage, ModelRequest, ToolSchema
from aworld.llm.client import LLMClient
from aworld.llm.provider import providers
from tests.llm.recorded_shapes import CALL, SHAPES, Shape, sse
from tests.openai_server import OpenAIServer, Raw

ADD = ToolSchema("calculator", "Works out arithmetic", {"type": "object", "properties": {}})
ASK = ModelRequest((ChatMessage("user", "23*47?"),), (ADD,))
WAYS = [
    pytest.param(shape, transport, id=f"{shape}-{transport}")
    for shape in SHAPES
    for transport in ("http", "sdk")
    if transport == "http" or shape.provider != "anthropic"
]


@pytest.fixture(scope="module")
def one_server() -> Iterator[OpenAIServer]:
    with OpenAIServer() as server:
        yield server


@pytest.fixture
def server(one_server: OpenAIServer) -> OpenAIServer:
    one_server.requests.clear()
    return one_server


def client(shape: Shape, transport: Any, server: OpenAIServer) -> LLMClient:
    return LLMClient(
        "m", "the-key", server.base_url, provider=shape.provider, transport=transport,
        price={"input": 1.0, "output": 10.0, "cached_input": 0.1},
    )  # fmt: skip


def whole(content: dict[str, Any], status: int = 200) -> Raw:
    return Raw(json.dumps(content).encode(), status)


def streamed(events: tuple[Any, ...]) -> Raw:
    return Raw(sse(events), content_type="text/event-stream")


def answer_of(shape: Shape) -> Raw:
    """Some of Qwen's models answer only as a stream, so that is what is asked for."""
    return streamed(shape.stream) if shape.provider == "qwen" else whole(shape.answer)


@pytest.mark.parametrize(("shape", "transport"), WAYS)
async def test_an_answer_is_the_same_whole_and_streamed(
    shape: Shape, transport: str, server: OpenAIServer
) -> None:
    server.reply(answer_of(shape), streamed(shape.stream))
    model = client(shape, transport, server)
    pieces: list[str] = []

    first = await model.complete(ASK)
    second = await model.complete(ASK, on_chunk=pieces.append)
    await model.aclose()

    for completion in (first, second):
        assert (completion.text, completion.finish_reason) == ("1081", "stop")
        assert completion.reasoning == shape.reasoning
        assert completion.usage == shape.usage
        assert completion.model == "m"
    assert "".join(pieces) == "1081"
    sent = server.requests[0]
    assert sent.path == shape.path
    assert "the-key" in sent.headers[shape.key_header]
    assert ("authorization" in sent.headers) == (shape.key_header == "authorization")


@pytest.mark.parametrize(("shape", "transport"), WAYS)
async def test_a_call_of_a_tool_is_the_same_whole_and_streamed(
    shape: Shape, transport: str, server: OpenAIServer
) -> None:
    first = streamed(shape.call_stream) if shape.provider == "qwen" else whole(shape.call)
    server.reply(first, streamed(shape.call_stream))
    model = client(shape, transport, server)

    completions = [await model.complete(ASK), await model.complete(ASK, on_chunk=lambda _: None)]
    await model.aclose()

    for completion in completions:
        (call,) = completion.tool_calls
        assert (call.name, call.arguments, call.error) == ("calculator", CALL, "")
        assert call.id
        assert completion.finish_reason == "tool_calls"


@pytest.mark.parametrize(("shape", "transport"), WAYS)
async def test_a_refusal_comes_in_the_providers_own_words(
    shape: Shape, transport: str, server: OpenAIServer
) -> None:
    status, body, words = shape.error
    server.reply(whole(body, status))
    model = client(shape, transport, server)

    with pytest.raises(ProviderRefused, match=words) as raised:
        await model.complete(ASK)
    await model.aclose()

    assert raised.value.status == status
    assert "the-key" not in str(raised.value)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
async def test_a_cached_token_costs_its_own_price_and_thinking_costs_once(
    shape: Shape, server: OpenAIServer
) -> None:
    server.reply(answer_of(shape))
    model = client(shape, "http", server)
    usage = shape.usage

    completion = await model.complete(ASK)
    await model.aclose()

    fresh = usage.input - usage.cached_input
    assert completion.cost_usd == pytest.approx(
        (fresh * 1.0 + usage.cached_input * 0.1 + usage.output * 10.0) / 1e6
    )


def test_every_preset_has_its_shapes() -> None:
    """`local` is a llama.cpp, and `openai-compatible` nobody in particular."""
    named = {provider.name for provider in providers()} - {"local", "openai-compatible"}
    assert {shape.provider for shape in SHAPES} == named


async def test_an_older_address_of_azure_keeps_its_version(server: OpenAIServer) -> None:
    shape = next(shape for shape in SHAPES if shape.provider == "azure")
    server.reply(whole(shape.answer), whole(shape.answer))
    address = server.base_url.removesuffix("/v1") + "/openai/deployments/d?api-version=2024-10-21"

    for transport in ("http", "sdk"):
        model = LLMClient("d", "k", address, provider="azure", transport=transport)
        await model.complete(ASK)
        await model.aclose()

    paths = [request.path for request in server.requests]
    assert paths == ["/openai/deployments/d/chat/completions?api-version=2024-10-21"] * 2
