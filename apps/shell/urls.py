"""The addresses of the application's pages; each is a route in the browser."""

from django.urls import path, re_path

from apps.shell import views

SECTIONS = "|".join(
    (
        "runs",
        "teams",
        "tasks",
        "tools",
        "environments",
        "settings",
        "workers",
        "benchmarks",
        "rollouts",
        "datasets",
        "training",
        "compare",
    )
)

urlpatterns = [
    path("", views.shell, name="home"),
    re_path(rf"^(?:{SECTIONS})(?:/.*)?$", views.shell, name="page"),
]
