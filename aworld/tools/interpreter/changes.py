"""Which files of a workspace a cell wrote."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import NamedTuple

MOST_FILES = 10_000
"""Files that are looked at; in a larger workspace some changes are not named."""

Look = dict[str, tuple[int, int]]
"""Time of the last change (ns) and size in bytes, by path."""


class FileSize(NamedTuple):
    """A file of the workspace."""

    path: str
    size: int


def look(workspace: Path) -> Look:
    """The files as they are; links, and folders whose names begin with a point, are left out."""
    found: Look = {}
    for folder, folders, names, descriptor in os.fwalk(workspace, follow_symlinks=False):
        folders[:] = [name for name in folders if not name.startswith(".")]
        below = os.path.relpath(folder, workspace)
        for name in names:
            try:
                status = os.stat(name, dir_fd=descriptor, follow_symlinks=False)
            except OSError:
                continue
            if stat.S_ISREG(status.st_mode):
                path = name if below == "." else f"{below}/{name}"
                found[path] = (status.st_mtime_ns, status.st_size)
        if len(found) >= MOST_FILES:
            break
    return found


def written(before: Look, after: Look) -> list[FileSize]:
    """What is new or changed, by path."""
    return [
        FileSize(path, stamp[1])
        for path, stamp in sorted(after.items())
        if before.get(path) != stamp
    ]
