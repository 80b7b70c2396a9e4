"""What single providers want of a request beside OpenAI's own."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from aworld.errors import ProviderError, ProviderRefused
from aworld.llm.base import ChatMessage, ModelRequest, Parameters, Thought, ToolCall, ToolSchema
from aworld.llm.client import LLMClient
from aworld.llm.failures import ProviderUnavailable
from tests.llm.recorded_shapes import ANTHROPIC, sse
from tests.openai_server import OpenAIServer, Raw

ADD = ToolSchema("calculator", "Works out arithmetic", {"type": "object", "properties": {}})
ASK = ModelRequest((ChatMessage("user", "23*47?"),), (ADD,))
OVERLOADED = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
CALLED = ChatMessage(
    "assistant",
    "",
    (ToolCall("a:0", "calculator", {"e": "1"}), ToolCall("b", "calculator", {"e": "2"})),
    reasoning="23 by 47",
    thoughts=(Thought(8, "EqQB=="), Thought(0, "", "hidden")),
)
TALK = ModelRequest(
    (
        ChatMessage("system", "You add."),
        ChatMessage("user", "23*47?"),
        CALLED,
        ChatMessage("tool", "one", tool_call_id="a:0"),
        ChatMessage("tool", "", tool_call_id="b"),
    ),
    (ADD,),
)


@pytest.fixture
def server() -> Iterator[OpenAIServer]:
    with OpenAIServer() as server:
        yield server


def body_of(provider: str, request: ModelRequest, **options: Any) -> dict[str, Any]:
    client = LLMClient("m", "k", "http://127.0.0.1:1/v1", provider=provider, **options)
    return client.request_body(request, Parameters(), stream=False)


def test_claude_gets_its_thinking_back_sealed_and_all_results_in_one_message() -> None:
    body = body_of("anthropic", TALK)
    assert body["system"] == [{"type": "text", "text": "You add."}]
    assert body["messages"] == [
        {"role": "user", "content": [{"type": "text", "text": "23*47?"}]},
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "23 by 47", "signature": "EqQB=="},
                {"type": "redacted_thinking", "data": "hidden"},
                {"type": "tool_use", "id": "a_0", "name": "calculator", "input": {"e": "1"}},
                {"type": "tool_use", "id": "b", "name": "calculator", "input": {"e": "2"}},
            ],
        },
        {
            "role": "user",
            "content": [
                {
                    "type": "tool_result",
                    "tool_use_id": "a_0",
                    "content": [{"type": "text", "text": "one"}],
                },
                {
                    "type": "tool_result",
                    "tool_use_id": "b",
                    "content": [{"type": "text", "text": "(no text)"}],
                },
            ],
        },
    ]
    assert body["tools"][0]["input_schema"] == ADD.parameters


def test_thinking_that_a_person_changed_is_not_sent_under_its_old_seal() -> None:
    changed = ChatMessage("assistant", "yes", reasoning="other", thoughts=(Thought(8, "EqQB=="),))
    body = body_of("anthropic", ModelRequest((ChatMessage("user", "?"), changed)))
    assert body["messages"][1]["content"] == [{"type": "text", "text": "yes"}]


def test_claude_does_not_think_on_in_the_middle_of_another_models_calls() -> None:
    thinking = {"thinking": {"type": "enabled", "budget_tokens": 2000}}
    other = ChatMessage("assistant", "", (ToolCall("a", "calculator", {}),))
    foreign = ModelRequest((ChatMessage("user", "?"), other, ChatMessage("tool", "1")), (ADD,))
    assert "thinking" not in body_of("anthropic", foreign, parameters=thinking)
    own = body_of("anthropic", TALK, parameters=thinking)
    assert own["thinking"] == thinking["thinking"]
    assert own["max_tokens"] == 8192 + 2000


def test_a_cache_mark_goes_onto_the_system_prompt_and_the_last_message() -> None:
    mark = {"type": "ephemeral"}
    body = body_of("anthropic", TALK, parameters={"cache_control": mark})
    assert body["system"][-1]["cache_control"] == mark
    assert body["messages"][-1]["content"][-1]["cache_control"] == mark
    assert "cache_control" not in body


async def test_claudes_seals_are_read_for_the_next_turn(server: OpenAIServer) -> None:
    server.reply(Raw(sse(ANTHROPIC.call_stream), content_type="text/event-stream"))
    model = LLMClient("m", "k", server.base_url, provider="anthropic")
    completion = await model.complete(ASK, on_chunk=lambda _: None)
    await model.aclose()
    assert completion.thoughts == (Thought(8, "EqQB=="),)
    assert server.requests[0].headers["anthropic-version"] == "2023-06-01"


@pytest.mark.parametrize(
    ("events", "error", "why"),
    [
        (ANTHROPIC.stream[:4], ProviderUnavailable, "in the middle"),
        (
            (*ANTHROPIC.stream[:4], OVERLOADED),
            ProviderUnavailable,
            "Overloaded",
        ),
        (("data: <html>",), ProviderError, "no message"),
    ],
    ids=["cut", "overloaded", "html"],
)
async def test_a_claude_stream_that_breaks_off_says_so(
    server: OpenAIServer, events: tuple[Any, ...], error: type[Exception], why: str
) -> None:
    async def no_sleep(seconds: float) -> None:
        return None

    broken = Raw(sse(events), content_type="text/event-stream")
    server.reply(*[broken] * 5)
    model = LLMClient("m", "k", server.base_url, provider="anthropic", sleep=no_sleep)
    with pytest.raises(error, match=why):
        await model.complete(ASK, on_chunk=lambda _: None)
    await model.aclose()


def test_deepseek_gets_its_thinking_back_with_every_call_even_where_it_is_empty() -> None:
    silent = ChatMessage("assistant", "", (ToolCall("c", "calculator", {}),))
    last = ChatMessage("assistant", "done", reasoning="enough")
    talk = ModelRequest((*TALK.messages, silent, ChatMessage("tool", "1", tool_call_id="c"), last))
    messages = body_of("deepseek", talk)["messages"]
    assert [message.get("reasoning_content") for message in messages] == [
        None, None, "23 by 47", None, None, "", None, None,
    ]  # fmt: skip
    plain = body_of("deepseek", ModelRequest((ChatMessage("user", "?"), silent)))["messages"]
    assert all("reasoning_content" not in message for message in plain)
    assert "reasoning_content" not in json.dumps(body_of("openai", talk))


def test_qwen_is_always_asked_for_a_stream_but_another_server_of_its_models_is_not() -> None:
    assert body_of("qwen", ASK)["stream"] is True
    own = LLMClient("qwen3-32b", "k", "http://127.0.0.1:1/v1")
    assert "stream" not in own.request_body(ASK, Parameters(), stream=False)


def test_parallel_calls_are_not_spoken_of_where_there_are_no_tools() -> None:
    parameters = {"parallel_tool_calls": False}
    assert body_of("openai", ASK, parameters=parameters)["parallel_tool_calls"] is False
    bare = ModelRequest(ASK.messages)
    assert "parallel_tool_calls" not in body_of("openai", bare, parameters=parameters)


@pytest.mark.parametrize(
    ("refusal", "sent", "left"),
    [
        (
            {"message": "Unsupported value: not 0 with this model.", "param": "temperature"},
            {"temperature": 0},
            {},
        ),
        (
            {"message": "'max_tokens' is not supported. Use 'max_completion_tokens' instead."},
            {"max_tokens": 9},
            {"max_completion_tokens": 9},
        ),
        (
            {"message": "`temperature` and `top_p` cannot both be specified for this model."},
            {"temperature": 0, "top_p": 1},
            {"top_p": 1},
        ),
    ],
    ids=["temperature", "length", "both"],
)
async def test_a_parameter_that_a_model_refuses_is_left_out_from_then_on(
    server: OpenAIServer, refusal: dict[str, Any], sent: dict[str, Any], left: dict[str, Any]
) -> None:
    server.reply(Raw(json.dumps({"error": refusal}).encode(), 400), "ok", "ok")
    model = LLMClient("m", base_url=server.base_url, parameters=sent)
    told: list[str] = []

    await model.complete(ASK, on_retry=lambda error, _: told.append(str(error)))
    await model.complete(ASK)
    await model.aclose()

    names = {"temperature", "top_p", "max_tokens", "max_completion_tokens"}
    bodies = [request.body for request in server.requests]
    shown = [{key: body[key] for key in body if key in names} for body in bodies]
    assert shown == [sent, left, left]
    assert len(told) == 1


async def test_a_parameter_that_is_refused_for_ever_ends_in_words(server: OpenAIServer) -> None:
    refusal = {"error": {"message": "Unsupported parameter: 'seed'", "param": "seed"}}
    server.reply(*[Raw(json.dumps(refusal).encode(), 400)] * 3)
    model = LLMClient("m", base_url=server.base_url, parameters={"seed": 1})
    with pytest.raises(ProviderRefused, match="Unsupported parameter"):
        await model.complete(ASK)
    await model.aclose()
    assert len(server.requests) == 2
