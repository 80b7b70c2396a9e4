"""Teams, model connections and MCP servers of the web application, for the library.

Found by `aworld.agents.catalogue` and `aworld.tools.mcp.known_servers` through the entry point
group `aworld.definitions`.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

import msgspec

from aworld import config
from aworld.tools.mcp.known_servers import KnownServer
from aworld.tools.mcp.listing import Listing
from aworld.tools.mcp.server_spec import ServerSpec

FIELDS = (
    "name", "provider", "model", "base_url", "api_key", "parameters", "price", "limits",
    "fallbacks",
)  # fmt: skip

Answer = TypeVar("Answer")

log = logging.getLogger(__name__)
_reader = ThreadPoolExecutor(1, thread_name_prefix="definitions")


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
        from apps.agents.model_selectors import model_spec_named

        spec = model_spec_named(name)
        if spec is None:
            return None
        fields = msgspec.structs.asdict(spec)
        return {key: fields[key] for key in FIELDS if fields.get(key)}

    def mcp_servers(self) -> list[KnownServer]:
        """The MCP servers that are switched on, their secrets included."""
        if not _ready():
            return []
        from django.db import DatabaseError

        from apps.agents.mcp_selectors import known_servers

        try:
            return _beside_the_loop(known_servers)
        except DatabaseError as error:
            # Other tools do not depend on it: a database of an older release, for one.
            log.warning("The MCP servers of the web application are left out: %s", error)
            return []

    def mcp_listed(self, spec: ServerSpec, listing: Listing) -> bool:
        """Remember what an MCP server offers; whether it is one of these."""
        if not _ready():
            return False
        from apps.agents.mcp_services import server_listed

        return _beside_the_loop(partial(server_listed, spec, listing))


def _beside_the_loop(read: Callable[[], Answer]) -> Answer:
    """Read here, or, where an event loop runs, in a thread: Django wants it so, and a
    millisecond is no wait."""
    from django.db import close_old_connections

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return read()

    def in_thread() -> Answer:
        close_old_connections()
        return read()

    return _reader.submit(in_thread).result()


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
