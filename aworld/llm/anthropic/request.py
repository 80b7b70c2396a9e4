"""A conversation as the Messages API wants it.

It differs from OpenAI's: the system prompt stands apart, results of tools are parts of the user's
next message, thinking goes back with its seal, no text may be empty, and the longest answer must be
said. `seed` does not exist and is left out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from aworld.llm.base import ChatMessage, ModelRequest, Parameters, Thought

LONGEST_ANSWER = 8192
"""Tokens, where nobody set it; thinking comes on top."""
EMPTY = "(no text)"
_NOT_IN_IDS = re.compile(r"[^a-zA-Z0-9_-]")

Block = dict[str, Any]


def message_request(
    model: str, request: ModelRequest, parameters: Parameters, extra: Mapping[str, Any]
) -> dict[str, Any]:
    """The JSON object of a request, without `stream`."""
    kept = dict(extra)
    cache = kept.pop("cache_control", None)
    system = [_text(m.content) for m in request.messages if m.role == "system" and m.content]
    spoken = [message for message in request.messages if message.role != "system"]
    messages = _merged([(_role(message), _blocks(message)) for message in spoken])
    if not _can_think(spoken) and _thinks(kept):
        del kept["thinking"]
    if cache is not None:
        _mark_cached(system, messages, cache)
    body: dict[str, Any] = {
        "model": model,
        "max_tokens": _longest(parameters.max_tokens, _thinking_budget(kept)),
        "messages": messages,
    }
    if system:
        body["system"] = system
    if request.tools:
        body["tools"] = [
            {
                "name": tool.name,
                "description": tool.description,
                "input_schema": {"type": "object", **tool.parameters},
            }
            for tool in request.tools
        ]
    body.update(_sampling(parameters))
    body.update(kept)
    return body


def _longest(asked: int | None, thinking: int) -> int:
    """The limit must leave room beyond what thinking may take."""
    longest = asked or LONGEST_ANSWER
    return longest if asked and asked > thinking else longest + thinking


def _sampling(parameters: Parameters) -> dict[str, Any]:
    values = {
        "temperature": parameters.temperature,
        "top_p": parameters.top_p,
        "stop_sequences": [stop for stop in parameters.stop if stop.strip()] or None,
    }
    return {name: value for name, value in values.items() if value is not None}


def _role(message: ChatMessage) -> str:
    return "assistant" if message.role == "assistant" else "user"


def _text(text: str) -> Block:
    return {"type": "text", "text": text if text.strip() else EMPTY}


def _blocks(message: ChatMessage) -> list[Block]:
    if message.role == "tool":
        result = {"type": "tool_result", "tool_use_id": _id(message.tool_call_id)}
        return [{**result, "content": [_text(message.content)]}]
    if message.role != "assistant":
        return [_text(message.content)]
    blocks = _thinking(message.reasoning, message.thoughts)
    if message.content.strip():
        # Text before a call may be kept as it is, but not with spaces at its end.
        blocks.append(_text(message.content.rstrip()))
    for call in message.tool_calls:
        arguments = {"unreadable": call.raw} if call.arguments is None else call.arguments
        blocks.append(
            {"type": "tool_use", "id": _id(call.id), "name": call.name, "input": arguments}
        )
    return blocks


def _id(identifier: str) -> str:
    """Other providers, asked earlier in the conversation, use characters that are refused here."""
    return _NOT_IN_IDS.sub("_", identifier) or "call"


def _thinking(reasoning: str, thoughts: Sequence[Thought]) -> list[Block]:
    """The sealed blocks of a turn; none where the text was changed, since no seal fits then."""
    if sum(thought.chars for thought in thoughts) != len(reasoning):
        return []
    blocks: list[Block] = []
    start = 0
    for thought in thoughts:
        text = reasoning[start : start + thought.chars]
        start += thought.chars
        if thought.redacted:
            blocks.append({"type": "redacted_thinking", "data": thought.redacted})
        elif thought.signature:
            blocks.append({"type": "thinking", "thinking": text, "signature": thought.signature})
    return blocks


def _merged(turns: list[tuple[str, list[Block]]]) -> list[dict[str, Any]]:
    """Turns of one speaker become one message: all results of parallel calls must stand in one."""
    messages: list[dict[str, Any]] = []
    for role, blocks in turns:
        if messages and messages[-1]["role"] == role:
            messages[-1]["content"].extend(blocks)
        elif blocks:
            messages.append({"role": role, "content": blocks})
    return messages


def _thinks(extra: Mapping[str, Any]) -> bool:
    thinking = extra.get("thinking")
    return isinstance(thinking, dict) and thinking.get("type") == "enabled"


def _thinking_budget(extra: Mapping[str, Any]) -> int:
    budget = extra["thinking"].get("budget_tokens") if _thinks(extra) else 0
    return budget if isinstance(budget, int) else 0


def _can_think(spoken: Sequence[ChatMessage]) -> bool:
    """Whether thinking may be on: in the middle of calls only if each came with its thoughts.

    Those of another provider of a fallback chain have none, and the request would be refused.
    """
    for message in reversed(spoken):
        if message.role == "user":
            break
        if message.tool_calls and not _thinking(message.reasoning, message.thoughts):
            return False
    return True


def _mark_cached(system: list[Block], messages: list[dict[str, Any]], cache: Any) -> None:
    ends = [system[-1]] if system else []
    if messages:
        ends.append(messages[-1]["content"][-1])
    for block in ends:
        if block["type"] not in ("thinking", "redacted_thinking"):
            block["cache_control"] = cache
