"""What lies in a workspace, without following links."""

from __future__ import annotations

import os
import stat
from typing import NamedTuple

from aworld.errors import ToolError
from aworld.tools.workspace.folder import Folder

MOST_FILES = 5_000
_DEEPEST = 30


class FileState(NamedTuple):
    """What changes when a file does."""

    size: int
    mtime_ns: int


def files_below(folder: Folder) -> tuple[dict[str, FileState], bool]:
    """All files by path, and whether there were more than `MOST_FILES`; without hidden ones."""
    found: dict[str, FileState] = {}
    waiting: list[tuple[str, ...]] = [()]
    while waiting:
        parts = waiting.pop()
        for name, state in _entries(folder, parts):
            if name.startswith("."):
                continue
            inner = (*parts, name)
            if stat.S_ISDIR(state.st_mode) and len(inner) < _DEEPEST:
                waiting.append(inner)
            elif stat.S_ISREG(state.st_mode):
                if len(found) >= MOST_FILES:
                    return found, True
                found["/".join(inner)] = FileState(state.st_size, state.st_mtime_ns)
    return found, False


def _entries(folder: Folder, parts: tuple[str, ...]) -> list[tuple[str, os.stat_result]]:
    """Names with what they are, as far as they are still there."""
    found = []
    try:
        with folder.folder(parts) as descriptor:
            for name in sorted(os.listdir(descriptor)):
                try:
                    state = os.stat(name, dir_fd=descriptor, follow_symlinks=False)
                except OSError:
                    continue
                found.append((name, state))
    except ToolError:
        return []
    return found
