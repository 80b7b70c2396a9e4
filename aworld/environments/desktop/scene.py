"""What getters and configuration steps work with."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

import msgspec

from aworld.environments.desktop.task_files import TaskFiles
from aworld.environments.desktop.task_format import DesktopTask
from aworld.errors import ConfigurationError
from aworld.tools.desktop.session import DesktopSession


class FileValue(msgspec.Struct, frozen=True):
    """A getter's value that is a file, in the scene's cache."""

    name: str
    part: str = ""
    """What of its content is the value: `last_row` of a spreadsheet; "" is the file itself."""


Value = Any
"""JSON, a FileValue, or a list of these."""


class Scene:
    """One episode's desktop with its task and a folder for the files that are compared."""

    def __init__(
        self, session: DesktopSession, task: DesktopTask, files: TaskFiles, cache: Path
    ) -> None:
        self.session = session
        self.task = task
        self.files = files
        self.cache = cache
        cache.mkdir(parents=True, exist_ok=True)

    async def keep(self, name: str, data: bytes) -> FileValue:
        """Put bytes into the cache under a task's name for them."""
        target = self.cache / safe_name(name)
        await asyncio.to_thread(target.write_bytes, data)
        return FileValue(target.name)

    async def fetch(self, path: str, name: str) -> FileValue | None:
        """A file of the desktop into the cache; None where there is none."""
        data = await self.session.read_file(path)
        return None if data is None else await self.keep(name, data)


def safe_name(name: str) -> str:
    """A task's name for a file, if it is one.

    Raises:
        ConfigurationError: it leads elsewhere.
    """
    if not re.fullmatch(r"[^/\\\0]{1,200}", name) or name in (".", ".."):
        raise ConfigurationError(f"{name!r} is no name for a file. Use one without folders.")
    return name
