"""What the lean transport does beside the common contract."""

from __future__ import annotations

from aworld.llm.base import ChatMessage, ModelRequest
from aworld.llm.client import LLMClient
from tests.openai_server import Cut, OpenAIServer

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
