"""The OpenAI chat protocol, with the habits of whoever speaks it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from aworld.llm.base import ChatMessage, ModelRequest, Parameters
from aworld.llm.tool_text import to_plain_messages
from aworld.llm.wire import AnswerReader, message_json, sampling_json, tool_json

ToolStyle = Literal["native", "text"]
"""`native` offers tools in the request's own field, `text` in the system prompt."""


class OpenAIDialect:
    """Chat completions."""

    def __init__(
        self,
        *,
        extra: Mapping[str, Any] | None = None,
        tool_style: ToolStyle = "native",
        max_tokens_name: str = "max_tokens",
        stream_usage: bool = True,
        always_stream: bool = False,
        reasoning_back: str = "",
    ) -> None:
        """`extra` goes into every request as it stands. `stream_usage` asks for the token counts of
        streamed answers. `reasoning_back` is the field in which earlier thinking goes back with
        calls of tools; "" where the provider does not want it."""
        self._extra = dict(extra or {})
        self._tool_style = tool_style
        self._max_tokens_name = max_tokens_name
        self._stream_usage = stream_usage
        self._reasoning_back = reasoning_back
        self.always_stream = always_stream

    def request_body(
        self, model: str, request: ModelRequest, parameters: Parameters, *, stream: bool
    ) -> dict[str, Any]:
        """The JSON object that is sent."""
        body: dict[str, Any] = {"model": model}
        if self._tool_style == "text":
            body["messages"] = to_plain_messages(request.messages, request.tools)
        else:
            body["messages"] = self._messages(request.messages)
            if request.tools:
                body["tools"] = [tool_json(tool) for tool in request.tools]
        body.update(sampling_json(parameters, max_tokens_name=self._max_tokens_name))
        if stream:
            body["stream"] = True
            if self._stream_usage:
                body["stream_options"] = {"include_usage": True}
        body.update(self._extra)
        if not body.get("tools"):
            # Meant for all calls of a connection; without tools OpenAI refuses it.
            body.pop("parallel_tool_calls", None)
        return body

    def reader(self) -> AnswerReader:
        """A fresh reader for one answer."""
        return AnswerReader()

    def lenient_calls(self) -> bool:
        """Only a model that is offered its tools as text may write calls as bare JSON."""
        return self._tool_style == "text"

    def _messages(self, messages: Sequence[ChatMessage]) -> list[dict[str, Any]]:
        plain = [message_json(message) for message in messages]
        if self._reasoning_back and any(message.reasoning for message in messages):
            # Once one turn was thought about, DeepSeek wants the field on every call, empty or not.
            for message, out in zip(messages, plain, strict=True):
                if message.tool_calls:
                    out[self._reasoning_back] = message.reasoning
        return plain
