"""The Messages API as a dialect."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aworld.llm.anthropic.reader import MessageReader
from aworld.llm.anthropic.request import message_request
from aworld.llm.base import ModelRequest, Parameters


class AnthropicDialect:
    """Messages with content blocks."""

    always_stream = False

    def __init__(self, *, extra: Mapping[str, Any] | None = None) -> None:
        """`extra` goes into every request as it stands, but for `cache_control`, which goes onto
        the system prompt and the last message."""
        self._extra = dict(extra or {})

    def request_body(
        self, model: str, request: ModelRequest, parameters: Parameters, *, stream: bool
    ) -> dict[str, Any]:
        """The JSON object that is sent."""
        body = message_request(model, request, parameters, self._extra)
        return {**body, "stream": True} if stream else body

    def reader(self) -> MessageReader:
        """A fresh reader for one answer."""
        return MessageReader()

    def lenient_calls(self) -> bool:
        """Its models call tools in the place meant for it."""
        return False
