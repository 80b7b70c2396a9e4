"""What a model is to the rest of the library: messages in, a completion out.

`Model` is the protocol; each provider is one file beside this one. Nothing here imports a provider.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, Protocol, runtime_checkable

import msgspec

ChatRole = Literal["system", "user", "assistant", "tool"]


class ToolSchema(msgspec.Struct, frozen=True):
    """A tool as a model sees it."""

    name: str
    description: str
    parameters: dict[str, Any]
    """JSON Schema of the arguments object."""


class ToolCall(msgspec.Struct, frozen=True):
    """A model's wish to have a tool called."""

    id: str
    name: str
    arguments: dict[str, Any] | None
    """The parsed arguments, or None where the model's JSON could not be read."""
    raw: str = ""
    """The arguments as the model wrote them; kept only when they could not be read."""
    error: str = ""
    """Why the call is malformed; told to the model as its next input."""


class Thought(msgspec.Struct, frozen=True, omit_defaults=True):
    """A block of thinking that its provider wants back as it was, with its seal."""

    chars: int = 0
    """How many characters of the message's `reasoning` it is; blocks follow each other."""
    signature: str = ""
    redacted: str = ""
    """What a provider hides of a block, in its own cipher; such a block has no characters."""


class ChatMessage(msgspec.Struct, frozen=True, omit_defaults=True):
    """One message of a conversation."""

    role: ChatRole
    content: str
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str = ""
    """On a tool message: which call it answers."""
    name: str = ""
    reasoning: str = ""
    """On an assistant's message: its thinking, sent back where the provider wants it."""
    thoughts: tuple[Thought, ...] = ()
    """How the thinking was cut into blocks, where the provider seals them."""


class Usage(msgspec.Struct, frozen=True, omit_defaults=True):
    """Tokens of one call. `cached_input` and `cache_write` are parts of `input`, `reasoning` is
    part of `output`: whatever a provider calls them, they are counted once."""

    input: int = 0
    output: int = 0
    cached_input: int = 0
    """Read from the provider's cache."""
    reasoning: int = 0
    cache_write: int = 0
    """Written into the provider's cache."""


class Parameters(msgspec.Struct, frozen=True, omit_defaults=True):
    """How to sample. None leaves the choice to the provider."""

    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    seed: int | None = None
    stop: tuple[str, ...] = ()
    timeout_s: float = 120.0
    """Seconds for one attempt, from sending to the last byte."""


class ModelRequest(msgspec.Struct, frozen=True):
    """One call: the whole conversation, the tools on offer, how to sample."""

    messages: tuple[ChatMessage, ...]
    tools: tuple[ToolSchema, ...] = ()
    parameters: Parameters = Parameters()


class Completion(msgspec.Struct, frozen=True):
    """What a model answered."""

    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    finish_reason: str = "stop"
    """`stop`, `tool_calls`, `length`, `content_filter` or the provider's own word."""
    usage: Usage = Usage()
    cost_usd: float | None = None
    """None where no price is known; never guessed as 0."""
    model: str = ""
    """The model's name as the provider gives it back."""
    first_token_us: int | None = None
    """Microseconds from sending to the first token; None when not streamed."""
    reasoning: str = ""
    """Thinking text where the provider returns it apart from the answer."""
    thoughts: tuple[Thought, ...] = ()
    """The blocks of `reasoning`, where the provider wants them back with their seals."""
    connection: str = ""
    """Which connection of a fallback chain answered; "" where there was only one to ask."""
    instead_of: str = ""
    """Why it was not the one before it in the chain; "" where the first one answered."""


OnChunk = Callable[[str], None]
"""Called with each new piece of text while it streams."""
OnRetry = Callable[[Exception, float], None]
"""Called before a retry with the error and the pause in seconds; also where a call waits for its
connection's limits, and where another connection is asked."""


@runtime_checkable
class Model(Protocol):
    """A model one can talk to. Safe to share between runs of one event loop."""

    @property
    def name(self) -> str:
        """The model's name, as it is recorded."""
        ...

    async def complete(
        self,
        request: ModelRequest,
        *,
        on_chunk: OnChunk | None = None,
        on_retry: OnRetry | None = None,
    ) -> Completion:
        """Answer a request.

        With `on_chunk` the answer streams. Retries (429, 5xx, broken connections) happen inside.

        Raises:
            ProviderError: the provider failed, refused, or did not answer in time.
        """
        ...

    async def aclose(self) -> None:
        """Give back connections."""
        ...


def request_key(request: ModelRequest) -> Sequence[Any]:
    """What makes two requests the same: messages, tools and sampling, without ids and times."""
    return (request.messages, request.tools, request.parameters)
