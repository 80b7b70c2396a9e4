"""The OpenAI chat protocol as a model, over either transport."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Mapping
from typing import Any, Literal

import msgspec

from aworld.errors import ProviderTimeout
from aworld.llm.base import Completion, ModelRequest, OnChunk, OnRetry, Parameters
from aworld.llm.prices import Price
from aworld.llm.retries import RetryPolicy, Sleep, call_with_retries
from aworld.llm.streaming import StreamedAnswer
from aworld.llm.textual_calls import with_textual_calls
from aworld.llm.tool_text import to_plain_messages
from aworld.llm.transport import Transport
from aworld.llm.wire import AnswerReader, message_json, sampling_json, tool_json

ToolStyle = Literal["native", "text"]
"""`native` offers tools in the request's own field, `text` in the system prompt."""

_UNSET = Parameters()


class OpenAICompatible:
    """A model behind a transport. Keeps no state between calls."""

    def __init__(
        self,
        model: str,
        transport: Transport,
        *,
        parameters: Parameters = Parameters(),
        extra: Mapping[str, Any] | None = None,
        price: Price | None = None,
        tool_style: ToolStyle = "native",
        max_tokens_name: str = "max_tokens",
        stream_usage: bool = True,
        retries: RetryPolicy = RetryPolicy(),
        sleep: Sleep = asyncio.sleep,
        draw: Callable[[], float] = random.random,
    ) -> None:
        """`parameters` hold where a request leaves them open; `extra` goes into every request body
        as it stands. `stream_usage` asks for the token counts of streamed answers."""
        self._model = model
        self._transport = transport
        self._parameters = parameters
        self._extra = dict(extra or {})
        self._price = price
        self._tool_style = tool_style
        self._max_tokens_name = max_tokens_name
        self._stream_usage = stream_usage
        self._retries = retries
        self._sleep = sleep
        self._draw = draw

    @property
    def name(self) -> str:
        """The model's name as it is sent."""
        return self._model

    async def complete(
        self,
        request: ModelRequest,
        *,
        on_chunk: OnChunk | None = None,
        on_retry: OnRetry | None = None,
    ) -> Completion:
        """Answer a request. A retry begins the streamed text anew.

        Raises:
            ProviderError: the provider failed, refused, or did not answer in time.
        """
        parameters = merge_parameters(request.parameters, self._parameters)
        body = self.request_body(request, parameters, stream=on_chunk is not None)

        async def attempt() -> Completion:
            try:
                async with asyncio.timeout(parameters.timeout_s):
                    if on_chunk is None:
                        return await self._whole(body)
                    return await self._streamed(body, on_chunk)
            except TimeoutError:
                raise ProviderTimeout(
                    f"Model {self._model!r} did not answer within {parameters.timeout_s:g} s. "
                    "Raise timeout_s, or ask for fewer tokens."
                ) from None

        completion = await call_with_retries(
            attempt, self._retries, on_retry=on_retry, sleep=self._sleep, draw=self._draw
        )
        if self._price is not None:
            cost = self._price.cost(completion.usage)
            completion = msgspec.structs.replace(completion, cost_usd=cost)
        return with_textual_calls(completion, request, lenient=self._tool_style == "text")

    async def aclose(self) -> None:
        """Give back connections."""
        await self._transport.aclose()

    def request_body(
        self, request: ModelRequest, parameters: Parameters, *, stream: bool
    ) -> dict[str, Any]:
        """The JSON object that is sent."""
        body: dict[str, Any] = {"model": self._model}
        if self._tool_style == "text":
            body["messages"] = to_plain_messages(request.messages, request.tools)
        else:
            body["messages"] = [message_json(message) for message in request.messages]
            if request.tools:
                body["tools"] = [tool_json(tool) for tool in request.tools]
        body.update(sampling_json(parameters, max_tokens_name=self._max_tokens_name))
        if stream:
            body["stream"] = True
            if self._stream_usage:
                body["stream_options"] = {"include_usage": True}
        body.update(self._extra)
        return body

    async def _whole(self, body: dict[str, Any]) -> Completion:
        reader = AnswerReader()
        reader.add(await self._transport.send(body))
        return reader.completion()

    async def _streamed(self, body: dict[str, Any], on_chunk: OnChunk) -> Completion:
        answer = StreamedAnswer()
        async with self._transport.stream(body) as pieces:
            # Read to the very end: a connection left earlier could not be used again.
            async for piece in pieces:
                for text in answer.feed(piece):
                    on_chunk(text)
        for text in answer.close():
            on_chunk(text)
        return answer.completion()


def merge_parameters(asked: Parameters, default: Parameters) -> Parameters:
    """What the request asks for, and the connection's own where it leaves the choice open."""
    values = {
        field: getattr(asked, field)
        for field in Parameters.__struct_fields__
        if getattr(asked, field) != getattr(_UNSET, field)
    }
    return msgspec.structs.replace(default, **values) if values else default
