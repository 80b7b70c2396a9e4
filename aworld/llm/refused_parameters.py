"""Parameters that a model does not take: found in its refusal, left out from then on.

Thinking models refuse `temperature`, some servers refuse `seed` or `stream_options`, and the limit
on an answer's length has two names. Which model refuses what changes with every release, so the
provider's own refusal is believed, and no list of models is kept.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

LENGTH_NAMES = ("max_tokens", "max_completion_tokens")
OPTIONAL = (
    "temperature",
    "top_p",
    "top_k",
    "seed",
    "stop",
    "stop_sequences",
    "stream_options",
    "parallel_tool_calls",
)
"""What an answer can do without. A limit on its length is renamed, never dropped."""

_NAMED = re.compile(r"[`'\"]([a-z_]+)[`'\"]")
_REFUSES = re.compile(
    r"unsupported|not support|unknown|unrecogni|not permitted|may only|deprecated|cannot both"
    r"|not allowed|extra inputs|不支持",
    re.IGNORECASE,
)


def refused_parameter(param: str, words: str) -> str:
    """Which parameter a refusal is about; "" where it is about something else."""
    if not _REFUSES.search(words):
        return ""
    named = (match.group(1) for match in _NAMED.finditer(words))
    for name in (param, *named):
        if name in OPTIONAL or name in LENGTH_NAMES:
            return name
    return ""


def without_parameter(body: Mapping[str, Any], name: str) -> dict[str, Any]:
    """The request without it; a limit on the length goes under its other name."""
    kept = {key: value for key, value in body.items() if key != name}
    if name in LENGTH_NAMES and name in body:
        other = LENGTH_NAMES[1 - LENGTH_NAMES.index(name)]
        kept.setdefault(other, body[name])
    return kept
