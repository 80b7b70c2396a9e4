"""The shells of an event loop: one for each workspace."""

from __future__ import annotations

import asyncio
from pathlib import Path

from aworld.sandbox import Sandbox, Surroundings
from aworld.tools.open_things import close_with, forget
from aworld.tools.shell.session import ShellSession

NAME = "shell"
_open: dict[tuple[asyncio.AbstractEventLoop, str], ShellSession] = {}


async def session_of(sandbox: Sandbox, workspace: str, around: Surroundings) -> ShellSession:
    """The workspace's shell in the running loop; it ends with the workspace's run. Where other
    hosts are allowed than before, a new one takes its place."""
    key = asyncio.get_running_loop(), workspace
    for stale in [known for known in _open if known[0].is_closed()]:
        del _open[stale]
    session = _open.get(key)
    if session is not None and session.around.network != around.network:
        await close_shell(workspace)
        session = None
    if session is None:
        session = _open[key] = ShellSession(sandbox, Path(workspace), around=around)
        close_with(workspace, NAME, lambda: close_shell(workspace))
    return session


async def close_shell(workspace: str) -> None:
    """End the workspace's shell and what it started, if there is one."""
    session = _open.pop((asyncio.get_running_loop(), workspace), None)
    forget(workspace, NAME)
    if session is not None:
        await session.close()
