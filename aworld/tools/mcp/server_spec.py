"""How an MCP server is reached, read from the `mcpServers` JSON that every client uses."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import msgspec

from aworld.errors import ConfigurationError

WORKSPACE = "${workspace}"
"""In a command, its arguments, environment or folder: the folder of the run that calls."""
MOST_NAME = 32
"""Characters of a server's name, which is a part of its tools' names."""

_VARIABLE = re.compile(r"\$\{env:([A-Za-z_][A-Za-z0-9_]*)\}")
_HEADER_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+\Z")
_WAYS = {
    "": "",
    "stdio": "stdio",
    "http": "http",
    "streamable-http": "http",
    "streamable_http": "http",
    "streamablehttp": "http",
}


class ServerSpec(msgspec.Struct, frozen=True, kw_only=True):
    """One server: a command that is started, or an address. Never printed with its secrets."""

    name: str
    command: str = ""
    args: tuple[str, ...] = ()
    env: dict[str, str] = {}
    """Added to HOME, PATH and a few others; nothing else of our environment is passed on."""
    cwd: str = ""
    url: str = ""
    headers: dict[str, str] = {}
    timeout_s: float = 60.0
    """Seconds of a call without an answer or a sign of progress."""
    longest_s: float = 600.0
    """Seconds of a call, progress or not."""
    start_s: float = 60.0
    """Seconds until it must have said what it offers; a first start may download a package."""
    tools: tuple[str, ...] | None = None
    """The server's own names of the tools that agents may be given; None means all."""
    each_run: bool = False
    """Whether every run has a server of its own rather than sharing one."""

    def __repr__(self) -> str:
        return f"ServerSpec({self.name!r}, {self.address!r})"

    @property
    def address(self) -> str:
        """The command's or the server's name, without arguments, path and query."""
        if self.command:
            return self.command
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{parts.netloc}{parts.path}"

    @property
    def own_for_each_run(self) -> bool:
        """Whether runs must not share it: asked for, or because it works in the run's folder."""
        texts = (self.command, self.cwd, *self.args, *self.env.values())
        return self.each_run or any(WORKSPACE in text for text in texts)

    def fingerprint(self) -> str:
        """Differs where anything differs; tells nothing of the secrets."""
        return hashlib.sha256(msgspec.msgpack.encode(self)).hexdigest()


class Reading(NamedTuple):
    """What was found in a pasted text or a file."""

    servers: list[ServerSpec]
    ignored: list[str]
    """Fields that other clients know and this one does not, as `server.field`."""


def read_servers(config: Any) -> Reading:
    """The servers of `{"mcpServers": {name: {...}}}`, or of the mapping below that key.

    Raises:
        ConfigurationError: it has another form, or one of the servers cannot be used.
    """
    if not isinstance(config, Mapping):
        raise ConfigurationError(
            'MCP servers are an object {"mcpServers": {name: {"command": …} or {"url": …}}}, not '
            f"{type(config).__name__}."
        )
    found = config.get("mcpServers", config.get("servers", config))
    if isinstance(found, Mapping) and ({"command", "url"} & set(found)) and not _nested(found):
        raise ConfigurationError(
            'This server has no name. Write {"mcpServers": {"name": {"command": …}}}.'
        )
    if not isinstance(found, Mapping) or not all(isinstance(v, Mapping) for v in found.values()):
        raise ConfigurationError(
            'Under "mcpServers" each server is an object with a "command" or a "url".'
        )
    servers: list[ServerSpec] = []
    ignored: list[str] = []
    for name, fields in found.items():
        server = read_server(str(name), fields)
        if server.name in {other.name for other in servers}:
            raise ConfigurationError(f"Two MCP servers are named {server.name!r}. Rename one.")
        servers.append(server)
        ignored += [f"{name}.{field}" for field in fields if field not in _FIELDS]
    return Reading(servers, ignored)


def read_server(name: str, fields: Mapping[str, Any]) -> ServerSpec:
    """One server of that name.

    Raises:
        ConfigurationError: a field is of the wrong type, or there is neither command nor address.
    """
    named = server_name(name)
    way = _way(named, fields)
    known = {_FIELDS[field]: value for field, value in fields.items() if field in _FIELDS}
    known.pop("", None)
    # Other clients let numbers and truths stand in an environment.
    for field in ("env", "headers"):
        if isinstance(known.get(field), Mapping):
            known[field] = {str(k): _plain(v) for k, v in known[field].items()}
    try:
        spec = msgspec.convert({**known, "name": named}, ServerSpec)
    except msgspec.ValidationError as error:
        raise ConfigurationError(f"MCP server {named!r} cannot be read: {error}.") from error
    if way == "http" or (way == "" and spec.url and not spec.command):
        _check_address(spec)
    else:
        _check_command(spec)
    if not 0 < spec.timeout_s <= 3600 or not 0 < spec.longest_s <= 86_400:
        raise ConfigurationError(f"MCP server {named!r}: a time-out is 0 to 3600 seconds.")
    return spec


