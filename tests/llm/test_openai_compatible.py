"""One contract over both transports: what a model does whatever carries its calls."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from aworld.errors import ProviderError, ProviderRefused, ProviderTimeout
from aworld.llm.base import (
    ChatMessage,
    Completion,
    ModelRequest,
    Parameters,
    ToolCall,
    ToolSchema,
    Usage,
)
from aworld.llm.client import LLMClient
from aworld.llm.prices import Price
from aworld.llm.retries import RetryPolicy
from tests.openai_server import Answer, Cut, Failure, Hang, OpenAIServer, Raw

ADD = ToolSchema(
    "calculator",
    "Works out arithmetic",
    {"type": "object", "properties": {"expression": {"type": "string"}}},
)
ASK = ModelRequest(messages=(ChatMessage("user", "求解一元二次方程 x²-5x+6=0"),))
ASK_WITH_TOOL = ModelRequest(messages=(ChatMessage("user", "23*47?"),), tools=(ADD,))

MakeClient = Callable[..., LLMClient]


@pytest.fixture(params=["http", "sdk"])
def transport(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture
async def server() -> AsyncIterator[OpenAIServer]:
    async with OpenAIServer() as server:
        yield server


class Pauses:
    """Stands for the clock between attempts."""

    def __init__(self) -> None:
        self.taken: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.taken.append(seconds)


@pytest.fixture
def pauses() -> Pauses:
    return Pauses()


@pytest.fixture
async def make(transport: Any, server: OpenAIServer, pauses: Pauses) -> AsyncIterator[MakeClient]:
    made: list[LLMClient] = []

    def make_client(**options: Any) -> LLMClient:
        fixed: dict[str, Any] = {"sleep": pauses.sleep, "draw": lambda: 0.5}
        options = {"base_url": server.base_url} | fixed | options
        made.append(LLMClient("qwen3-32b", "secret-key", transport=transport, **options))
        return made[-1]

    yield make_client
    for client in made:
        await client.aclose()


async def test_a_plain_answer_comes_back_with_its_usage(
    server: OpenAIServer, make: MakeClient
) -> None:
    server.reply("x = 2 或 x = 3")
    assert await make().complete(ASK) == Completion(
        text="x = 2 或 x = 3", usage=Usage(input=7, output=3), model="qwen3-32b"
    )


async def test_chinese_goes_out_as_utf8_and_not_as_escapes(
    server: OpenAIServer, make: MakeClient
) -> None:
    server.reply("好")
    await make().complete(ASK)
    assert "求解一元二次方程 x²-5x+6=0".encode() in server.requests[0].raw
    assert b"\\u" not in server.requests[0].raw


async def test_the_request_says_all_that_was_set_and_nothing_else(
    server: OpenAIServer, make: MakeClient
) -> None:
    server.reply("ok")
    client = make(parameters={"temperature": 0, "seed": 7, "enable_thinking": False})
    asked = ModelRequest(
        messages=(
            ChatMessage("system", "You add."),
            ChatMessage("user", "1+1?"),
            ChatMessage("assistant", "", (ToolCall("c1", "calculator", {"expression": "一+1"}),)),
            ChatMessage("tool", "2", tool_call_id="c1"),
        ),
        tools=(ADD,),
        parameters=Parameters(seed=8, max_tokens=50, stop=("END",)),
    )
    await client.complete(asked)
    call = {"name": "calculator", "arguments": '{"expression":"一+1"}'}
    assert server.requests[0].body == {
        "model": "qwen3-32b",
        "messages": [
            {"role": "system", "content": "You add."},
            {"role": "user", "content": "1+1?"},
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [{"id": "c1", "type": "function", "function": call}],
            },
            {"role": "tool", "content": "2", "tool_call_id": "c1"},
        ],
        "tools": [
            {
                "type": "function",
                "function": {
                    "name": "calculator",
                    "description": "Works out arithmetic",
                    "parameters": ADD.parameters,
                },
            }
        ],
        "temperature": 0,
        "max_tokens": 50,
        "seed": 8,
        "stop": ["END"],
        "enable_thinking": False,
    }
    assert server.requests[0].headers["authorization"] == "Bearer secret-key"
    assert server.requests[0].path == "/v1/chat/completions"


async def test_streamed_pieces_join_to_the_text(server: OpenAIServer, make: MakeClient) -> None:
    server.reply(Answer("one two three", reasoning="hm"))
    pieces: list[str] = []
    completion = await make().complete(ASK, on_chunk=pieces.append)
    assert pieces == ["one ", "two ", "three"]
    assert completion.text == "one two three"
    assert completion.reasoning == "hm"
    assert completion.usage == Usage(input=7, output=3)
    assert completion.first_token_us is not None


@pytest.mark.parametrize("size", [1, 3, 7])
async def test_a_character_split_between_packets_stays_whole(
    server: OpenAIServer, make: MakeClient, size: int
) -> None:
    server.reply(Answer("解方程:x=2,好 😀", bytes_a_write=size))
    pieces: list[str] = []
    completion = await make().complete(ASK, on_chunk=pieces.append)
    assert "".join(pieces) == completion.text == "解方程:x=2,好 😀"


@pytest.mark.parametrize("streamed", [False, True])
async def test_parallel_tool_calls_come_back_in_order(
    server: OpenAIServer, make: MakeClient, streamed: bool
) -> None:
    wanted: list[tuple[str, dict[str, Any] | str]] = [
        ("calculator", {"expression": "23*47"}),
        ("calculator", {"expression": "√二"}),
    ]
    server.reply(Answer(tool_calls=wanted))
    on_chunk = (lambda text: None) if streamed else None
    completion = await make().complete(ASK_WITH_TOOL, on_chunk=on_chunk)
    assert completion.tool_calls == (
        ToolCall("call-0", "calculator", {"expression": "23*47"}),
        ToolCall("call-1", "calculator", {"expression": "√二"}),
    )
    assert completion.finish_reason == "tool_calls"


@pytest.mark.parametrize("streamed", [False, True])
async def test_arguments_that_are_not_json_are_kept_with_the_reason(
    server: OpenAIServer, make: MakeClient, streamed: bool
) -> None:
    server.reply(Answer(tool_calls=[("calculator", '{"expression": 23*47')]))
    on_chunk = (lambda text: None) if streamed else None
    completion = await make().complete(ASK_WITH_TOOL, on_chunk=on_chunk)
    (call,) = completion.tool_calls
    assert (call.name, call.arguments, call.raw) == ("calculator", None, '{"expression": 23*47')
    assert "not JSON" in call.error


async def test_a_textual_call_is_recognised(server: OpenAIServer, make: MakeClient) -> None:
    call = '<tool_call>{"name": "calculator", "arguments": {"expression": "1"}}</tool_call>'
    server.reply(f"Let me see. {call}")
    completion = await make().complete(ASK_WITH_TOOL)
    assert completion.tool_calls == (ToolCall("call_1", "calculator", {"expression": "1"}),)
    assert completion.text == "Let me see."


async def test_the_text_style_puts_the_tools_into_the_system_prompt(
    server: OpenAIServer, make: MakeClient
) -> None:
    server.reply('{"name": "calculator", "arguments": {"expression": "2"}}')
    completion = await make(tool_style="text").complete(ASK_WITH_TOOL)
    assert "tools" not in server.requests[0].body
    system = server.requests[0].body["messages"][0]
    assert system["role"] == "system" and "- calculator(expression?: string)" in system["content"]
    assert completion.tool_calls == (ToolCall("call_1", "calculator", {"expression": "2"}),)


async def test_an_empty_answer_is_passed_on(server: OpenAIServer, make: MakeClient) -> None:
    server.reply(Answer(""), Answer(""))
    client = make()
    whole = await client.complete(ASK)
    streamed = await client.complete(ASK, on_chunk=lambda text: None)
    assert (whole.text, whole.tool_calls) == (streamed.text, streamed.tool_calls) == ("", ())


async def test_cached_and_reasoning_tokens_are_counted_and_paid_for(
    server: OpenAIServer, make: MakeClient
) -> None:
    usage = {
        "prompt_tokens": 1000,
        "completion_tokens": 100,
        "prompt_tokens_details": {"cached_tokens": 400},
        "completion_tokens_details": {"reasoning_tokens": 60},
    }
    server.reply(Answer("ok", usage=usage))
    completion = await make(price=Price(input=2.0, output=8.0, cached_input=0.5)).complete(ASK)
    assert completion.usage == Usage(input=1000, output=100, cached_input=400, reasoning=60)
    assert completion.cost_usd == pytest.approx((600 * 2 + 400 * 0.5 + 100 * 8) / 1e6)


async def test_without_a_price_the_cost_is_unknown(server: OpenAIServer, make: MakeClient) -> None:
    server.reply("ok")
    assert (await make().complete(ASK)).cost_usd is None


async def test_a_busy_provider_is_asked_again_after_growing_pauses(
    server: OpenAIServer, make: MakeClient, pauses: Pauses
) -> None:
    server.reply(Failure(429, "slow down"), Failure(503), Failure(500), "at last")
    seen: list[tuple[int | None, float]] = []

    def on_retry(error: Exception, pause: float) -> None:
        assert isinstance(error, ProviderError)
        seen.append((error.status, pause))

    completion = await make().complete(ASK, on_retry=on_retry)
    assert completion.text == "at last"
    assert seen == [(429, 0.5), (503, 1.0), (500, 2.0)]
    assert pauses.taken == [0.5, 1.0, 2.0]


async def test_the_pause_the_provider_asks_for_is_kept(
    server: OpenAIServer, make: MakeClient, pauses: Pauses
) -> None:
    server.reply(Failure(429, headers={"Retry-After": "7"}), "ok")
    await make().complete(ASK)
    assert pauses.taken == [7.0]


async def test_a_provider_that_asks_for_an_hour_is_not_waited_for(
    server: OpenAIServer, make: MakeClient, pauses: Pauses
) -> None:
    server.reply(Failure(429, "daily limit", headers={"Retry-After": "3600"}))
    with pytest.raises(ProviderError, match="daily limit"):
        await make().complete(ASK)
    assert pauses.taken == []


async def test_attempts_run_out(server: OpenAIServer, make: MakeClient) -> None:
    server.reply(Failure(500, "first"), Failure(500, "second"))
    with pytest.raises(ProviderError, match="second") as raised:
        await make(retries=RetryPolicy(attempts=2)).complete(ASK)
    assert raised.value.status == 500


@pytest.mark.parametrize("streamed", [False, True])
async def test_a_broken_connection_is_tried_again(
    server: OpenAIServer, make: MakeClient, pauses: Pauses, streamed: bool
) -> None:
    server.reply(Cut(), Answer("the whole answer", cut_after=150), "ok")
    on_chunk = (lambda text: None) if streamed else None
    completion = await make().complete(ASK, on_chunk=on_chunk)
    assert completion.text == "ok"
    assert len(pauses.taken) == 2


async def test_a_server_that_is_not_there_is_named(make: MakeClient) -> None:
    client = make(base_url="http://127.0.0.1:9/v1", retries=RetryPolicy(attempts=1))
    with pytest.raises(ProviderError, match=r"'http://127\.0\.0\.1:9/v1'") as raised:
        await client.complete(ASK)
    assert raised.value.retryable


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422])
async def test_a_refusal_has_the_providers_own_words_and_is_not_repeated(
    server: OpenAIServer, make: MakeClient, status: int
) -> None:
    server.reply(Failure(status, "Incorrect API key provided: sk-…abcd"))
    with pytest.raises(ProviderRefused, match="Incorrect API key provided: sk-…abcd") as raised:
        await make().complete(ASK)
    assert raised.value.status == status
    assert len(server.requests) == 1


async def test_an_account_without_money_is_a_refusal(
    server: OpenAIServer, make: MakeClient
) -> None:
    server.reply(Failure(429, "You exceeded your current quota", code="insufficient_quota"))
    with pytest.raises(ProviderRefused, match="exceeded your current quota"):
        await make().complete(ASK)


async def test_no_answer_in_time_is_a_timeout(server: OpenAIServer, make: MakeClient) -> None:
    server.reply(Hang(), Hang())
    asked = ModelRequest(messages=ASK.messages, parameters=Parameters(timeout_s=0.2))
    retries: list[Exception] = []
    with pytest.raises(ProviderTimeout, match=r"within 0\.2 s"):
        await make().complete(asked, on_retry=lambda error, pause: retries.append(error))
    assert [type(error) for error in retries] == [ProviderTimeout]


async def test_an_answer_that_is_no_chat_completion_says_so(
    server: OpenAIServer, make: MakeClient
) -> None:
    server.reply(Raw(b"<html>Welcome</html>", content_type="text/html"))
    with pytest.raises(ProviderError, match="<html>Welcome"):
        await make().complete(ASK)


async def test_an_error_in_the_middle_of_a_stream_is_raised(
    server: OpenAIServer, make: MakeClient
) -> None:
    server.reply(
        Raw(b'data: {"error": {"message": "out of memory"}}\n\n', content_type="text/event-stream")
    )
    client = make(retries=RetryPolicy(attempts=1))
    with pytest.raises(ProviderError, match="out of memory"):
        await client.complete(ASK, on_chunk=lambda text: None)


async def test_a_server_that_cannot_stream_is_understood(
    server: OpenAIServer, make: MakeClient
) -> None:
    whole = b'{"choices": [{"message": {"content": "all at once"}, "finish_reason": "stop"}]}'
    server.reply(Raw(whole))
    pieces: list[str] = []
    completion = await make().complete(ASK, on_chunk=pieces.append)
    assert pieces == ["all at once"]
    assert completion.text == "all at once"


@pytest.mark.parametrize("streamed", [False, True])
async def test_a_cancelled_call_closes_its_connection(
    server: OpenAIServer, make: MakeClient, streamed: bool
) -> None:
    go_on = threading.Event()
    hold = Answer("a b c", after_chunk=lambda number: _wait(go_on) if number else None)
    server.reply(hold if streamed else Hang())
    first = asyncio.Event()
    on_chunk = (lambda text: first.set()) if streamed else None
    call = asyncio.create_task(make().complete(ASK, on_chunk=on_chunk))
    if streamed:
        await first.wait()
    else:
        await asyncio.to_thread(server.arrived.wait, 10)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert await asyncio.to_thread(server.disconnected.wait, 10)
    go_on.set()


async def test_calls_share_a_connection_one_after_the_other(
    server: OpenAIServer, make: MakeClient
) -> None:
    server.reply("1", Answer("2"), "3")
    client, other = make(), make()
    await client.complete(ASK)
    await client.complete(ASK, on_chunk=lambda text: None)
    await other.complete(ASK)
    assert len({request.port for request in server.requests}) == 1


def test_each_event_loop_gets_its_own_connections_and_leaves_none_open(transport: Any) -> None:
    with OpenAIServer(default="ok") as server:
        client = LLMClient("m", "k", server.base_url, transport=transport)
        for _ in range(2):
            # Nobody closes the client: the loop's end does.
            assert asyncio.run(client.complete(ASK)).text == "ok"


def _wait(event: threading.Event) -> None:
    event.wait(10)
