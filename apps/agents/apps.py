"""The app's registration."""

from django.apps import AppConfig


class AgentsConfig(AppConfig):
    """Teams and model connections."""

    name = "apps.agents"
