"""An answer of the Messages API, whole or as a stream of events, into a completion."""

from __future__ import annotations

from typing import Any

import msgspec

from aworld.errors import ProviderError
from aworld.llm.base import Completion, Thought, Usage
from aworld.llm.failures import ProviderUnavailable, provider_words
from aworld.llm.fragments import CallFragment, CallFragments, FunctionFragment
from aworld.llm.wire_usage import count

_REASONS = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "tool_use": "tool_calls",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "content_filter",
}
_BUSY = frozenset({"overloaded_error", "rate_limit_error", "api_error", "timeout_error"})


class _Block(msgspec.Struct, frozen=True):
    type: str = ""
    text: str | None = None
    thinking: str | None = None
    signature: str | None = None
    data: str | None = None
    id: str | None = None
    name: str | None = None
    input: dict[str, Any] | None = None
    partial_json: str | None = None
    stop_reason: str | None = None


class _OutputDetails(msgspec.Struct, frozen=True):
    thinking_tokens: float | None = None


class _Usage(msgspec.Struct, frozen=True):
    input_tokens: float | None = None
    output_tokens: float | None = None
    cache_read_input_tokens: float | None = None
    cache_creation_input_tokens: float | None = None
    output_tokens_details: _OutputDetails | None = None


class _Event(msgspec.Struct, frozen=True):
    """A whole message, or an event of a stream."""

    type: str = ""
    message: _Event | None = None
    content: list[_Block] | None = None
    content_block: _Block | None = None
    delta: _Block | None = None
    index: int = 0
    model: str | None = None
    stop_reason: str | None = None
    usage: _Usage | None = None
    error: Any = None


_decoder = msgspec.json.Decoder(_Event)


class MessageReader:
    """Builds a completion from one whole message or from the events of a stream."""

    def __init__(self) -> None:
        self._text: list[str] = []
        self._thoughts: dict[int, _Thinking] = {}
        self._calls = CallFragments()
        self._usage: dict[str, int] = {}
        self._model = ""
        self._finish_reason = ""
        self.finished = False
        self.received = False

    def add(self, data: bytes) -> str:
        """Take in a message or an event; returns its new text.

        Raises:
            ProviderError: it is an error, or nothing of this API.
        """
        try:
            event = _decoder.decode(data)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            shown = data[:200].decode("utf-8", "replace")
            raise ProviderError(
                f"The provider's answer is no message ({error}): {shown!r}. Check that the base "
                "URL is that of Anthropic's API."
            ) from None
        if event.type == "error" or event.error:
            raise _broken_off(event.error)
        if event.type == "message":
            return self._whole(event)
        if event.type == "message_start" and event.message is not None:
            self._about(event.message)
        elif event.type == "content_block_start" and event.content_block is not None:
            return self._begin(event.index, event.content_block)
        elif event.type == "content_block_delta" and event.delta is not None:
            return self._go_on(event.index, event.delta)
        elif event.type == "message_delta":
            self._about(event)
            self._stopped(event.delta.stop_reason if event.delta is not None else None)
        elif event.type == "message_stop":
            self.finished = True
        return ""

    def completion(self) -> Completion:
        """What was said.

        Raises:
            ProviderError: nothing was.
        """
        if not self._finish_reason and not self.received:
            raise ProviderError(
                "The provider's answer holds no message, so there is nothing to read. Try again, "
                "or check the base URL.",
                retryable=True,
            )
        thoughts = [self._thoughts[index] for index in sorted(self._thoughts)]
        return Completion(
            text="".join(self._text),
            tool_calls=self._calls.calls(),
            finish_reason=self._finish_reason or "stop",
            usage=self._counted(),
            model=self._model,
            reasoning="".join(thought.text for thought in thoughts),
            thoughts=tuple(thought.sealed() for thought in thoughts),
        )

    def _whole(self, message: _Event) -> str:
        self._about(message)
        texts = [self._begin(index, block) for index, block in enumerate(message.content or ())]
        self._stopped(message.stop_reason or "end_turn")
        self.finished = True
        return "".join(texts)

    def _about(self, event: _Event) -> None:
        self._model = event.model or self._model
        usage = event.usage or _Usage()
        details = usage.output_tokens_details or _OutputDetails()
        # The counts of a stream's end are sums, and say only what is new.
        for name, tokens in (
            ("fresh", usage.input_tokens),
            ("read", usage.cache_read_input_tokens),
            ("written", usage.cache_creation_input_tokens),
            ("output", usage.output_tokens),
            ("thinking", details.thinking_tokens),
        ):
            if tokens is not None:
                self._usage[name] = count(tokens)

    def _counted(self) -> Usage:
        """Anthropic's `input_tokens` are only those that its cache had no part in."""
        read, written = self._usage.get("read", 0), self._usage.get("written", 0)
        output = self._usage.get("output", 0)
        return Usage(
            input=count(self._usage.get("fresh", 0) + read + written),
            output=output,
            cached_input=read,
            reasoning=min(self._usage.get("thinking", 0), output),
            cache_write=written,
        )

    def _stopped(self, reason: str | None) -> None:
        if reason:
            self._finish_reason = _REASONS.get(reason, reason)

    def _begin(self, index: int, block: _Block) -> str:
        if block.type in ("thinking", "redacted_thinking"):
            self.received = True
            self._thoughts[index] = _Thinking(block.data or "")
        elif block.type == "tool_use":
            self.received = True
            function = FunctionFragment(block.name, block.input or None)
            self._calls.add(CallFragment(index, block.id, function))
            return ""
        return self._go_on(index, block)

    def _go_on(self, index: int, piece: _Block) -> str:
        if index in self._thoughts:
            self._thoughts[index].text += piece.thinking or ""
            self._thoughts[index].signature += piece.signature or ""
        elif piece.partial_json:
            function = FunctionFragment(arguments=piece.partial_json)
            self._calls.add(CallFragment(index, None, function))
        elif piece.text:
            self.received = True
            self._text.append(piece.text)
            return piece.text
        return ""


class _Thinking:
    """A block of thinking as it grows."""

    def __init__(self, redacted: str) -> None:
        self.text = ""
        self.signature = ""
        self.redacted = redacted

    def sealed(self) -> Thought:
        return Thought(len(self.text), self.signature, self.redacted)


def _broken_off(error: Any) -> ProviderError:
    words = provider_words(error) or str(error)
    said = f"The provider broke off: {words}"
    kind = error.get("type") if isinstance(error, dict) else ""
    return ProviderUnavailable(said) if kind in _BUSY else ProviderError(said)
