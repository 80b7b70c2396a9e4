"""Files that a task brings: beside it, or in a cache of what OSWorld would download."""

from __future__ import annotations

import os
import re
import uuid
from pathlib import Path
from urllib.parse import unquote, urlsplit

from aworld.errors import ConfigurationError

CACHE = "AWORLD_OSWORLD_CACHE"
"""Variable with the folder of downloaded files, in OSWorld's layout `<task id>/<name>`."""
_LEVELS = 4
_FOLDER_NAME = re.compile(r"[\w-][\w. -]{0,199}")
"""A task's id that leads nowhere else."""


class TaskFiles:
    """Finds a task's files on this machine. Nothing is downloaded."""

    def __init__(self, folder: str, task_id: str) -> None:
        self._folder = Path(folder) if folder else None
        self._task_id = task_id

    def local(self, path: str) -> Path:
        """A file beside the task.

        Raises:
            ConfigurationError: it is not there, or lies outside the task's folder.
        """
        if self._folder is None:
            raise ConfigurationError(f"The task has no folder to look for {path!r} in.")
        root = self._folder.resolve()
        found = (root / path).resolve()
        if not found.is_relative_to(root):
            raise ConfigurationError(
                f"{path!r} lies outside the task's folder {str(root)!r}, which is not allowed."
            )
        if not found.is_file():
            raise ConfigurationError(f"{path!r} is not in the task's folder {str(root)!r}.")
        return found

    def downloaded(self, url: str, name: str) -> Path:
        """A file that the task names by URL: in a cache under OSWorld's names, or, where the URL
        has no host, beside the task.

        Raises:
            ConfigurationError: it is not there; the text says where it is looked for.
        """
        parts = urlsplit(url)
        if parts.scheme in ("", "file") and not parts.netloc:
            return self.local(unquote(parts.path).lstrip("/") if parts.scheme else url)
        if not _FOLDER_NAME.fullmatch(self._task_id):
            raise ConfigurationError(
                f"The task's id {self._task_id!r} is no name for a folder of downloaded files."
            )
        base = os.path.basename(name)
        names = (f"{uuid.uuid5(uuid.NAMESPACE_URL, url)}_{base}", base)
        for cache in self._caches():
            for folder in (cache / self._task_id, cache):
                for candidate in names:
                    if (folder / candidate).is_file():
                        return folder / candidate
        raise ConfigurationError(
            f"{url!r} is not downloaded: put it as {names[0]!r} into "
            f"'cache/{self._task_id}' near the task, or below the folder that {CACHE} names."
        )

    def _caches(self) -> list[Path]:
        named = os.environ.get(CACHE)
        caches = [Path(named)] if named else []
        if self._folder is not None:
            root = self._folder.resolve()
            caches += [folder / "cache" for folder in (root, *root.parents[:_LEVELS])]
        return caches
