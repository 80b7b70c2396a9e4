"""What each provider answers, written from its documentation: whole, as a stream, with a call of a
tool, and as an error. Every streamed answer says the same as the whole one beside it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from aworld.llm.base import Usage

CALL = {"expression": "23*47"}


@dataclass(frozen=True)
class Shape:
    """One provider."""

    provider: str
    path: str
    answer: dict[str, Any]
    """Says "1081"."""
    usage: Usage
    call: dict[str, Any]
    """Calls calculator with `CALL`."""
    stream: tuple[Any, ...]
    """The events of `answer`."""
    call_stream: tuple[Any, ...]
    """The events of `call`."""
    error: tuple[int, dict[str, Any], str]
    """Status and body of a refused key, and words of it."""
    reasoning: str = ""
    key_header: str = "authorization"

    def __str__(self) -> str:
        return self.provider


def sse(events: tuple[Any, ...]) -> bytes:
    """The bytes of a stream; Anthropic names its events, the others end with [DONE]."""
    out: list[str] = []
    for event in events:
        if isinstance(event, str):
            out.append(f"{event}\n\n")
        elif "type" in event:
            out.append(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n")
        else:
            out.append(f"data: {json.dumps(event)}\n\n")
    return "".join(out).encode()


def completion(
    message: dict[str, Any], usage: dict[str, Any], reason: str = "stop", **more: Any
) -> dict[str, Any]:
    """A chat completion."""
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": reason}
    plain = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "m"}
    return {**plain, "choices": [choice], "usage": usage, **more}


def chunks(
    *deltas: dict[str, Any],
    usage: dict[str, Any],
    reason: str = "stop",
    usage_in_last: bool = False,
    **more: Any,
) -> tuple[Any, ...]:
    """The fragments of a chat completion; the usage in an own fragment, or in the last one."""
    head = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    out: list[Any] = [
        {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
        for delta in ({"role": "assistant", "content": ""}, *deltas)
    ]
    last = {**head, "choices": [{"index": 0, "delta": {}, "finish_reason": reason}], **more}
    if usage_in_last:
        return (*out, {**last, "usage": usage}, "data: [DONE]")
    return (*out, last, {**head, "choices": [], "usage": usage, **more}, "data: [DONE]")


def native_call(**change: Any) -> dict[str, Any]:
    """A call as OpenAI writes it."""
    function = {"name": "calculator", "arguments": json.dumps(CALL)}
    return {"id": "call_1", "type": "function", "function": function, **change}


def call_pieces(**change: Any) -> tuple[dict[str, Any], ...]:
    """The same call in two fragments."""
    text = json.dumps(CALL)
    head = native_call(function={"name": "calculator", "arguments": text[:7]}, index=0, **change)
    rest = {"index": 0, "function": {"arguments": text[7:]}}
    return {"tool_calls": [head]}, {"tool_calls": [rest]}


def simple(
    provider: str,
    usage: dict[str, Any],
    counted: Usage,
    error: tuple[int, dict[str, Any], str],
    **more: Any,
) -> Shape:
    """A provider whose answers are OpenAI's but for its usage."""
    return Shape(
        provider,
        "/v1/chat/completions",
        completion({"content": "1081"}, usage, **more),
        counted,
        completion({"content": None, "tool_calls": [native_call()]}, usage, "tool_calls", **more),
        chunks({"content": "10"}, {"content": "81"}, usage=usage, **more),
        chunks(*call_pieces(), usage=usage, reason="tool_calls", **more),
        error,
    )


def openai_error(message: str, code: str | None = "invalid_api_key") -> dict[str, Any]:
    """OpenAI's form."""
    error = {"message": message, "type": "invalid_request_error", "param": None, "code": code}
    return {"error": error}


