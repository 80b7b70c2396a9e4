"""What makes two requests to a model the same."""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec

from aworld.llm.base import ChatMessage, ModelRequest, Parameters

_encoder = msgspec.msgpack.Encoder(order="sorted")


def request_hash(request: ModelRequest, model: str) -> str:
    """32 hex digits (blake2b, 128 bits) of messages, tools and sampling.

    Ids of calls are replaced by their ordinal and time limits left out, so that a replay, whose
    provider makes up other ids, gives the same hash. The order of JSON keys does not count.
    """
    ordinals: dict[str, int] = {}
    canonical = [
        model,
        [_message(message, ordinals) for message in request.messages],
        [[tool.name, tool.description, tool.parameters] for tool in request.tools],
        _parameters(request.parameters),
    ]
    return hashlib.blake2b(_encoder.encode(canonical), digest_size=16).hexdigest()


def _message(message: ChatMessage, ordinals: dict[str, int]) -> list[Any]:
    calls = []
    for call in message.tool_calls:
        # An id that comes twice names the newer call from here on.
        ordinals[call.id] = len(ordinals)
        arguments = call.raw if call.arguments is None else call.arguments
        calls.append([ordinals[call.id], call.name, arguments])
    answers = ordinals.get(message.tool_call_id, -1) if message.tool_call_id else None
    return [message.role, message.content, calls, answers, message.name]


def _parameters(parameters: Parameters) -> list[Any]:
    return [
        None if parameters.temperature is None else float(parameters.temperature),
        None if parameters.top_p is None else float(parameters.top_p),
        parameters.max_tokens,
        parameters.seed,
        list(parameters.stop),
    ]
