"""Large payloads as files named by their sha256, two folders deep.

A blob is whole or not there: it is written beside its place, synced, and renamed into it.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from aworld.errors import NotFound, StoreError
from aworld.storage.base import BlobInfo

_DYING = ".dying"


class BlobFolder:
    """Bytes by their sha256. Safe for several processes and threads."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def put(self, data: bytes) -> str:
        """Keep bytes durably; returns their sha256. What is there already becomes young again.

        Raises:
            StoreError: the disk is full or the folder cannot be written.
        """
        sha256 = hashlib.sha256(data).hexdigest()
        path = self._path(sha256)
        try:
            os.utime(path)
        except FileNotFoundError:
            try:
                _write_whole(path, data)
            except OSError as error:
                raise StoreError(
                    f"The blob of {len(data)} bytes cannot be written to {str(path)!r}: "
                    f"{error.strerror}; free some space or check the folder's owner."
                ) from error
        return sha256

    def get(self, sha256: str) -> bytes:
        """The bytes. Raises NotFound."""
        try:
            return self._path(sha256).read_bytes()
        except FileNotFoundError:
            raise _missing(sha256) from None

    def info(self, sha256: str) -> BlobInfo:
        """The size. Raises NotFound."""
        try:
            return BlobInfo(sha256, self._path(sha256).stat().st_size)
        except FileNotFoundError:
            raise _missing(sha256) from None

    def older_than(self, seconds: float) -> Iterator[str]:
        """The sha256 of each blob that was last put longer ago than this."""
        limit = time.time() - seconds
        for path in self._folder.glob("??/??/*"):
            with contextlib.suppress(FileNotFoundError):
                if path.stat().st_mtime > limit:
                    continue
                if len(path.name) == 64:
                    yield path.name
                else:  # Left by a writer or a sweep that was killed.
                    path.unlink()

    def remove(self, sha256: str, *, older_than_s: float) -> int:
        """Remove a blob unless someone put it again meanwhile; returns the bytes freed.

        It is moved aside before its age is looked at: a `put` at the same moment either made it
        young before the move, and it moves back, or finds nothing and writes it anew.
        """
        path = self._path(sha256)
        aside = path.with_name(sha256 + _DYING)
        try:
            os.rename(path, aside)
            found = aside.stat()
        except FileNotFoundError:
            return 0
        if found.st_mtime > time.time() - older_than_s:
            os.replace(aside, path)
            return 0
        aside.unlink()
        return found.st_size

    def _path(self, sha256: str) -> Path:
        if len(sha256) != 64 or not set(sha256) <= set("0123456789abcdef"):
            raise _missing(sha256)
        return self._folder / sha256[:2] / sha256[2:4] / sha256


def _missing(sha256: str) -> NotFound:
    return NotFound(f"There is no blob {sha256!r}: it was never put here, or was swept away.")


def _write_whole(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(prefix="new-", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)
        raise
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    """Make the new name durable. Windows cannot open folders, and needs it not."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
