"""Keeps the browser from eating the machine: the page that uses the most memory is ended, and the
whole browser where it fills the disk with downloads."""

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
MOST_DISK_MB = 1024
"""Downloads that runs have not fetched yet."""
_WATCH_S = 0.5


async def watch(
    pid: int, downloads: Path, *, most_mb: int = MOST_MB, most_disk_mb: int = MOST_DISK_MB
) -> None:
    """Look at the browser twice a second until it has ended; for Linux, elsewhere it returns."""
    while sys.platform == "linux" and runs(pid):
        if usage_of_tree(pid, enough_mb=most_mb).memory_mb > most_mb:
            _end_heaviest_page(pid)
        if _size_mb(downloads) > most_disk_mb:
            _end(pid)
        await asyncio.sleep(_WATCH_S)


def runs(pid: int) -> bool:
    """Whether a process runs; one that has ended and that nobody asked after does not."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[:1] != ["Z"]


def _size_mb(folder: Path) -> int:
    total = 0
    for name in os.listdir(folder) if folder.exists() else ():
        with contextlib.suppress(OSError):
            total += (folder / name).lstat().st_size
    return total // 1024**2


def _end(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, signal.SIGKILL)


def _end_heaviest_page(pid: int) -> None:
    pages = [child for child in descendants(pid) if _is_page(child)]
    if pages:
        _end(max(pages, key=_resident))


def _is_page(pid: int) -> bool:
    with contextlib.suppress(OSError):
        return b"--type=renderer" in Path(f"/proc/{pid}/cmdline").read_bytes()
    return False


def _resident(pid: int) -> int:
    with contextlib.suppress(OSError, IndexError):
        return int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    return 0
