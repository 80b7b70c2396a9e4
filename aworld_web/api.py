"""The HTTP API: every app's router, one log-in, one shape of error."""

from __future__ import annotations

import logging

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from ninja import NinjaAPI
from ninja.errors import AuthenticationError, HttpError, ValidationError
from ninja.security import SessionAuth
from ninja.utils import check_csrf

from apps.accounts.api import router as accounts
from apps.agents.api import router as agents
from apps.agents.breakpoints_api import router as breakpoints
from apps.agents.mcp_api import router as mcp_servers
from apps.agents.tools_api import router as tools
from apps.runs.api import router as runs
from apps.runs.debugging_api import router as debugging
from apps.runs.suite_runs import router as suite_runs
from apps.runs.tool_calls_api import router as tool_calls
from apps.runs.world_at import router as worlds
from apps.shell.api import router as shell
from apps.shell.json_bodies import JsonBodies
from apps.shell.refusals import Forbidden, Refusal
from apps.shell.responses import refusal_response
from apps.shell.selectors import product_version
from apps.shell.surroundings import explained
from apps.tasks.api import router as tasks
from apps.tasks.environments_api import router as environments
from apps.tasks.episodes_api import router as episodes
from aworld.errors import AWorldError, ConfigurationError, NotFound, ProviderError, StoreError

log = logging.getLogger(__name__)


class Session(SessionAuth):
    """The session's cookie; what changes something also needs the CSRF token."""

    def _get_key(self, request: HttpRequest) -> str | None:
        if check_csrf(request) is not None:
            raise Forbidden(
                _(
                    "The request has no valid CSRF token, so it was not carried out. Reload the "
                    "page; a program sends the cookie 'csrftoken' back as the header X-CSRFToken."
                )
            )
        return request.COOKIES.get(self.param_name)


api = NinjaAPI(
    title="AWorld",
    version=product_version(),
    description="Teams of agents, their runs and the events of these.",
    urls_namespace="api",
    auth=Session(),
    parser=JsonBodies(),
)


@api.exception_handler(Refusal)
def refused(request: HttpRequest, refusal: Refusal) -> HttpResponse:
    """A service said no."""
    return refusal_response(refusal.message, refusal.status, refusal.extra)


_STATUS: tuple[tuple[type[AWorldError], int], ...] = (
    (NotFound, 404),
    (StoreError, 409),
    (ConfigurationError, 422),
    (ProviderError, 502),
)


@api.exception_handler(AWorldError)
def library_error(request: HttpRequest, error: AWorldError) -> HttpResponse:
    """The library said no; its messages are written for people."""
    status = next((status for kind, status in _STATUS if isinstance(error, kind)), 500)
    if status == 500:
        log.error("%s %s failed", request.method, request.path, exc_info=error)
    return refusal_response(str(error), status, {"error": type(error).__name__})


@api.exception_handler(ValidationError)
def invalid(request: HttpRequest, error: ValidationError) -> HttpResponse:
    """What was sent does not have the right form."""
    problems = [
        {"where": ".".join(str(part) for part in one["loc"][1:]), "message": str(one["msg"])}
        for one in error.errors
    ]
    first = problems[0] if problems else {"where": "", "message": ""}
    message = _("The request cannot be read: %(where)s: %(message)s") % {
        "where": repr(first["where"] or "body"),
        "message": first["message"],
    }
    return refusal_response(message, 422, {"problems": problems})


@api.exception_handler(AuthenticationError)
def not_logged_in(request: HttpRequest, error: AuthenticationError) -> HttpResponse:
    """No session."""
    message = _("You are not logged in. Open /login, or the link that 'aworld up' printed.")
    return refusal_response(message, 401, {"login": "/login"})


@api.exception_handler(HttpError)
def http_error(request: HttpRequest, error: HttpError) -> HttpResponse:
    """What the framework itself refuses; where our parser did, in its words."""
    if isinstance(error.__cause__, Refusal):
        return refused(request, error.__cause__)
    return refusal_response(error.message, error.status_code)


@api.exception_handler(Http404)
def missing(request: HttpRequest, error: Http404) -> HttpResponse:
    """No such object."""
    return refusal_response(str(error) or _("There is no such thing."), 404)


@api.exception_handler(Exception)
def fault(request: HttpRequest, error: Exception) -> HttpResponse:
    """A fault of ours, or of the machine: the log gets the traceback, the browser one sentence."""
    log.error("%s %s failed", request.method, request.path, exc_info=error)
    if around := explained(error):
        return refusal_response(around, 503, {"error": type(error).__name__})
    message = _("The server failed: %(error)s. Its log has the details.") % {
        "error": type(error).__name__
    }
    return refusal_response(message, 500, {"error": type(error).__name__})


for _router in (
    shell,
    agents,
    tools,
    breakpoints,
    tasks,
    environments,
    episodes,
    runs,
    debugging,
    suite_runs,
    tool_calls,
    worlds,
    mcp_servers,
    accounts,
):
    api.add_router("", _router)
