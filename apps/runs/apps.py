"""The app's registration."""

from __future__ import annotations

from django.apps import AppConfig


class RunsConfig(AppConfig):
    """Runs, their events, and the live connection."""

    name = "apps.runs"

    def ready(self) -> None:
        """Let searches find events."""
        from apps.runs.selectors import search_events
        from apps.shell.search import register

        register("events", search_events)
