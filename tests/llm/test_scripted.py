"""The model that says what it was told to say."""

from __future__ import annotations

import pytest

from aworld.errors import ProviderError, ProviderTimeout
from aworld.llm.base import ChatMessage, Completion, Model, ModelRequest, ToolCall, ToolSchema
from aworld.llm.scripted import ScriptedModel

ADD = ToolSchema("calculator", "Adds", {"type": "object"})


def ask(text: str, *, system: str = "", tools: tuple[ToolSchema, ...] = ()) -> ModelRequest:
    head = (ChatMessage("system", system),) if system else ()
    return ModelRequest(messages=(*head, ChatMessage("user", text)), tools=tools)


async def test_replies_come_in_order_and_requests_are_kept() -> None:
    model = ScriptedModel(["one", Completion("two", cost_usd=0.5)], name="double")
    assert isinstance(model, Model)
    assert await model.complete(ask("a")) == Completion("one", model="double")
    assert await model.complete(ask("b")) == Completion("two", cost_usd=0.5)
    assert model.requests == [ask("a"), ask("b")]
    assert model.left == 0


async def test_a_script_that_is_at_its_end_says_so() -> None:
    model = ScriptedModel(["one"])
    await model.complete(ask("a"))
    with pytest.raises(ProviderError, match="call 2 has no reply"):
        await model.complete(ask("b"))


async def test_the_last_reply_can_be_given_for_ever() -> None:
    model = ScriptedModel(["one", "two"], repeat_last=True)
    texts = [(await model.complete(ask("a"))).text for _ in range(4)]
    assert texts == ["one", "two", "two", "two"]


async def test_an_error_is_raised_and_a_function_sees_the_request() -> None:
    model = ScriptedModel([ProviderTimeout("too slow"), lambda r: r.messages[-1].content.upper()])
    with pytest.raises(ProviderTimeout, match="too slow"):
        await model.complete(ask("a"))
    assert (await model.complete(ask("again"))).text == "AGAIN"


async def test_each_agent_has_its_own_replies() -> None:
    model = ScriptedModel({"You solve": ["4"], "You verify": ["VERIFIED"]})
    assert (await model.complete(ask("?", system="You verify."))).text == "VERIFIED"
    assert (await model.complete(ask("?", system="You solve."))).text == "4"
    with pytest.raises(ProviderError, match="no replies for this agent"):
        await model.complete(ask("?", system="You plan."))


async def test_a_textual_call_becomes_a_tool_call_where_tools_are_on_offer() -> None:
    text = '<tool_call>{"name": "calculator", "arguments": {"expression": "1"}}</tool_call>'
    model = ScriptedModel([text, text])
    completion = await model.complete(ask("1?", tools=(ADD,)))
    assert completion.tool_calls == (ToolCall("call_1", "calculator", {"expression": "1"}),)
    assert completion.finish_reason == "tool_calls"
    assert (await model.complete(ask("1?"))).text == text


async def test_streamed_pieces_join_to_the_text() -> None:
    pieces: list[str] = []
    model = ScriptedModel(["  one two\nthree "])
    completion = await model.complete(ask("a"), on_chunk=pieces.append)
    assert len(pieces) == 3
    assert "".join(pieces) == completion.text == "  one two\nthree "


async def test_the_delay_passes_through_the_given_clock() -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    await ScriptedModel(["one"], delay_s=0.2, sleep=sleep).complete(ask("a"))
    assert slept == [0.2]
