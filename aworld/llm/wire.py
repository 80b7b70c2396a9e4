"""The OpenAI chat format: requests into JSON, answers and their fragments into completions."""

from __future__ import annotations

from typing import Any

import msgspec

from aworld.errors import ProviderError
from aworld.llm.base import ChatMessage, Completion, Parameters, ToolCall, ToolSchema, Usage
from aworld.llm.failures import ProviderUnavailable, provider_words
from aworld.llm.fragments import CallFragment, CallFragments
from aworld.llm.wire_usage import WireTimings, WireUsage

_REASONS = {
    "eos_token": "stop",
    "stop_sequence": "stop",
    "eos": "stop",
    "function_call": "tool_calls",
    "tool_call": "tool_calls",
    "max_tokens": "length",
}
"""What servers call the reasons that have a name already: TGI's, and gateways'."""
_INTERRUPTED = frozenset({"insufficient_system_resource", "abort", "error"})
"""The server stopped in the middle: DeepSeek without room, SGLang and vLLM after an abort."""


class _Message(msgspec.Struct, frozen=True):
    content: str | list[Any] | None = None
    reasoning_content: str | None = None
    reasoning: str | None = None
    refusal: str | None = None
    tool_calls: list[CallFragment] | CallFragment | None = None
    """Older TGI streams one call by itself instead of a list."""


class _Choice(msgspec.Struct, frozen=True):
    message: _Message | None = None
    delta: _Message | None = None
    finish_reason: str | None = None


class _Answer(msgspec.Struct, frozen=True):
    choices: list[_Choice] | None = None
    usage: WireUsage | None = None
    timings: WireTimings | None = None
    model: str | None = None
    error: Any = None


_decoder = msgspec.json.Decoder(_Answer)


def message_json(message: ChatMessage) -> dict[str, Any]:
    """One message as providers with native tool calls expect it."""
    out: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.name:
        out["name"] = message.name
    if message.role == "tool":
        out["tool_call_id"] = message.tool_call_id
    if message.tool_calls:
        out["content"] = message.content or None
        out["tool_calls"] = [_call_json(call) for call in message.tool_calls]
    return out


def tool_json(tool: ToolSchema) -> dict[str, Any]:
    """A tool on offer."""
    function = {
        "name": tool.name,
        "description": tool.description,
        "parameters": tool.parameters,
    }
    return {"type": "function", "function": function}


def sampling_json(parameters: Parameters, *, max_tokens_name: str = "max_tokens") -> dict[str, Any]:
    """The parameters that were set; the others are the provider's to choose."""
    values: dict[str, Any] = {
        "temperature": parameters.temperature,
        "top_p": parameters.top_p,
        max_tokens_name: parameters.max_tokens,
        "seed": parameters.seed,
        "stop": list(parameters.stop) or None,
    }
    return {name: value for name, value in values.items() if value is not None}


def _call_json(call: ToolCall) -> dict[str, Any]:
    # Some servers parse the arguments of earlier turns and refuse the whole conversation when they
    # are not JSON, so what could not be read goes back wrapped.
    arguments = {"unreadable": call.raw} if call.arguments is None else call.arguments
    text = msgspec.json.encode(arguments).decode()
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": text}}


class AnswerReader:
    """Builds a completion from one whole answer or from the fragments of a stream."""

    def __init__(self) -> None:
        self._text: list[str] = []
        self._reasoning: list[str] = []
        self._calls = CallFragments()
        self._usage = Usage()
        self._model = ""
        self._finish_reason = ""
        self.received = False
        """Whether the model said anything yet: text, thinking or a call."""

    @property
    def finished(self) -> bool:
        """Whether the provider said that the answer is complete."""
        return bool(self._finish_reason)

    def add(self, data: bytes) -> str:
        """Take in an answer or a fragment; returns its new text.

        Raises:
            ProviderError: it is an error, or no chat completion at all.
        """
        try:
            answer = _decoder.decode(data)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            shown = data[:200].decode("utf-8", "replace")
            raise ProviderError(
                f"The provider's answer is not a chat completion ({error}): {shown!r}. Check that "
                "the base URL is that of an OpenAI-compatible API."
            ) from None
        if answer.error:
            words = provider_words(answer.error) or str(answer.error)
            raise ProviderUnavailable(f"The provider broke off: {words}")
        if answer.usage is not None:
            self._usage = answer.usage.usage(answer.timings)
        self._model = answer.model or self._model
        # The last fragment has the usage and no choice.
        return self._add_choice(answer.choices[0]) if answer.choices else ""

    def completion(self) -> Completion:
        """What was said.

        Raises:
            ProviderError: the answer had no choice at all.
        """
        calls = self._calls.calls()
        if not self._finish_reason and not self.received:
            raise ProviderError(
                "The provider's answer holds no choice, so there is nothing to read. Try again, or "
                "check the base URL.",
                retryable=True,
            )
        reason = self._finish_reason or "stop"
        if calls and reason == "stop":
            reason = "tool_calls"
        return Completion(
            text="".join(self._text),
            tool_calls=calls,
            finish_reason=reason,
            usage=self._usage,
            model=self._model,
            reasoning="".join(self._reasoning),
        )

    def _add_choice(self, choice: _Choice) -> str:
        reason = choice.finish_reason or ""
        if reason in _INTERRUPTED:
            raise ProviderUnavailable(
                f"The provider broke off in the middle of the answer ({reason}). Try again later."
            )
        self._finish_reason = _REASONS.get(reason, reason) or self._finish_reason
        message = choice.message or choice.delta
        if message is None:
            return ""
        if choice.message is not None and not self._finish_reason:
            self._finish_reason = "stop"
        thought = message.reasoning_content or message.reasoning or ""
        text = _text(message.content) or message.refusal or ""
        self._reasoning.append(thought)
        self._text.append(text)
        calls = message.tool_calls or ()
        for fragment in (calls,) if isinstance(calls, CallFragment) else calls:
            self._calls.add(fragment)
        self.received = self.received or bool(thought or text or message.tool_calls)
        return text


def _text(content: str | list[Any] | None) -> str:
    """The text of a content that may come in parts."""
    if isinstance(content, list):
        return "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return content or ""
