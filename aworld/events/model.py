"""`llm.*`: calls to models. A prompt is a list of references, so the log grows with the turns."""

from __future__ import annotations

from typing import Any

from aworld.events.envelope import Payload


class LlmRequested(Payload, frozen=True, tag="llm.requested"):
    """A model is called. Opens a span."""

    model: str
    context: tuple[int, ...]
    """Seqs of the events whose messages make up the prompt, in order: `node.joined` (system
    prompt and tools), `message.sent`, `llm.responded`, `tool.returned`, `tool.failed`."""
    request_hash: str
    """blake2b-128 of the whole request as sent, without ids and times."""
    parameters: dict[str, Any] = {}


class LlmResponded(Payload, frozen=True, tag="llm.responded"):
    """The model answered. Closes its span."""

    text: str
    tool_calls: tuple[dict[str, Any], ...] = ()
    """`{id, name, arguments, raw?, error?}`; arguments is None where the JSON was malformed."""
    finish_reason: str = "stop"
    input_tokens: int = 0
    output_tokens: int = 0
    cached_input_tokens: int = 0
    cost_usd: float | None = None
    model: str = ""
    first_token_us: int | None = None
    reasoning: str = ""
    reasoning_tokens: int = 0
    """Part of `output_tokens`."""
    cache_write_tokens: int = 0
    """Part of `input_tokens`, as the cached ones are."""
    thoughts: tuple[dict[str, Any], ...] = ()
    """How `reasoning` is cut into blocks that the provider wants back: `{chars, signature?,
    redacted?}`."""
    connection: str = ""
    """Which model connection of a fallback chain answered; "" without a chain."""
    instead_of: str = ""
    """Why an earlier connection of the chain did not; "" where the first one answered."""
    source: str = ""
    """Where the answer comes from if not from the model: `replay:<seq>` or `person:<name>`."""


class LlmFailed(Payload, frozen=True, tag="llm.failed"):
    """One attempt failed. With `will_retry` the span goes on, else it ends here: the call is tried
    again, waits for a limit of its connection, or goes to the next connection of a chain."""

    error: str
    status: int | None = None
    will_retry: bool = False
    retry_in_s: float = 0.0