_OPENAI_USAGE = {
    "prompt_tokens": 2006,
    "completion_tokens": 300,
    "total_tokens": 2306,
    "prompt_tokens_details": {"cached_tokens": 1920, "audio_tokens": 0},
    "completion_tokens_details": {"reasoning_tokens": 256, "accepted_prediction_tokens": 0},
}
OPENAI = simple(
    "openai",
    _OPENAI_USAGE,
    Usage(2006, 300, 1920, 256),
    (401, openai_error("Incorrect API key provided: sk-x."), "Incorrect API key"),
)
_AZURE = simple(
    "azure",
    _OPENAI_USAGE,
    Usage(2006, 300, 1920, 256),
    (
        401,
        {"error": {"code": "401", "message": "Access denied due to invalid subscription key."}},
        "Access denied",
    ),
)
AZURE = Shape(
    **{
        **vars(_AZURE),
        # Azure begins with what its filter thinks of the prompt, without a choice.
        "stream": ({"choices": [], "prompt_filter_results": [{"prompt_index": 0}]}, *_AZURE.stream),
        "key_header": "api-key",
    }
)
_DEEPSEEK_USAGE = {
    "prompt_tokens": 100,
    "completion_tokens": 50,
    "total_tokens": 150,
    "prompt_cache_hit_tokens": 64,
    "prompt_cache_miss_tokens": 36,
    "completion_tokens_details": {"reasoning_tokens": 40},
}
DEEPSEEK = Shape(
    "deepseek",
    "/v1/chat/completions",
    completion({"content": "1081", "reasoning_content": "23 by 47"}, _DEEPSEEK_USAGE),
    Usage(100, 50, 64, 40),
    completion(
        {"content": "", "reasoning_content": "23 by 47", "tool_calls": [native_call(index=0)]},
        _DEEPSEEK_USAGE,
        "tool_calls",
    ),
    (
        ": keep-alive",
        *chunks(
            {"content": None, "reasoning_content": "23 "},
            {"content": None, "reasoning_content": "by 47"},
            {"content": "1081", "reasoning_content": None},
            usage=_DEEPSEEK_USAGE,
            usage_in_last=True,
        ),
    ),
    chunks(
        {"content": None, "reasoning_content": "23 by 47"},
        *call_pieces(),
        usage=_DEEPSEEK_USAGE,
        reason="tool_calls",
        usage_in_last=True,
    ),
    (
        401,
        openai_error("Authentication Fails (no such user)", "invalid_request_error"),
        "Authentication Fails",
    ),
    reasoning="23 by 47",
)
_QWEN_USAGE = {
    "prompt_tokens": 3019,
    "completion_tokens": 104,
    "total_tokens": 3123,
    "prompt_tokens_details": {"cached_tokens": 2048, "cache_creation_input_tokens": 512},
    "completion_tokens_details": {"reasoning_tokens": 90, "text_tokens": 14},
}
QWEN = Shape(
    "qwen",
    "/v1/chat/completions",
    completion({"content": "1081", "reasoning_content": "想"}, _QWEN_USAGE),
    Usage(3019, 104, 2048, 90, 512),
    completion(
        {"content": "", "reasoning_content": "想", "tool_calls": [native_call()]},
        _QWEN_USAGE,
        "tool_calls",
    ),
    chunks({"content": None, "reasoning_content": "想"}, {"content": "1081"}, usage=_QWEN_USAGE),
    # Later fragments of a call come with an empty id.
    chunks(
        {"content": None, "reasoning_content": "想"},
        *(
            {"tool_calls": [{**piece["tool_calls"][0], "id": identifier}]}
            for piece, identifier in zip(call_pieces(), ("call_1", ""), strict=True)
        ),
        usage=_QWEN_USAGE,
        reason="tool_calls",
    ),
    (401, openai_error("Incorrect API key provided. ", "invalid_api_key"), "Incorrect API key"),
    reasoning="想",
)
_VLLM_USAGE = {
    "prompt_tokens": 40,
    "total_tokens": 52,
    "completion_tokens": 12,
    "prompt_tokens_details": {"cached_tokens": 32},
}
VLLM = Shape(
    "vllm",
    "/v1/chat/completions",
    completion(
        {"content": "1081", "reasoning": "hm", "refusal": None, "tool_calls": []}, _VLLM_USAGE
    ),
    Usage(40, 12, 32),
    completion(
        {"content": None, "reasoning": "hm", "tool_calls": [native_call()]},
        _VLLM_USAGE,
        "tool_calls",
    ),
    chunks({"reasoning": "hm"}, {"content": "1081"}, usage=_VLLM_USAGE),
    chunks({"reasoning": "hm"}, *call_pieces(), usage=_VLLM_USAGE, reason="tool_calls"),
    (401, {"error": "Unauthorized"}, "Unauthorized"),
    reasoning="hm",
)
_TGI_USAGE = {"prompt_tokens": 20, "completion_tokens": 9, "total_tokens": 29}
_TGI_FUNCTION = {"name": "calculator", "description": None, "arguments": CALL}
TGI = Shape(
    "tgi",
    "/v1/chat/completions",
    completion({"content": "1081"}, _TGI_USAGE, "eos_token"),
    Usage(20, 9),
    # Arguments are an object, the call has a number, and the reason does not tell of it.
    completion({"tool_calls": [{"id": 0, "function": _TGI_FUNCTION}]}, _TGI_USAGE, "eos_token"),
    chunks({"content": "1081"}, usage=_TGI_USAGE, reason="eos_token"),
    # One call by itself instead of a list.
    chunks(
        *({"tool_calls": piece["tool_calls"][0]} for piece in call_pieces(id="")),
        usage=_TGI_USAGE,
        reason="eos_token",
    ),
    (
        401,
        {"error": "Invalid API key", "error_type": "authentication"},
        "Invalid API key",
    ),
)
SGLANG = simple(
    "sglang",
    {
        "prompt_tokens": 30,
        "total_tokens": 45,
        "completion_tokens": 15,
        "prompt_tokens_details": {"cached_tokens": 16},
        "reasoning_tokens": 10,
    },
    Usage(30, 15, 16, 10),
    (401, {"error": "Unauthorized"}, "Unauthorized"),
)
OLLAMA = simple(
    "ollama",
    {"prompt_tokens": 26, "completion_tokens": 8, "total_tokens": 34},
    Usage(26, 8),
    (404, openai_error("model 'm' not found", None), "model 'm' not found"),
)
LLAMA_CPP = simple(
    "llama.cpp",
    {"completion_tokens": 8, "prompt_tokens": 31, "total_tokens": 39},
    Usage(31, 8, 21),
    (
        401,
        {"error": {"code": 401, "message": "Invalid API Key", "type": "authentication_error"}},
        "Invalid API Key",
    ),
    timings={"cache_n": 21, "prompt_n": 10, "predicted_n": 8, "predicted_ms": 91.2},
)

