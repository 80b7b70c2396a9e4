"""Writing MCP servers, and asking them what they offer. Each service makes one deciding write."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from typing import Any

import msgspec
from django.db import IntegrityError
from django.utils.translation import gettext as _

from apps.agents import mcp_selectors as selectors
from apps.agents.models import McpServer
from apps.agents.sealing import seal
from apps.shell.refusals import Conflict, Invalid
from aworld.errors import AWorldError, ConfigurationError
from aworld.events.envelope import Clock
from aworld.tools.mcp.listing import Listing
from aworld.tools.mcp.server_spec import ServerSpec, read_server, read_servers

MOST_SERVERS = 100


def server_create(name: str, fields: Mapping[str, Any]) -> McpServer:
    """Add a server.

    Raises:
        Invalid: it cannot be used as it is described.
        Conflict: the name is taken.
    """
    return _created(_read(name, fields))


def servers_import(config: Any) -> tuple[list[McpServer], list[str]]:
    """Add the servers of an `mcpServers` mapping, all or none; and the fields that were ignored.

    Raises:
        Invalid: the mapping cannot be read, or holds no server.
        Conflict: a name is taken.
    """
    try:
        reading = read_servers(config)
    except ConfigurationError as error:
        raise Invalid(str(error)) from None
    if not reading.servers:
        raise Invalid(_("There is no server in it. Paste an object with 'mcpServers'."))
    for spec in reading.servers:
        _refuse_taken(spec.name)
    return [_created(spec) for spec in reading.servers], reading.ignored


def server_update(server_id: str, name: str, fields: Mapping[str, Any]) -> McpServer:
    """Change a server. A variable or header whose value is None keeps the stored one, as does an
    address that is sent as it is shown; but not where it is another server then.

    Raises:
        Missing: no such server.
        Invalid: it cannot be used, or a secret must be entered again.
        Conflict: the name is taken.
    """
    server = selectors.server_get(server_id)
    stored = _stored(server)
    spec = _read(name, _with_secrets(stored, fields))
    spec = msgspec.structs.replace(spec, tools=stored.tools)
    if spec.name != server.name:
        _refuse_taken(spec.name)
    _write(server, name=spec.name, spec_sealed=_sealed(spec), state="untested", message="")
    return selectors.server_get(server_id)


def server_offer(server_id: str, *, enabled: bool | None, tools: Any = ...) -> McpServer:
    """Switch a server on or off, and choose which of its tools agents may be given.

    `tools` None means all; left out it stays as it is.

    Raises:
        Missing: no such server.
        ConfigurationError: it cannot be decrypted.
    """
    server = selectors.server_get(server_id)
    changes: dict[str, Any] = {} if enabled is None else {"enabled": enabled}
    if tools is not ...:
        picked = None if tools is None else tuple(sorted(set(tools)))
        spec = msgspec.structs.replace(selectors.server_spec(server), tools=picked)
        changes["spec_sealed"] = _sealed(spec)
    _write(server, **changes)
    return selectors.server_get(server_id)


def server_delete(server_id: str) -> None:
    """Remove a server; teams that name its tools show that they are missing.

    Raises:
        Missing: no such server.
    """
    selectors.server_get(server_id).delete()


def server_test(server: McpServer) -> dict[str, Any]:
    """Ask a server what it offers: `{ok, message, latency_ms}`; what it said is remembered."""
    from aworld.tools.mcp.known_servers import ask

    started = time.monotonic()
    try:
        spec = selectors.server_spec(server)
        listing = asyncio.run(ask(spec, keep=False))
    except AWorldError as error:
        _tested(server, "failed", str(error))
        return _outcome(False, str(error), started)
    _tested(server, "ok", "", listing=msgspec.json.encode(listing).decode())
    return _outcome(True, listing.server, started)


def server_listed(spec: ServerSpec, listing: Listing) -> bool:
    """Remember what a server said when a run used it; whether it is one of these."""
    server = McpServer.objects.filter(name=spec.name).first()
    if server is None:
        return False
    try:
        mine = selectors.server_spec(server)
    except ConfigurationError:
        return False
    if msgspec.structs.replace(mine, tools=None) != msgspec.structs.replace(spec, tools=None):
        return False
    said = msgspec.json.encode(listing).decode()
    if server.listing != said:
        McpServer.objects.filter(pk=server.pk, spec_sealed=server.spec_sealed).update(listing=said)
    return True


def _read(name: str, fields: Mapping[str, Any]) -> ServerSpec:
    try:
        return read_server(name, fields)
    except ConfigurationError as error:
        raise Invalid(str(error)) from None


def _created(spec: ServerSpec) -> McpServer:
    _refuse_taken(spec.name)
    if McpServer.objects.count() >= MOST_SERVERS:
        raise Invalid(
            _("There are %(most)d MCP servers. Remove one first.") % {"most": MOST_SERVERS}
        )
    try:
        return McpServer.objects.create(
            name=spec.name,
            spec_sealed=_sealed(spec),
            updated_at=Clock().now(),
        )
    except IntegrityError:
        raise _taken(spec.name) from None


def _stored(server: McpServer) -> ServerSpec:
    """What is stored of it; nothing where it cannot be decrypted, so that it is entered anew."""
    try:
        return selectors.server_spec(server)
    except ConfigurationError:
        return ServerSpec(name=server.name)


def _with_secrets(stored: ServerSpec, fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields with the stored values where None stands, or the address's hidden part.

    Raises:
        Invalid: they would go to another server than they were entered for.
    """
    filled = dict(fields)
    if filled.get("url") and filled["url"] == selectors.shown_url(stored):
        filled["url"] = stored.url
    moved = (filled.get("command") or "", filled.get("url") or "") != (stored.command, stored.url)
    for group, kept in (("env", stored.env), ("headers", stored.headers)):
        values = dict(filled.get(group) or {})
        for name, value in values.items():
            if value is not None:
                continue
            if moved or name not in kept:
                raise Invalid(
                    _(
                        "The value of %(name)r must be entered: none is stored for it with this "
                        "command or address."
                    )
                    % {"name": name}
                )
            values[name] = kept[name]
        filled[group] = values
    if selectors.HIDDEN_QUERY in (filled.get("url") or ""):
        raise Invalid(_("Write the whole address, with what stands for '?…'."))
    return filled


def _sealed(spec: ServerSpec) -> str:
    return seal(msgspec.json.encode(spec).decode())


def _write(server: McpServer, **changes: Any) -> None:
    McpServer.objects.filter(pk=server.pk).update(**changes, updated_at=Clock().now())


def _refuse_taken(name: str) -> None:
    if McpServer.objects.filter(name=name).exists():
        raise _taken(name)


def _taken(name: str) -> Conflict:
    return Conflict(
        _("There is an MCP server %(name)r already. Remove it first, or name this one otherwise.")
        % {"name": name},
        name=name,
    )


def _tested(server: McpServer, state: str, message: str, **more: Any) -> None:
    # Not over an entry that was changed meanwhile.
    McpServer.objects.filter(pk=server.pk, spec_sealed=server.spec_sealed).update(
        state=state, message=message[:4000], **more
    )


def _outcome(ok: bool, message: str, started: float) -> dict[str, Any]:
    return {
        "ok": ok,
        "message": message,
        "latency_ms": round((time.monotonic() - started) * 1000),
    }
