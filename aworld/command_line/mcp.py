"""Offer the tools, or the recorded runs, to any MCP client.

example:
  aworld mcp                                  (stdio: what a client starts itself)
  aworld mcp --tools calculator,files --workspace ./work
  aworld mcp --http 127.0.0.1:8765            (streamable HTTP at /mcp)
  aworld mcp --runs                           (the runs of AWORLD_HOME, read-only)

A client's configuration:
  {"mcpServers": {"aworld": {"command": "aworld", "args": ["mcp"]}}}
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import logging
import sys
from collections.abc import Callable, Iterator, Mapping

from aworld import config
from aworld.errors import ConfigurationError
from aworld.tools.base import BaseTool
from aworld.tools.mcp.listing import PREFIX

NAME = "mcp"

FindTools = Callable[[], Mapping[str, BaseTool]]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "--tools", metavar="NAMES", help="these only, by commas; else all but other MCP servers'"
    )
    parser.add_argument(
        "--workspace", default="", metavar="FOLDER", help="where tools read and write files"
    )
    parser.add_argument(
        "--http", metavar="HOST:PORT", help="listen there instead of talking over stdio"
    )
    parser.add_argument("--runs", action="store_true", help="offer recorded runs, not tools")


def run(arguments: argparse.Namespace) -> int:
    """Serve until the client goes or Ctrl-C."""
    # Standard output is the wire.
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)
    address = _address(arguments.http) if arguments.http else None
    with _runs() if arguments.runs else _tools(arguments.tools) as find_tools:
        asyncio.run(_serve(arguments, address, find_tools))
    return 0


@contextlib.contextmanager
def _runs() -> Iterator[FindTools]:
    from aworld.storage.open import open_store
    from aworld.tools.mcp.run_tools import run_tools

    store = open_store(config.load())
    try:
        tools = run_tools(lambda: store, lambda run_id: "")
        yield lambda: tools
    finally:
        store.close()


@contextlib.contextmanager
def _tools(wanted: str | None) -> Iterator[FindTools]:
    from aworld.tools import registry

    picked = [name.strip() for name in (wanted or "").split(",") if name.strip()]
    if wanted is not None and not picked:
        raise ConfigurationError("--tools names no tool. Leave it out to offer all.")
    found = {name: registry.get(name) for name in picked}

    def all_of_now() -> Mapping[str, BaseTool]:
        """A file of the owner's own tools may have changed."""
        names = [name for name in registry.names() if not name.startswith(PREFIX)]
        return {name: registry.get(name) for name in names}

    yield (lambda: found) if found else all_of_now


async def _serve(
    arguments: argparse.Namespace, address: tuple[str, int] | None, find_tools: FindTools
) -> None:
    from aworld.tools.mcp.run_tools import INSTRUCTIONS
    from aworld.tools.mcp_http import serve_http
    from aworld.tools.mcp_server import ToolServer, make_server, serve_stdio, workspace_folder

    instructions = INSTRUCTIONS if arguments.runs else "Tools of AWorld; files lie in one folder."
    async with workspace_folder(arguments.workspace) as folder:
        tools = ToolServer(find_tools, folder)
        server = make_server(tools, name="aworld", instructions=instructions)
        try:
            if address is None:
                await serve_stdio(server)
            else:
                await serve_http(server, *address, ready=_say)
        finally:
            await tools.close()


def _say(address: str) -> None:
    print(f"MCP server at {address}", file=sys.stderr, flush=True)


def _address(text: str) -> tuple[str, int]:
    """Host and port; the host may be left out.

    Raises:
        ConfigurationError: it is neither, or others could reach it.
    """
    from aworld.tools.mcp_http import check_loopback

    host, _, port = text.rpartition(":")
    if not port.isdecimal() or int(port) > 65_535:
        raise ConfigurationError(f"--http takes HOST:PORT, such as 127.0.0.1:8765, not {text!r}.")
    host = host.strip("[]") or "127.0.0.1"
    check_loopback(host)
    return host, int(port)
