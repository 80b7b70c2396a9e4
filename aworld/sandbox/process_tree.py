"""What a process and its descendants use, read from /proc."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import NamedTuple

_PROC = Path("/proc")
_MEGABYTE = 1024 * 1024


class TreeUsage(NamedTuple):
    """The sum over a tree of processes."""

    processes: int
    memory_mb: int
    """Memory of their own. What a parent and its forks share counts once where the system tells
    it, which costs some time and is asked only above `enough_mb`, else once for each."""


def usage_of_tree(pid: int, *, enough_mb: int = 0) -> TreeUsage:
    """Sum up. Processes that end meanwhile are left out."""
    pids = _descendants(pid)
    megabytes = sum(map(_resident, pids)) // _MEGABYTE
    if megabytes > enough_mb:
        megabytes = sum(_proportional(pid) or _resident(pid) for pid in pids) // _MEGABYTE
    return TreeUsage(len(pids), megabytes)


def _descendants(pid: int) -> list[int]:
    """The process itself and all below it."""
    found = [pid]
    for current in found:
        with contextlib.suppress(OSError):
            for task in os.listdir(_PROC / str(current) / "task"):
                children = (_PROC / str(current) / "task" / task / "children").read_bytes()
                found.extend(map(int, children.split()))
    return found


def _resident(pid: int) -> int:
    """Bytes, without pages of files."""
    try:
        fields = (_PROC / str(pid) / "statm").read_bytes().split()
        return (int(fields[1]) - int(fields[2])) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return 0


def _proportional(pid: int) -> int:
    """Bytes, each page divided by the number of processes that have it; 0 where it is not told."""
    try:
        rollup = (_PROC / str(pid) / "smaps_rollup").read_text(encoding="ascii")
        (line,) = (line for line in rollup.splitlines() if line.startswith("Pss_Anon:"))
        return int(line.split()[1]) * 1024
    except (OSError, ValueError):
        return 0
