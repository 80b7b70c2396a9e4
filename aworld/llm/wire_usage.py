"""Token counts of the OpenAI chat format, under every name that its speakers give them.

| who | what is different |
|---|---|
| OpenAI, Azure, vLLM, Ollama | cached tokens in `prompt_tokens_details`, thinking in `completion_tokens_details` |
| DeepSeek | cached tokens in `prompt_cache_hit_tokens` |
| DashScope | tokens written to its cache in `prompt_tokens_details.cache_creation_input_tokens` |
| SGLang | `reasoning_tokens` beside the totals |
| llama.cpp | cached tokens in `timings.cache_n`, where `prompt_tokens_details` is missing |
| xAI and some gateways | thinking is *not* in `completion_tokens`; the total shows it |
"""  # noqa: E501

from __future__ import annotations

import msgspec

from aworld.llm.base import Usage

MOST_TOKENS = 10**12


class _Details(msgspec.Struct, frozen=True):
    cached_tokens: float | None = None
    reasoning_tokens: float | None = None
    cache_creation_input_tokens: float | None = None


class WireTimings(msgspec.Struct, frozen=True):
    """What llama.cpp's server says beside its usage."""

    cache_n: float | None = None


class WireUsage(msgspec.Struct, frozen=True):
    """The object `usage`."""

    prompt_tokens: float | None = None
    completion_tokens: float | None = None
    total_tokens: float | None = None
    prompt_tokens_details: _Details | None = None
    completion_tokens_details: _Details | None = None
    prompt_cache_hit_tokens: float | None = None
    reasoning_tokens: float | None = None

    def usage(self, timings: WireTimings | None = None) -> Usage:
        """The counts, each token once."""
        of_input = self.prompt_tokens_details or _Details()
        of_output = self.completion_tokens_details or _Details()
        read = of_input.cached_tokens or self.prompt_cache_hit_tokens
        if not read and timings is not None:
            read = timings.cache_n
        total_in, total_out = count(self.prompt_tokens), count(self.completion_tokens)
        reasoning = count(of_output.reasoning_tokens or self.reasoning_tokens)
        if reasoning and count(self.total_tokens) == total_in + total_out + reasoning:
            total_out += reasoning
        cached = min(count(read), total_in)
        return Usage(
            input=total_in,
            output=total_out,
            cached_input=cached,
            reasoning=min(reasoning, total_out),
            cache_write=min(count(of_input.cache_creation_input_tokens), total_in - cached),
        )


def count(tokens: float | None) -> int:
    """What cannot be a count ends at its bounds: a sum of such must fit a log's 64 bits."""
    return int(max(0, min(tokens or 0, MOST_TOKENS)))
