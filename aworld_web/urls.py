"""All addresses: the API, the log-in, the pages."""

from django.urls import include, path

from aworld_web.api import api

urlpatterns = [
    path("api/", api.urls),
    path("", include("apps.accounts.urls")),
    path("", include("apps.shell.urls")),
]

handler404 = "apps.shell.views.not_found"
handler500 = "apps.shell.views.server_error"
