"""Reading what servers really send, which differs from the book."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aworld.errors import ProviderError
from aworld.llm.base import ChatMessage, ToolCall, Usage
from aworld.llm.failures import ProviderUnavailable, error_from_status
from aworld.llm.sse import SseDecoder
from aworld.llm.streaming import MOST_BYTES, StreamedAnswer
from aworld.llm.wire import AnswerReader, message_json


def delta(*calls: dict[str, Any]) -> bytes:
    return json.dumps({"choices": [{"delta": {"tool_calls": list(calls)}}]}).encode()


def piece(arguments: str, **fields: Any) -> dict[str, Any]:
    function = {"arguments": arguments} | ({"name": fields.pop("name")} if "name" in fields else {})
    return {"function": function, **fields}


ONE, TWO = ToolCall("a", "f", {"x": 1}), ToolCall("b", "g", {"y": 2})


@pytest.mark.parametrize(
    "fragments",
    [
        [
            delta(piece('{"x":', index=0, id="a", name="f")),
            delta(piece("1}", index=0)),
            delta(piece('{"y": 2}', index=1, id="b", name="g")),
        ],
        # Fragments of two calls take turns.
        [
            delta(
                piece('{"x":', index=0, id="a", name="f"), piece('{"y"', index=1, id="b", name="g")
            ),
            delta(piece(":2}", index=1), piece("1}", index=0)),
        ],
        # No index: an id begins a call, what has none goes on with the last.
        [
            delta(piece('{"x":', id="a", name="f")),
            delta(piece("1}")),
            delta(piece('{"y": 2}', id="b", name="g")),
        ],
        # Every call has index 0.
        [
            delta(piece('{"x": 1}', index=0, id="a", name="f")),
            delta(piece('{"y": 2}', index=0, id="b", name="g")),
        ],
        # The id comes again with each fragment.
        [
            delta(piece('{"x":', index=0, id="a", name="f")),
            delta(piece("1}", index=0, id="a")),
            delta(piece('{"y": 2}', index=1, id="b", name="g")),
        ],
    ],
)
def test_fragments_of_calls_come_together(fragments: list[bytes]) -> None:
    reader = AnswerReader()
    for fragment in fragments:
        reader.add(fragment)
    assert reader.completion().tool_calls == (ONE, TWO)


@pytest.mark.parametrize(
    ("function", "call"),
    [
        ({"name": "f", "arguments": ""}, ToolCall("call_1", "f", {})),
        ({"name": "f", "arguments": {"x": 1}}, ToolCall("call_1", "f", {"x": 1})),
    ],
)
def test_arguments_in_other_shapes_are_understood(function: dict[str, Any], call: ToolCall) -> None:
    message = {"content": None, "tool_calls": [{"function": function}]}
    reader = AnswerReader()
    reader.add(json.dumps({"choices": [{"message": message}]}).encode())
    assert reader.completion().tool_calls == (call,)


@pytest.mark.parametrize(
    ("function", "why"),
    [
        ({"name": "f", "arguments": "[1]"}, "not a JSON object"),
        ({"name": "f", "arguments": "{"}, "not JSON"),
        ({"name": "f", "arguments": "[" * 100_000}, "not JSON"),
        ({"name": "f", "arguments": '{"x": ' + "9" * 30 + "}"}, "more than 64 bits"),
        ({"arguments": "{}"}, "names no tool"),
    ],
)
def test_a_malformed_call_keeps_what_was_written(function: dict[str, Any], why: str) -> None:
    reader = AnswerReader()
    message = {"content": "", "tool_calls": [{"id": "a", "function": function}]}
    reader.add(json.dumps({"choices": [{"message": message}]}).encode())
    (call,) = reader.completion().tool_calls
    assert (call.arguments, call.raw) == (None, function["arguments"])
    assert why in call.error


def test_a_malformed_call_goes_back_as_json_that_any_server_can_read() -> None:
    call = ToolCall("a", "f", None, raw="{oops", error="not JSON")
    sent = message_json(ChatMessage("assistant", "", (call,)))["tool_calls"][0]["function"]
    assert json.loads(sent["arguments"]) == {"unreadable": "{oops"}


@pytest.mark.parametrize(
    ("answer", "text", "reasoning"),
    [
        ({"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}, "ab", ""),
        ({"content": None, "refusal": "I cannot"}, "I cannot", ""),
        ({"content": "a", "reasoning_content": "hm"}, "a", "hm"),
        ({"content": "a", "reasoning": "hm"}, "a", "hm"),
        ({}, "", ""),
    ],
)
def test_text_is_found_wherever_it_stands(
    answer: dict[str, Any], text: str, reasoning: str
) -> None:
    reader = AnswerReader()
    reader.add(json.dumps({"choices": [{"message": answer}]}).encode())
    completion = reader.completion()
    assert (completion.text, completion.reasoning) == (text, reasoning)
    assert completion.finish_reason == "stop"


def test_counts_that_cannot_be_true_end_at_their_bounds() -> None:
    usage = {"prompt_tokens": 10**30, "completion_tokens": -5}
    reader = AnswerReader()
    reader.add(json.dumps({"choices": [{"message": {}}], "usage": usage}).encode())
    assert reader.completion().usage == Usage(input=10**12, output=0)


def test_deepseeks_cached_tokens_are_counted() -> None:
    usage = {"prompt_tokens": 9, "completion_tokens": 1, "prompt_cache_hit_tokens": 4}
    reader = AnswerReader()
    reader.add(json.dumps({"choices": [{"message": {}}], "usage": usage}).encode())
    assert reader.completion().usage == Usage(input=9, output=1, cached_input=4)


@pytest.mark.parametrize("body", [b'{"choices": []}', b"{}"])
def test_an_answer_without_a_choice_can_be_tried_again(body: bytes) -> None:
    reader = AnswerReader()
    reader.add(body)
    with pytest.raises(ProviderError, match="no choice") as raised:
        reader.completion()
    assert raised.value.retryable


@pytest.mark.parametrize("piece", [b"x" * 65536, b": ping\n\n" * 8192], ids=["line", "comments"])
def test_a_stream_without_end_is_broken_off(piece: bytes) -> None:
    answer = StreamedAnswer(AnswerReader())
    with pytest.raises(ProviderError, match="broken off"):
        for _ in range(MOST_BYTES // len(piece) + 1):
            answer.feed(piece)


def test_a_stream_that_ends_in_the_middle_can_be_tried_again() -> None:
    answer = StreamedAnswer(AnswerReader())
    assert answer.feed(b'data: {"choices": [{"delta": {"content": "hal"}}]}\n\n') == ["hal"]
    with pytest.raises(ProviderUnavailable, match="in the middle"):
        answer.close()


def test_a_stream_without_its_last_empty_line_is_complete() -> None:
    answer = StreamedAnswer(AnswerReader())
    last = b'data: {"choices": [{"delta": {"content": "ok"}, "finish_reason": "stop"}]}'
    assert answer.feed(b": keep-alive\n\n" + last) == []
    assert answer.close() == ["ok"]
    assert answer.completion().text == "ok"


@given(
    st.lists(st.text(alphabet="a€😀 ", min_size=1)),
    st.integers(1, 9),
    st.sampled_from(["\n", "\r\n"]),
)
def test_events_come_out_whole_however_the_stream_is_cut(
    texts: list[str], size: int, newline: str
) -> None:
    stream = "".join(f"event: x{newline}data: {t}{newline}{newline}" for t in texts).encode()
    decoder = SseDecoder()
    found: list[bytes] = []
    for start in range(0, len(stream), size):
        found += decoder.feed(stream[start : start + size])
    assert [data.decode() for data in found + decoder.close()] == texts


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b'{"error": {"message": "bad key"}}', "bad key"),
        (b'{"error": "bad key"}', "bad key"),
        (b'{"message": "bad key"}', "bad key"),
        (b'{"detail": [{"message": "bad key"}]}', "bad key"),
        (b'[{"error": {"message": "bad key"}}]', "bad key"),
        (b"bad key", "bad key"),
        (b"", "answered 401"),
    ],
)
def test_the_providers_words_are_found_in_any_shape(body: bytes, words: str) -> None:
    error = error_from_status(401, body, {}, where="'http://x/v1'")
    assert words in str(error)
    assert str(error).endswith("Check the API key.")


def test_a_date_to_come_back_at_is_understood() -> None:
    headers = {"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}
    error = error_from_status(503, b"", headers, where="'x'")
    assert isinstance(error, ProviderUnavailable)
    assert error.retry_after_s == 0.0
    unreadable = error_from_status(503, b"", {"retry-after": "soon"}, where="'x'")
    assert isinstance(unreadable, ProviderUnavailable)
    assert unreadable.retry_after_s is None
