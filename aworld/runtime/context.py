"""From events back to the messages a model was sent.

A prompt is recorded as a list of seqs. This module is the only place that knows what each of those
events says to a model, so the live call, the replay and the page that shows the prompt agree.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from aworld.errors import AWorldError
from aworld.events.action import ToolFailed, ToolOutcomeUnknown, ToolReturned
from aworld.events.conversation import MessageSent, PersonAnswered
from aworld.events.model import LlmResponded
from aworld.events.run import NodeJoined
from aworld.events.union import Event
from aworld.llm.base import ChatMessage, ModelRequest, Parameters, Thought, ToolCall, ToolSchema
from aworld.runtime.more_pages import leads_on, with_read_result

OUTCOME_UNKNOWN = (
    "The outcome of this call is unknown: the worker stopped between the call and its result. "
    "It may or may not have taken effect. Check before you call it again."
)


def chat_message(event: Event) -> ChatMessage | None:
    """What an event says to a model; None where it says nothing."""
    payload = event.payload
    if isinstance(payload, NodeJoined):
        return ChatMessage("system", payload.instructions)
    if isinstance(payload, MessageSent):
        return ChatMessage("user", payload.content)
    if isinstance(payload, LlmResponded):
        return ChatMessage(
            "assistant",
            payload.text,
            tool_calls=tool_calls(payload.tool_calls),
            reasoning=payload.reasoning,
            thoughts=tuple(msgspec.convert(thought, Thought) for thought in payload.thoughts),
        )
    if isinstance(payload, ToolReturned):
        return ChatMessage("tool", payload.text, tool_call_id=payload.call_id, name=payload.tool)
    if isinstance(payload, ToolFailed):
        return ChatMessage(
            "tool", f"Error: {payload.error}", tool_call_id=payload.call_id, name=payload.tool
        )
    if isinstance(payload, ToolOutcomeUnknown):
        return ChatMessage("tool", OUTCOME_UNKNOWN, tool_call_id=payload.call_id, name=payload.tool)
    if isinstance(payload, PersonAnswered):
        return ChatMessage("user", payload.answer)
    return None


def tool_calls(recorded: Sequence[dict[str, Any]]) -> tuple[ToolCall, ...]:
    """The calls of a recorded answer."""
    return tuple(msgspec.convert(call, ToolCall) for call in recorded)


def tool_schemas(joined: NodeJoined) -> tuple[ToolSchema, ...]:
    """The tools a node was offered."""
    return tuple(msgspec.convert(tool, ToolSchema) for tool in joined.tools)


class ContextBook:
    """The messages of a run by the seq that carries them."""

    def __init__(self) -> None:
        self._messages: dict[int, ChatMessage] = {}
        self._tools: dict[int, tuple[ToolSchema, ...]] = {}
        self._lead_on: set[int] = set()

    def add(self, event: Event) -> None:
        """Remember what an event says to a model, if anything."""
        message = chat_message(event)
        if message is not None:
            self._messages[event.seq] = message
        if isinstance(event.payload, NodeJoined):
            self._tools[event.seq] = tool_schemas(event.payload)
        # An edited result comes a second time.
        (self._lead_on.add if leads_on(event) else self._lead_on.discard)(event.seq)

    def request(self, context: Sequence[int], parameters: Parameters) -> ModelRequest:
        """The request that a list of seqs stands for.

        Raises:
            AWorldError: an event of the list carries no message.
        """
        missing = [seq for seq in context if seq not in self._messages]
        if missing:
            raise AWorldError(
                f"Events {missing} carry no message, so no prompt can be made of them."
            )
        tools: tuple[ToolSchema, ...] = ()
        for seq in context:
            tools = self._tools.get(seq, tools)
        if not self._lead_on.isdisjoint(context):
            tools = with_read_result(tools)
        messages = tuple(self._messages[seq] for seq in context)
        return ModelRequest(
            tuple(m for m in messages if m.role != "system" or m.content), tools, parameters
        )
