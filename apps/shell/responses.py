"""JSON answers, encoded once by msgspec: UTF-8 as it is, struct or dict alike."""

from __future__ import annotations

from typing import Any

import msgspec
from django.http import HttpResponse

_encode = msgspec.json.Encoder().encode

JSON = "application/json"


def json_response(data: Any, status: int = 200) -> HttpResponse:
    """An answer with `data` as its JSON."""
    return raw_json(_encode(data), status)


def raw_json(body: bytes, status: int = 200) -> HttpResponse:
    """An answer whose JSON is encoded already."""
    return HttpResponse(body, status=status, content_type=JSON)


def refusal_response(
    message: str, status: int, extra: dict[str, Any] | None = None
) -> HttpResponse:
    """The one shape of every error."""
    return json_response({"message": message, "extra": extra or {}}, status)