_CLAUDE = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m"}
_CLAUDE_START = {
    "input_tokens": 21,
    "cache_creation_input_tokens": 188,
    "cache_read_input_tokens": 1000,
    "output_tokens": 1,
}
_THINKING = {"type": "thinking", "thinking": "23 by 47", "signature": "EqQB=="}
_TOOL_USE = {"type": "tool_use", "id": "toolu_1", "name": "calculator", "input": CALL}


def _claude(reason: str, *content: dict[str, Any]) -> dict[str, Any]:
    usage = {**_CLAUDE_START, "output_tokens": 393, "service_tier": "standard"}
    return {
        **_CLAUDE,
        "content": list(content),
        "stop_reason": reason,
        "stop_sequence": None,
        "usage": usage,
    }


def _block(index: int, start: dict[str, Any], *deltas: dict[str, Any]) -> tuple[Any, ...]:
    return (
        {"type": "content_block_start", "index": index, "content_block": start},
        *({"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas),
        {"type": "content_block_stop", "index": index},
    )


def _claude_stream(reason: str, *blocks: tuple[Any, ...]) -> tuple[Any, ...]:
    start: dict[str, Any] = {**_CLAUDE, "content": [], "stop_reason": None, "usage": _CLAUDE_START}
    stopped = {"stop_reason": reason, "stop_sequence": None}
    return (
        {"type": "message_start", "message": start},
        {"type": "ping"},
        *(event for block in blocks for event in block),
        {"type": "message_delta", "delta": stopped, "usage": {"output_tokens": 393}},
        {"type": "message_stop"},
    )


_THINKING_BLOCK = _block(
    0,
    {"type": "thinking", "thinking": "", "signature": ""},
    {"type": "thinking_delta", "thinking": "23 "},
    {"type": "thinking_delta", "thinking": "by 47"},
    {"type": "signature_delta", "signature": "EqQB=="},
)
ANTHROPIC = Shape(
    "anthropic",
    "/v1/messages",
    _claude("end_turn", _THINKING, {"type": "text", "text": "1081"}),
    Usage(1209, 393, 1000, 0, 188),
    _claude("tool_use", _THINKING, _TOOL_USE),
    _claude_stream(
        "end_turn",
        _THINKING_BLOCK,
        _block(
            1,
            {"type": "text", "text": ""},
            {"type": "text_delta", "text": "10"},
            {"type": "text_delta", "text": "81"},
        ),
    ),
    _claude_stream(
        "tool_use",
        _THINKING_BLOCK,
        _block(
            1,
            {**_TOOL_USE, "input": {}},
            {"type": "input_json_delta", "partial_json": ""},
            {"type": "input_json_delta", "partial_json": '{"expression": "23'},
            {"type": "input_json_delta", "partial_json": '*47"}'},
        ),
    ),
    (
        401,
        {
            "type": "error",
            "error": {"type": "authentication_error", "message": "invalid x-api-key"},
        },
        "invalid x-api-key",
    ),
    reasoning="23 by 47",
    key_header="x-api-key",
)

SHAPES = (
    OPENAI, AZURE, ANTHROPIC, DEEPSEEK, QWEN, VLLM, TGI, SGLANG, OLLAMA, LLAMA_CPP,
)  # fmt: skip
