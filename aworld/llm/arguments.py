"""Arguments of a tool call that a log can keep and a tool can be given."""

from __future__ import annotations

from typing import Any

import msgspec

_encode = msgspec.msgpack.Encoder().encode


def unfit(arguments: dict[str, Any]) -> str:
    """Why decoded arguments cannot be used; "" where they can."""
    try:
        _encode(arguments)
    except OverflowError:
        return "a number has more than 64 bits; write it as text"
    except UnicodeEncodeError:
        return "a text holds half a character (a lone surrogate)"
    except RecursionError:
        return "they nest too deeply"
    return ""
