"""What a process and its descendants use, read from /proc."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

_PROC = Path("/proc")
_MEGABYTE = 1024 * 1024


class TreeUsage(NamedTuple):
    """The sum over a tree of processes."""

    processes: int
    memory_mb: int
    """Memory of their own, shared memory and files that exist in memory only. What a parent and
    its forks share counts once where the system tells it, which costs some time and is asked only
    above `enough_mb`, else once for each."""


def usage_of_tree(pid: int, *, enough_mb: int = 0) -> TreeUsage:
    """Sum up. Processes that end meanwhile are left out."""
    pids = descendants(pid)
    in_memory_files = _memory_files(pids)
    resident = sum(map(_resident, pids)) + in_memory_files
    if resident // _MEGABYTE > enough_mb:
        parts = list(map(_proportional, pids))
        own = sum(own for own, _ in parts)
        # A file in memory that is mapped would count twice.
        shared = max(sum(shared for _, shared in parts), in_memory_files)
        resident = own + shared
    return TreeUsage(len(pids), resident // _MEGABYTE)


def descendants(pid: int) -> list[int]:
    """The process itself and all below it."""
    found = [pid]
    for current in found:
        with contextlib.suppress(OSError):
            for task in os.listdir(_PROC / str(current) / "task"):
                children = (_PROC / str(current) / "task" / task / "children").read_bytes()
                found.extend(map(int, children.split()))
    return found


def number_inside(pid: int) -> int:
    """The number by which a process knows itself in its innermost namespace; 0 where it is gone."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        for line in (_PROC / str(pid) / "status").read_text(encoding="utf-8").splitlines():
            if line.startswith("NSpid:"):
                return int(line.split()[-1])
    return 0


def _resident(pid: int) -> int:
    """Bytes, without pages of files on a disk."""
    return sum(_fields(_PROC / str(pid) / "status", ("RssAnon:", "RssShmem:")))


def _proportional(pid: int) -> tuple[int, int]:
    """Bytes of its own and of shared memory, each page divided by the number of processes that
    have it; all of `_resident` where the system does not tell."""
    fields = _fields(_PROC / str(pid) / "smaps_rollup", ("Pss_Anon:", "Pss_Shmem:"))
    return (fields[0], fields[1]) if len(fields) == 2 else (_resident(pid), 0)


def _fields(file: Path, names: tuple[str, ...]) -> list[int]:
    """Values of a file of /proc that are given in kB, as bytes; none where it is gone."""
    try:
        lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []
    return [int(line.split()[1]) * 1024 for line in lines if line.startswith(names)]


def _memory_files(pids: Iterable[int]) -> int:
    """Bytes of files that exist in memory only (memfd) and that some process has open."""
    sizes: dict[tuple[int, int], int] = {}
    for pid in pids:
        folder = f"{_PROC}/{pid}/fd"
        with contextlib.suppress(OSError):
            for descriptor in os.listdir(folder):
                with contextlib.suppress(OSError):
                    if os.readlink(f"{folder}/{descriptor}").startswith("/memfd:"):
                        status = os.stat(f"{folder}/{descriptor}")
                        sizes[status.st_dev, status.st_ino] = status.st_blocks * 512
    return sum(sizes.values())
