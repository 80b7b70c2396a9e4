"""JSON answers, encoded once by msgspec: UTF-8 as it is, struct or dict alike."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import msgspec
from django.http import HttpResponse

_encode = msgspec.json.Encoder().encode

JSON = "application/json"
PICTURES = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
"""What a browser only draws; all else is offered for saving."""


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


def file_response(name: str, media_type: str, data: bytes) -> HttpResponse:
    """A file that a tool or an environment made. Nobody here wrote it, so that a browser shows it
    only where it is a picture, and never runs anything of it."""
    shown = media_type.partition(";")[0].strip().lower()
    known = shown in PICTURES
    response = HttpResponse(data, content_type=shown if known else "application/octet-stream")
    place = "inline" if known else "attachment"
    response["Content-Disposition"] = f"{place}; filename*=UTF-8''{quote(name, safe='')}"
    response["Content-Security-Policy"] = "default-src 'none'; sandbox"
    response["X-Content-Type-Options"] = "nosniff"
    response["Cache-Control"] = "private, max-age=3600"
    return response
