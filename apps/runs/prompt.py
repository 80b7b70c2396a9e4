"""The prompt of a model call as it was sent."""

from __future__ import annotations

from typing import Any

import msgspec
from django.utils.translation import gettext as _

from apps.runs.selectors import whole_event, whole_events
from apps.shell.refusals import Invalid
from aworld.events.model import LlmRequested
from aworld.events.run import NodeJoined
from aworld.runtime.context import chat_message, tool_schemas


def prompt_of(run_id: str, seq: int) -> dict[str, Any]:
    """`{messages: [{role, content, tool_calls, from_seq}], tools}` of an `llm.requested`.

    Raises:
        Missing: no such run or event.
        Invalid: the event is of another kind.
    """
    asked = whole_event(run_id, seq)
    if not isinstance(asked.payload, LlmRequested):
        raise Invalid(
            _(
                "Event %(seq)d of run %(run)r is %(kind)r and has no prompt. "
                "Ask for the prompt of an 'llm.requested'."
            )
            % {"seq": seq, "run": run_id, "kind": asked.kind}
        )
    by_seq = {event.seq: event for event in whole_events(run_id, asked.payload.context)}
    messages: list[dict[str, Any]] = []
    tools: list[Any] = []
    for source in asked.payload.context:
        event = by_seq.get(source)
        message = chat_message(event) if event is not None else None
        if event is None or message is None:
            continue
        if isinstance(event.payload, NodeJoined):
            tools = [msgspec.to_builtins(tool) for tool in tool_schemas(event.payload)]
            if not message.content:
                continue
        messages.append(
            {
                "role": message.role,
                "content": message.content,
                "tool_calls": [msgspec.to_builtins(call) for call in message.tool_calls],
                "tool_call_id": message.tool_call_id,
                "name": message.name,
                "from_seq": source,
            }
        )
    return {"messages": messages, "tools": tools, "parameters": asked.payload.parameters}
