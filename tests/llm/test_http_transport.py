"""What the lean transport does beside the common contract."""

from __future__ import annotations

import pytest

from aworld.errors import ProviderError
from aworld.llm.base import ChatMessage, ModelRequest
from aworld.llm.client import LLMClient
from aworld.llm.http_transport import HttpTransport
from aworld.llm.streaming import MOST_BYTES
from aworld.llm.transport import Address
from tests.openai_server import Cut, Failure, OpenAIServer, Raw

ASK = ModelRequest((ChatMessage("user", "?"),))


async def test_a_connection_that_was_closed_while_idle_is_replaced_without_a_word() -> None:
    pauses: list[float] = []

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)

    with OpenAIServer(["one", Cut(), "two"]) as server:
        client = LLMClient("m", base_url=server.base_url, transport="http", sleep=sleep)
        answers = [(await client.complete(ASK)).text for _ in range(2)]
        await client.aclose()
    assert answers == ["one", "two"]
    assert pauses == []
    # The second went over the connection of the first, was lost, and came again over a new one.
    ports = [received.port for received in server.requests]
    assert ports[0] == ports[1] != ports[2]


async def test_an_answer_without_end_is_broken_off() -> None:
    with OpenAIServer([Raw(b" " * (MOST_BYTES + 1))]) as server:
        transport = HttpTransport(Address(server.base_url))
        with pytest.raises(ProviderError, match="was broken off"):
            await transport.send({"model": "m", "messages": []})
        await transport.aclose()


async def test_a_redirect_says_where_to() -> None:
    moved = Failure(307, headers={"Location": "https://new.example/v1/chat/completions"})
    with OpenAIServer([moved]) as server:
        transport = HttpTransport(Address(server.base_url))
        with pytest.raises(ProviderError, match=r"answered 307: it is at 'https://new\.example"):
            await transport.send({"model": "m", "messages": []})
        await transport.aclose()
