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
    source: str = ""
    """Where the answer comes from if not from the model: `replay:<seq>` or `person:<name>`."""


class LlmFailed(Payload, frozen=True, tag="llm.failed"):
    """One attempt failed. With `will_retry` the span goes on, else it ends here."""

    error: str
    status: int | None = None
    will_retry: bool = False
    retry_in_s: float = 0.0
