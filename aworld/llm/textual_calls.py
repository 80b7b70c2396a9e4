"""Tool calls that a model wrote into its text instead of the place meant for them."""

from __future__ import annotations

import msgspec

from aworld.llm.base import Completion, ModelRequest
from aworld.llm.tool_text import OPEN, count_calls, parse_tool_calls


def with_textual_calls(
    completion: Completion, request: ModelRequest, *, lenient: bool = False
) -> Completion:
    """Take `<tool_call>` blocks out of the text and add them as calls.

    Nothing changes where the request offered no tools or the calls came in their own field.
    `lenient` also accepts bare JSON and code fences that name a tool on offer: only for models
    that have no other way to call one, since others may mean such JSON as their answer.
    """
    if completion.tool_calls or not request.tools:
        return completion
    if not lenient and OPEN not in completion.text:
        return completion
    known = [tool.name for tool in request.tools]
    parsed = parse_tool_calls(completion.text, known, first=count_calls(request.messages) + 1)
    if not parsed.calls:
        return completion
    # A block that was cut off is reported as `length`, so that the reason is not hidden.
    reason = completion.finish_reason
    return msgspec.structs.replace(
        completion,
        text=parsed.text,
        tool_calls=parsed.calls,
        finish_reason="tool_calls" if reason == "stop" else reason,
    )
