"""What a provider's protocol is to the model above it: requests into JSON, answers read back."""

from __future__ import annotations

from typing import Any, Protocol

from aworld.llm.base import Completion, ModelRequest, Parameters


class Reader(Protocol):
    """Builds a completion from one whole answer or from the fragments of a stream."""

    @property
    def finished(self) -> bool:
        """Whether the provider said that the answer is complete."""
        ...

    @property
    def received(self) -> bool:
        """Whether the model said anything yet: text, thinking or a call."""
        ...

    def add(self, data: bytes) -> str:
        """Take in an answer or a fragment; returns its new text.

        Raises:
            ProviderError: it is an error, or nothing of this protocol.
        """
        ...

    def completion(self) -> Completion:
        """What was said.

        Raises:
            ProviderError: nothing was.
        """
        ...


class Dialect(Protocol):
    """One protocol, with the habits of one provider."""

    @property
    def always_stream(self) -> bool:
        """Whether answers are streamed even where nobody watches them."""
        ...

    def request_body(
        self, model: str, request: ModelRequest, parameters: Parameters, *, stream: bool
    ) -> dict[str, Any]:
        """The JSON object that is sent."""
        ...

    def reader(self) -> Reader:
        """A fresh reader for one answer."""
        ...

    def lenient_calls(self) -> bool:
        """Whether bare JSON in the text may be a tool call: the model has no other way."""
        ...
