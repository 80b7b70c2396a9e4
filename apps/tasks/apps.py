"""The app's registration."""

from django.apps import AppConfig


class TasksConfig(AppConfig):
    """Tasks."""

    name = "apps.tasks"
