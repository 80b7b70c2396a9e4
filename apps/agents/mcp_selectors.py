"""Reading MCP servers."""

from __future__ import annotations

import logging
import uuid
from typing import Any

import msgspec
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from apps.agents.models import McpServer
from apps.agents.sealing import unseal
from apps.shell.refusals import Missing
from aworld.errors import ConfigurationError
from aworld.tools.mcp.known_servers import KnownServer
from aworld.tools.mcp.listing import Listing, tool_names
from aworld.tools.mcp.server_spec import ServerSpec

log = logging.getLogger(__name__)


def server_get(server_id: str) -> McpServer:
    """A server.

    Raises:
        Missing: there is none.
    """
    try:
        return McpServer.objects.get(pk=uuid.UUID(str(server_id)))
    except (McpServer.DoesNotExist, ValidationError, ValueError):
        raise Missing(
            _("There is no MCP server %(id)r; it may have been deleted.") % {"id": str(server_id)}
        ) from None


def server_spec(server: McpServer) -> ServerSpec:
    """How to reach it, with its secrets, for the process that does.

    Raises:
        ConfigurationError: it cannot be decrypted.
    """
    return msgspec.json.decode(unseal(server.spec_sealed), type=ServerSpec)


def server_listing(server: McpServer) -> Listing | None:
    """What it said it offers."""
    return msgspec.json.decode(server.listing, type=Listing) if server.listing else None


def known_servers() -> list[KnownServer]:
    """Those that are switched on; one whose secrets cannot be decrypted is left out."""
    found = []
    for server in McpServer.objects.filter(enabled=True):
        try:
            found.append(KnownServer(server_spec(server), server_listing(server)))
        except ConfigurationError as error:
            log.warning("MCP server %s is left out: %s", server.name, error)
    return found


def server_fields(server: McpServer, *, in_full: bool) -> dict[str, Any]:
    """A server as it is shown: names of its variables and headers, never their values.

    `in_full` adds arguments, folder and the rest of the address, for those who may change it.
    """
    try:
        spec, problem = server_spec(server), ""
    except ConfigurationError as error:
        spec, problem = ServerSpec(name=server.name), str(error)
    listing = server_listing(server)
    fields: dict[str, Any] = {
        "id": str(server.id),
        "name": server.name,
        "way": "stdio" if spec.command or problem else "http",
        "address": "" if problem else spec.address,
        "env": sorted(spec.env),
        "headers": sorted(spec.headers),
        "each_run": spec.own_for_each_run,
        "timeout_s": spec.timeout_s,
        "enabled": server.enabled,
        "state": "failed" if problem else server.state,
        "message": problem or server.message,
        "server": listing.server if listing is not None else "",
        "protocol": listing.protocol if listing is not None else "",
        "tools": None if listing is None else _tools(spec, listing),
        "cut": listing.cut if listing is not None else False,
    }
    if in_full:
        fields |= {"command": spec.command, "args": list(spec.args), "cwd": spec.cwd}
        fields["url"] = shown_url(spec)
    return fields


HIDDEN_QUERY = "?…"
"""Stands for the part of an address that often holds a key."""


def shown_url(spec: ServerSpec) -> str:
    """The address with its query hidden."""
    base, query, _rest = spec.url.partition("?")
    return f"{base}{HIDDEN_QUERY}" if query else base


def server_list(*, in_full: bool) -> list[dict[str, Any]]:
    """All servers by name."""
    return [server_fields(server, in_full=in_full) for server in McpServer.objects.all()]


def _tools(spec: ServerSpec, listing: Listing) -> list[dict[str, Any]]:
    names = tool_names(spec.name, [tool.name for tool in listing.tools])
    return [
        {
            "name": tool.name,
            "offered_as": names[tool.name],
            "title": tool.title,
            "description": tool.description,
            "parameters": tool.parameters,
            "effect": tool.effect,
            "problem": tool.problem,
            "offered": not tool.problem and (spec.tools is None or tool.name in spec.tools),
        }
        for tool in listing.tools
    ]
