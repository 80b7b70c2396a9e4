"""`/api/session`, `/api/search`."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from ninja import Router

from apps.shell import search as providers
from apps.shell import selectors
from apps.shell.responses import json_response
from apps.shell.schemas import SearchOut, SessionOut

router = Router(tags=["shell"])


@router.get(
    "/session",
    response=SessionOut,
    auth=None,
    summary="Who is logged in, and how far the set-up is",
)
def session(request: HttpRequest) -> HttpResponse:
    """Open to everyone; sets the cookie with the CSRF token."""
    get_token(request)
    return json_response(selectors.session(request))


@router.get("/search", response=SearchOut, summary="Events that contain a text")
def search(request: HttpRequest, q: str, limit: int = 50) -> HttpResponse:
    """`{hits, indexed}`; `indexed` is false while some events are not searchable yet."""
    found = providers.search(q.strip(), max(1, min(limit, 200)))
    return json_response({"hits": found.hits, "indexed": found.indexed})
