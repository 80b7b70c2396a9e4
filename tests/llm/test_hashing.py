"""Two requests hash alike exactly where a replay must take them for the same."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from aworld.llm.base import ChatMessage, ModelRequest, Parameters, ToolCall, ToolSchema
from aworld.llm.hashing import request_hash

TOOL = ToolSchema("calculator", "Adds", {"type": "object", "required": ["expression"]})


def conversation(first: str = "a", second: str = "b", **parameters: Any) -> ModelRequest:
    return ModelRequest(
        messages=(
            ChatMessage("system", "You add."),
            ChatMessage("user", "1+1, 2+2"),
            ChatMessage(
                "assistant",
                "",
                (
                    ToolCall(first, "calculator", {"expression": "1+1", "x": 1}),
                    ToolCall(second, "calculator", None, raw="{oops", error="not JSON"),
                ),
            ),
            ChatMessage("tool", "2", tool_call_id=first),
            ChatMessage("tool", "error", tool_call_id=second),
        ),
        tools=(TOOL,),
        parameters=Parameters(**parameters),
    )


def test_the_hash_is_128_bits_and_stays_what_it_was() -> None:
    assert request_hash(ModelRequest(messages=(ChatMessage("user", "你好"),)), "m") == (
        "80da05659224d0bd682e6645eaadd4ec"
    )


def test_ids_of_calls_do_not_count() -> None:
    assert request_hash(conversation(), "m") == request_hash(conversation("call-9", "xyz"), "m")


def test_which_call_an_answer_belongs_to_counts() -> None:
    swapped = conversation()
    messages = (*swapped.messages[:3], *reversed(swapped.messages[3:]))
    other = msgspec.structs.replace(swapped, messages=messages)
    assert request_hash(swapped, "m") != request_hash(other, "m")


def test_the_time_limit_does_not_count_and_a_whole_number_is_the_same_as_a_float() -> None:
    plain = request_hash(conversation(temperature=0), "m")
    assert plain == request_hash(conversation(temperature=0.0, timeout_s=5.0), "m")


def test_the_order_of_keys_does_not_count() -> None:
    turned = ToolSchema("calculator", "Adds", {"required": ["expression"], "type": "object"})
    other = msgspec.structs.replace(conversation(), tools=(turned,))
    assert request_hash(conversation(), "m") == request_hash(other, "m")


@pytest.mark.parametrize(
    "other",
    [
        conversation(temperature=0.5),
        conversation(seed=1),
        conversation(stop=("x",)),
        msgspec.structs.replace(conversation(), tools=()),
        msgspec.structs.replace(conversation(), messages=conversation().messages[:-1]),
    ],
)
def test_messages_tools_and_sampling_count(other: ModelRequest) -> None:
    assert request_hash(conversation(), "m") != request_hash(other, "m")


def test_the_model_counts() -> None:
    assert request_hash(conversation(), "m") != request_hash(conversation(), "n")
