"""Teams and model connections of the web application, for `aworld run` and scripts.

Found by `aworld.agents.catalogue` through the entry point group `aworld.definitions`.
"""

from __future__ import annotations

import os
from typing import Any

import msgspec

from aworld import config

FIELDS = ("name", "provider", "model", "base_url", "api_key", "parameters", "price")


class WebDefinitions:
    """Reads the definitions of AWORLD_HOME; gives None where there is no web application's data."""

    def find_team(self, name: str) -> dict[str, Any] | None:
        """A team's definition."""
        if not _ready():
            return None
        from apps.agents.models import Team

        team = Team.objects.filter(name=name).first()
        return dict(team.definition) if team is not None else None

    def find_model(self, name: str) -> dict[str, Any] | None:
        """A model connection, its key included."""
        if not _ready():
            return None
        from apps.agents.selectors import model_spec_named

        spec = model_spec_named(name)
        if spec is None:
            return None
        fields = msgspec.structs.asdict(spec)
        return {key: fields[key] for key in FIELDS if fields.get(key)}


def _ready() -> bool:
    """Django set up over data that is there; nothing is made by looking."""
    settings = config.load()
    if not settings.mongodb_uri and not (settings.home / "web.sqlite3").is_file():
        return False
    from django.apps import apps

    if not apps.ready:
        import django

        from aworld_web.processes.site import put_on_path

        put_on_path()
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "aworld_web.settings")
        # Read once, from a command's own thread: there is no loop to block.
        os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        django.setup()
    return True


definitions = WebDefinitions()
