"""The app's registration."""

from django.apps import AppConfig


class ShellConfig(AppConfig):
    """Session, set-up state and pages."""

    name = "apps.shell"
