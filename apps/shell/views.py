"""The pages that are not the API: the shell of the application, and the errors."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie

from apps.shell.manifest import read_entry
from apps.shell.responses import refusal_response


@never_cache
@login_required
@ensure_csrf_cookie
def shell(request: HttpRequest, *_args: str, **_kwargs: str) -> HttpResponse:
    """The application's one HTML page; the address is read in the browser."""
    entry = read_entry(settings.FRONTEND)
    if entry is None:
        return render(request, "not_built.html", {"frontend": settings.FRONTEND}, status=503)
    return render(request, "shell.html", {"entry": entry})


def _wants_json(request: HttpRequest) -> bool:
    """Whether a program asks."""
    return request.path.startswith("/api/")


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form or a request without the token of this session."""
    message = _(
        "The request has no valid CSRF token, so it was not carried out. Reload the page; a "
        "program sends the cookie 'csrftoken' back as the header X-CSRFToken."
    )
    if _wants_json(request):
        return refusal_response(message, 403, {"reason": reason})
    return render(request, "error.html", {"title": _("Not allowed"), "text": message}, status=403)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """No such address."""
    message = _("There is nothing at %(path)r.") % {"path": request.path}
    if _wants_json(request):
        return refusal_response(message, 404, {"docs": "/api/docs"})
    return render(request, "error.html", {"title": _("Not found"), "text": message}, status=404)


def server_error(request: HttpRequest) -> HttpResponse:
    """A fault of ours; the log has the rest."""
    message = _("The server failed at %(path)r. Its log has the details.") % {"path": request.path}
    if _wants_json(request):
        return refusal_response(message, 500)
    return render(request, "error.html", {"title": _("Server error"), "text": message}, status=500)
