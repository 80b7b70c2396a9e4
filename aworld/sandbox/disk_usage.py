"""How much a workspace holds, counted by walking through it.

A quota would need a file system of its own, and the right to make one. So the folder is looked at
before, during and after a command; between two looks a command can write as much as the disk takes
in a second.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import NamedTuple

from aworld.errors import SandboxError
from aworld.sandbox.base import SandboxLimits

DEEPEST = 100
"""Folders in each other that are looked into."""
_MEGABYTE = 1024 * 1024


class FolderUsage(NamedTuple):
    """What is below a folder."""

    files: int
    """Files, folders and links."""
    used: int
    """Bytes on the disk; holes in files do not count."""
    too_deep: bool = False
    """Whether folders lie more than `DEEPEST` deep; what is in them was not counted."""
    closed: bool = False
    """Whether a folder could not be looked into, which hides what is in it."""

    @property
    def mb(self) -> int:
        """Megabytes, rounded down."""
        return self.used // _MEGABYTE


def usage_of_folder(folder: Path, *, most_files: int = 10**7) -> FolderUsage:
    """Count. Links are not followed; what disappears meanwhile is left out; counting ends once
    there are more than `most_files`."""
    files = used = 0
    too_deep = closed = False
    waiting: list[tuple[str, int]] = [(str(folder), 1)]
    while waiting and files <= most_files:
        path, depth = waiting.pop()
        try:
            with os.scandir(path) as entries:
                for entry in entries:
                    files += 1
                    if files > most_files:
                        break
                    status = entry.stat(follow_symlinks=False)
                    used += status.st_blocks * 512
                    if stat.S_ISDIR(status.st_mode):
                        if depth < DEEPEST:
                            waiting.append((entry.path, depth + 1))
                        else:
                            too_deep = True
        except PermissionError:
            closed = True
        except OSError:
            continue
    return FolderUsage(files, used, too_deep, closed)


class WorkspaceLimit:
    """The limit on a workspace while one command runs."""

    def __init__(self, folder: Path, limits: SandboxLimits, *others: Path) -> None:
        """`others` are further folders that can be written inside; they count as well.

        Raises SandboxError where the workspace holds twice what is allowed: then no command is
        started at all."""
        apart = [one for one in others if not one.is_relative_to(folder) and one.is_dir()]
        self._folders = (folder, *apart)
        self._limits = limits
        self._before = self._look()
        if self._before.mb > 2 * limits.disk_mb or self._before.files > 2 * limits.files:
            raise SandboxError(
                f"{self.refusal(self._before)}. It is too full to start anything in it."
            )

    @property
    def full(self) -> bool:
        """Whether it was over its limit when the command started, so that only deleting helps."""
        return bool(self.refusal(self._before))

    def grown(self) -> str:
        """Look again: why the command must end, or "". What was there already may stay."""
        now = self._look()
        more = now.used > self._before.used or now.files > self._before.files
        return self.refusal(now) if more else ""

    def refusal(self, usage: FolderUsage) -> str:
        """Which limit it breaks, in words."""
        if usage.mb > self._limits.disk_mb:
            return f"the workspace holds {usage.mb} MB; {self._limits.disk_mb} MB are allowed"
        if usage.files > self._limits.files:
            return f"the workspace has more than {self._limits.files} files"
        if usage.too_deep:
            return f"the workspace has folders nested more than {DEEPEST} deep"
        if usage.closed:
            return "the workspace grew while it had a folder that cannot be looked into"
        return ""

    def _look(self) -> FolderUsage:
        most = 2 * self._limits.files
        found = [usage_of_folder(folder, most_files=most) for folder in self._folders]
        return FolderUsage(
            sum(one.files for one in found),
            sum(one.used for one in found),
            any(one.too_deep for one in found),
            any(one.closed for one in found),
        )