def server_name(name: str) -> str:
    """The name as it can stand in a tool's: letters, digits, `-` and single `_`.

    Raises:
        ConfigurationError: nothing of it can, or it is too long.
    """
    clean = re.sub(r"__+", "_", re.sub(r"[^A-Za-z0-9_-]+", "-", name.strip())).strip("-_")
    if not clean or len(clean) > MOST_NAME:
        raise ConfigurationError(
            f"{name!r} cannot name an MCP server: use 1 to {MOST_NAME} letters, digits, `-`, `_`."
        )
    return clean


def expanded(text: str, spec: ServerSpec, workspace: str) -> str:
    """The text with `${workspace}` and `${env:NAME}` filled in.

    Raises:
        ConfigurationError: a variable is not set, or there is no workspace.
    """

    def value(match: re.Match[str]) -> str:
        if match[1] not in os.environ:
            raise ConfigurationError(
                f"MCP server {spec.name!r} wants the environment variable {match[1]!r}, which is "
                "not set where it is started."
            )
        return os.environ[match[1]]

    if WORKSPACE in text and not workspace:
        raise ConfigurationError(
            f"MCP server {spec.name!r} works in a run's folder ({WORKSPACE}), and this call "
            "belongs to no run."
        )
    return _VARIABLE.sub(value, text).replace(WORKSPACE, workspace)


def _nested(found: Mapping[str, Any]) -> bool:
    return any(isinstance(found.get(key), Mapping) for key in ("command", "url"))


def _way(name: str, fields: Mapping[str, Any]) -> str:
    given = str(fields.get("type", fields.get("transport", ""))).strip()
    if given.lower() == "sse":
        raise ConfigurationError(
            f"MCP server {name!r} has the old transport 'sse', which is not supported. Most such "
            "servers answer streamable HTTP as well: give that address, often ending in /mcp."
        )
    if given.lower() not in _WAYS:
        raise ConfigurationError(
            f"MCP server {name!r} has the type {given!r}. Types are stdio and http."
        )
    return _WAYS[given.lower()]


def _check_command(spec: ServerSpec) -> None:
    if not spec.command.strip():
        raise ConfigurationError(
            f'MCP server {spec.name!r} has neither a "command" nor a "url". Give one of them.'
        )
    if spec.url:
        raise ConfigurationError(
            f'MCP server {spec.name!r} has a "command" and a "url". Keep one of them.'
        )
    for text in (spec.command, spec.cwd, *spec.args, *spec.env, *spec.env.values()):
        if "\0" in text:
            raise ConfigurationError(f"MCP server {spec.name!r} has a NUL character in a text.")
    if any("=" in variable or not variable for variable in spec.env):
        raise ConfigurationError(f"MCP server {spec.name!r} has a variable without a usable name.")


def _check_address(spec: ServerSpec) -> None:
    try:
        parts = urlsplit(spec.url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise ConfigurationError(
            f"MCP server {spec.name!r} has the address {spec.url!r}. It must begin with http:// "
            "or https:// and name a host."
        )
    if "@" in parts.netloc:
        raise ConfigurationError(
            f"MCP server {spec.name!r} has a password in its address. Put it into a header, such "
            "as Authorization, where it is kept encrypted."
        )
    for header, value in spec.headers.items():
        if not _HEADER_NAME.match(header) or not value.isprintable() or not value.isascii():
            raise ConfigurationError(
                f"MCP server {spec.name!r} has a header {header!r} that cannot be sent: a name has "
                "letters, digits and `-`, a value has ASCII characters in one line."
            )


def _plain(value: Any) -> Any:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int | float) else value


_FIELDS = {
    **{field: field for field in ServerSpec.__struct_fields__ if field != "name"},
    "type": "",
    "transport": "",
    "serverUrl": "url",
    "httpUrl": "url",
    "eachRun": "each_run",
}
"""A field of the JSON → the spec's; "" where it is read elsewhere."""
