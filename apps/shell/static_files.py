"""The built pages' files, from this process."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from whitenoise.middleware import WhiteNoiseMiddleware


class StaticFiles(WhiteNoiseMiddleware):  # type: ignore[misc]
    """WhiteNoise with answers in one piece: its own are synchronous streams, which an ASGI server
    would read in a thread, chunk by chunk, and warn about."""

    @staticmethod
    def serve(static_file: Any, request: HttpRequest) -> HttpResponse:
        """One file, or the 304 that says the browser has it."""
        found = static_file.get_response(request.method, request.META)
        body = b""
        if found.file is not None:
            with found.file as file:
                body = file.read()
        response = HttpResponse(body, status=int(found.status))
        del response["Content-Type"]
        for name, value in found.headers:
            response[name] = value
        return response
