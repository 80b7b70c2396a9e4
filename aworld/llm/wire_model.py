"""A model behind a transport, in whichever dialect its provider speaks."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from contextlib import AsyncExitStack
from typing import Any

import msgspec

from aworld.errors import ProviderTimeout
from aworld.llm.base import Completion, ModelRequest, OnChunk, OnRetry, Parameters
from aworld.llm.dialect import Dialect
from aworld.llm.failures import ParameterRefused
from aworld.llm.limits.gate import NO_LIMITS, LimitGate
from aworld.llm.prices import Price
from aworld.llm.refused_parameters import without_parameter
from aworld.llm.retries import RetryPolicy, Sleep, call_with_retries
from aworld.llm.streaming import StreamedAnswer
from aworld.llm.textual_calls import with_textual_calls
from aworld.llm.transport import Transport

_UNSET = Parameters()


class WireModel:
    """Asks through a transport. Between calls it keeps only which parameters were refused."""

    def __init__(
        self,
        model: str,
        transport: Transport,
        dialect: Dialect,
        *,
        parameters: Parameters = Parameters(),
        price: Price | None = None,
        gate: LimitGate = NO_LIMITS,
        retries: RetryPolicy = RetryPolicy(),
        sleep: Sleep = asyncio.sleep,
        draw: Callable[[], float] = random.random,
    ) -> None:
        """`parameters` hold where a request leaves them open; `gate` lets each attempt in."""
        self._model = model
        self._transport = transport
        self._dialect = dialect
        self._parameters = parameters
        self._price = price
        self._gate = gate
        self._retries = retries
        self._sleep = sleep
        self._draw = draw
        self._refused: list[str] = []

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

        `on_retry` also tells of waiting for a limit, and of a parameter that is left out because
        the model refuses it.

        Raises:
            ProviderError: the provider failed, refused, or did not answer in time.
            BudgetSpent: the connection may cost no more today or this month.
        """
        parameters = merge_parameters(request.parameters, self._parameters)

        async def attempt() -> Completion:
            body = self.request_body(request, parameters, stream=on_chunk is not None)
            return await self._attempt(body, parameters, on_chunk, on_retry)

        while True:
            try:
                completion = await call_with_retries(
                    attempt, self._retries, on_retry=on_retry, sleep=self._sleep, draw=self._draw
                )
                break
            except ParameterRefused as error:
                if error.parameter in self._refused:
                    raise
                self._refused.append(error.parameter)
                if on_retry is not None:
                    on_retry(error, 0.0)
        return with_textual_calls(completion, request, lenient=self._dialect.lenient_calls())

    async def aclose(self) -> None:
        """Give back connections."""
        await self._gate.aclose()
        await self._transport.aclose()

    def request_body(
        self, request: ModelRequest, parameters: Parameters, *, stream: bool
    ) -> dict[str, Any]:
        """The JSON object that is sent, without what the model has refused before."""
        stream = stream or self._dialect.always_stream
        body = self._dialect.request_body(self._model, request, parameters, stream=stream)
        for name in self._refused:
            body = without_parameter(body, name)
        return body

    async def _attempt(
        self,
        body: dict[str, Any],
        parameters: Parameters,
        on_chunk: OnChunk | None,
        on_retry: OnRetry | None,
    ) -> Completion:
        async with AsyncExitStack() as stack:
            entry = await stack.enter_async_context(
                self._gate.entered(body, parameters, self._price, on_retry)
            )
            try:
                async with asyncio.timeout(parameters.timeout_s):
                    completion = await self._answer(body, on_chunk)
            except TimeoutError:
                raise ProviderTimeout(
                    f"Model {self._model!r} did not answer within {parameters.timeout_s:g} s. "
                    "Raise timeout_s, or ask for fewer tokens."
                ) from None
            if self._price is not None:
                cost = self._price.cost(completion.usage)
                completion = msgspec.structs.replace(completion, cost_usd=cost)
            entry.answered(completion)
        return completion

    async def _answer(self, body: dict[str, Any], on_chunk: OnChunk | None) -> Completion:
        if not body.get("stream"):
            reader = self._dialect.reader()
            reader.add(await self._transport.send(body))
            return reader.completion()
        answer = StreamedAnswer(self._dialect.reader())
        async with self._transport.stream(body) as pieces:
            # Read to the very end: a connection left earlier could not be used again.
            async for piece in pieces:
                _tell(on_chunk, answer.feed(piece))
        _tell(on_chunk, answer.close())
        return answer.completion()


def _tell(on_chunk: OnChunk | None, texts: list[str]) -> None:
    if on_chunk is not None:
        for text in texts:
            on_chunk(text)


def merge_parameters(asked: Parameters, default: Parameters) -> Parameters:
    """What the request asks for, and the connection's own where it leaves the choice open."""
    values = {
        field: getattr(asked, field)
        for field in Parameters.__struct_fields__
        if getattr(asked, field) != getattr(_UNSET, field)
    }
    return msgspec.structs.replace(default, **values) if values else default
