"""MCP servers to try the client on, as entries of `mcpServers`."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from aworld.tools.mcp.server_spec import ServerSpec, read_server

ROOT = Path(__file__).resolve().parents[2]
EVERYTHING = ROOT / "frontend/node_modules/@modelcontextprotocol/server-everything/dist/index.js"


def hand(marks: Path, *arguments: str, **fields: Any) -> ServerSpec:
    """The server written by hand; `marks` is where it remembers that it died."""
    script = str(Path(__file__).with_name("mcp_hand_server.py"))
    entry = {
        "command": sys.executable,
        "args": ["-I", "-S", script, *arguments],
        "env": {"MARKS": str(marks)},
        **fields,
    }
    return read_server("hand", entry)


def everything(*arguments: str) -> list[str]:
    """The command of the official reference server."""
    node = shutil.which("node")
    if node is None or not EVERYTHING.is_file():
        pytest.skip("Node or the front end's packages are not here: 'make setup' gets them.")
    return [node, str(EVERYTHING), *arguments]


def clock() -> ServerSpec:
    """The official server that tells the time."""
    pytest.importorskip("mcp_server_time")
    return read_server("clock", {"command": sys.executable, "args": ["-m", "mcp_server_time"]})
