"""Which MCP servers agents can use: those of files, and those of the web application.

A server stands under `mcpServers` in the current folder's config.yaml, in `mcp.json` of
AWORLD_HOME, or is kept by an object of the entry point group `aworld.definitions`; the first of
these that has a name has it. What a server of a file offers is asked once and remembered in
AWORLD_HOME until its entry changes.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import json
import logging
import os
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import msgspec

from aworld import config
from aworld.errors import ConfigurationError
from aworld.tools.mcp.connections import connections
from aworld.tools.mcp.listing import Listing, server_of
from aworld.tools.mcp.server_spec import ServerSpec, read_servers
from aworld.tools.mcp.tool import McpTool, offered_tools

GROUP = "aworld.definitions"
FILE = "mcp.json"
REMEMBERED = "mcp_listings"

log = logging.getLogger(__name__)


class KnownServer(msgspec.Struct, frozen=True):
    """A server, and what it said it offers; None where it was not asked yet."""

    spec: ServerSpec
    listing: Listing | None = None


@runtime_checkable
class KeepsServers(Protocol):
    """Where somebody keeps MCP servers, beside teams and models."""

    def mcp_servers(self) -> list[KnownServer]:
        """Those that are switched on, with their secrets."""
        ...

    def mcp_listed(self, spec: ServerSpec, listing: Listing) -> bool:
        """Remember what a server offers; whether it is one of those kept here."""
        ...


def known_servers() -> dict[str, KnownServer]:
    """All servers by name.

    Raises:
        ConfigurationError: a file has a server that cannot be used.
    """
    found = {name: KnownServer(spec, _remembered(spec)) for name, spec in _in_files().items()}
    return found | {name: kept for name, kept in _kept().items() if name not in found}


def known_tools() -> dict[str, McpTool]:
    """The tools of all servers that were asked already; starts none, reads past a bad file."""
    try:
        servers = known_servers()
    except ConfigurationError as error:
        log.warning("The MCP servers of files are left out: %s", error)
        servers = _kept()
    tools: dict[str, McpTool] = {}
    for server in servers.values():
        if server.listing is not None:
            tools.update(offered_tools(server.spec, server.listing))
    return tools


def find_tool(name: str) -> McpTool:
    """A tool of a server by its name here; the server is asked where it was not before.

    Raises:
        ConfigurationError: there is no such server or tool, or the server cannot be reached.
    """
    wanted = server_of(name)
    servers = known_servers()
    server = servers.get(wanted)
    if server is None:
        known = ", ".join(sorted(servers)) or "none"
        raise ConfigurationError(
            f"There is no MCP server {wanted!r}, whose tool {name!r} would be. Add it under "
            f"Settings, or under mcpServers in config.yaml. Servers are: {known}."
        )
    listing = server.listing if server.listing is not None else list_tools(server.spec)
    tools = offered_tools(server.spec, listing)
    if name not in tools:
        offered = ", ".join(tools) or "none"
        raise ConfigurationError(
            f"MCP server {wanted!r} has no tool {name!r} for agents. It offers: {offered}."
        )
    return tools[name]


def ask_servers_of(tool_names: Iterable[str]) -> None:
    """Ask those servers that the names are of and that were not asked before.

    Raises:
        ConfigurationError: one of them cannot be reached.
    """
    wanted = {server_of(name) for name in tool_names} - {""}
    if not wanted:
        return
    for name, server in known_servers().items():
        if name in wanted and server.listing is None:
            list_tools(server.spec)


def mcp_tools(servers: Mapping[str, Any] | str | Path) -> list[McpTool]:
    """The tools of the servers in an `mcpServers` mapping, or in a JSON file, for an `Agent`.

    Each server is started, asked and ended again.

    Raises:
        ConfigurationError: the mapping cannot be read, or a server cannot be reached.
    """
    plain = servers if isinstance(servers, Mapping) else _read_json(Path(servers))
    return [
        tool
        for spec in read_servers(plain).servers
        for tool in offered_tools(spec, list_tools(spec)).values()
    ]


def list_tools(spec: ServerSpec) -> Listing:
    """Ask a server what it offers, from synchronous code; it is ended again.

    Raises:
        ConfigurationError: it cannot be reached, or works in a run's folder that is not there.
    """
    from aworld.errors import ToolError

    # In a thread of its own: the caller's may have a loop that runs.
    with ThreadPoolExecutor(1, thread_name_prefix="mcp-listing") as pool:
        try:
            return pool.submit(asyncio.run, ask(spec)).result()
        except ToolError as error:
            raise ConfigurationError(str(error)) from error


async def ask(spec: ServerSpec, *, keep: bool = True) -> Listing:
    """Ask a server what it offers, and end it; `keep` has the answer remembered.

    Raises:
        ToolError: it cannot be reached.
    """
    from tempfile import TemporaryDirectory

    from aworld.tools.mcp.connection import Connection

    def listed(listing: Listing) -> None:
        if keep:
            remember(spec, listing)

    with TemporaryDirectory(prefix="aworld-mcp-") as folder:
        connection = Connection(spec, folder if spec.own_for_each_run else "", listed)
        try:
            return await connection.listing()
        finally:
            await connection.close()


def remember(spec: ServerSpec, listing: Listing) -> None:
    """Keep what a server offers, where it is kept itself or else in AWORLD_HOME."""
    if any(keeper.mcp_listed(spec, listing) for keeper in _keepers()):
        return
    file = _remembered_file(spec)
    fresh = msgspec.json.encode(listing)
    with contextlib.suppress(OSError):
        if file.is_file() and file.read_bytes() == fresh:
            return
        file.parent.mkdir(parents=True, exist_ok=True)
        draft = file.with_suffix(f".{os.getpid()}")
        draft.write_bytes(fresh)
        draft.replace(file)


def _remembered(spec: ServerSpec) -> Listing | None:
    try:
        return msgspec.json.decode(_remembered_file(spec).read_bytes(), type=Listing)
    except (OSError, msgspec.MsgspecError):
        return None


def _remembered_file(spec: ServerSpec) -> Path:
    # Which tools are picked does not change what is offered.
    asked = msgspec.structs.replace(spec, tools=None)
    return config.load().home / REMEMBERED / f"{asked.fingerprint()}.json"


def _in_files() -> dict[str, ServerSpec]:
    home = config.load().home / FILE
    found = read_servers(_read_json(home)).servers if home.is_file() else []
    return {spec.name: spec for spec in (*found, *_in_settings(Path.cwd()))}


def _kept() -> dict[str, KnownServer]:
    return {server.spec.name: server for keeper in _keepers() for server in keeper.mcp_servers()}


def _in_settings(folder: Path) -> Iterator[ServerSpec]:
    import yaml

    try:
        text = (folder / "config.yaml").read_text(encoding="utf-8")
    except OSError:
        return
    if "mcpServers" not in text:
        return
    try:
        plain = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise ConfigurationError(f"{str(folder / 'config.yaml')!r} is no YAML: {error}") from error
    found = plain.get("mcpServers") if isinstance(plain, dict) else None
    if found:
        yield from read_servers({"mcpServers": found}).servers


def _read_json(file: Path) -> Any:
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise ConfigurationError(f"File {str(file)!r} cannot be read: {error}") from error


@functools.cache
def _keepers() -> tuple[KeepsServers, ...]:
    loaded = (point.load() for point in entry_points(group=GROUP))
    return tuple(keeper for keeper in loaded if isinstance(keeper, KeepsServers))


connections.tell(remember)
