"""Keeps the browser from eating the machine: the page that uses the most memory is ended."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from pathlib import Path

from aworld.sandbox.process_tree import descendants, usage_of_tree

MOST_MB = 4096
"""Memory of the browser with all its pages."""
_WATCH_S = 0.5


async def watch(pid: int, most_mb: int = MOST_MB) -> None:
    """Look at the browser twice a second until it has ended; for Linux, elsewhere it returns."""
    while sys.platform == "linux" and Path(f"/proc/{pid}").exists():
        if usage_of_tree(pid, enough_mb=most_mb).memory_mb > most_mb:
            _end_heaviest_page(pid)
        await asyncio.sleep(_WATCH_S)


def _end_heaviest_page(pid: int) -> None:
    pages = [child for child in descendants(pid) if _is_page(child)]
    if pages:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(max(pages, key=_resident), signal.SIGKILL)


def _is_page(pid: int) -> bool:
    with contextlib.suppress(OSError):
        return b"--type=renderer" in Path(f"/proc/{pid}/cmdline").read_bytes()
    return False


def _resident(pid: int) -> int:
    with contextlib.suppress(OSError, IndexError):
        return int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    return 0
