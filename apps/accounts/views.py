"""The one-time link, logging in and logging out."""

from __future__ import annotations

from django.contrib.auth import login
from django.contrib.auth.views import LoginView, LogoutView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from apps.accounts import services
from apps.shell.refusals import Forbidden


class LogIn(LoginView):
    """User name and password."""

    template_name = "login.html"
    redirect_authenticated_user = True


class LogOut(LogoutView):
    """Ends the session; POST only."""


@never_cache
@require_GET
def enter(request: HttpRequest) -> HttpResponse:
    """`/enter?token=…&next=/runs/…`: logs in once, then goes on."""
    target = request.GET.get("next", "/")
    if not url_has_allowed_host_and_scheme(target, allowed_hosts=None):
        target = "/"
    if request.user.is_authenticated:
        return redirect(target)
    try:
        user = services.enter_with_token(request, request.GET.get("token", ""))
    except Forbidden as refusal:
        context = {"title": _("This link does not open"), "text": refusal.message}
        return render(request, "error.html", context, status=403)
    login(request, user, backend="django.contrib.auth.backends.ModelBackend")
    return redirect(target)
