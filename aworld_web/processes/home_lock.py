"""One parent a data folder: the lock, and where the running parent's services are reached."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import TracebackType
from typing import IO

import msgspec

from aworld.errors import ConfigurationError
from aworld_web.processes import report

__all__ = ["HomeLock", "Services", "read_services", "write_services"]

SERVICES = "services.json"


class Services(msgspec.Struct, frozen=True):
    """What other commands of the same user need to reach the running parent's services."""

    redis_url: str
    local_model_url: str


class HomeLock:
    """Held while a parent runs; the kernel lets it go with the process, however it ends."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._file: IO[str] | None = None

    def __enter__(self) -> HomeLock:
        """Raises ConfigurationError where the folder cannot be used or another parent has it."""
        try:
            self._home.mkdir(parents=True, exist_ok=True)
            self._file = open(self._home / "up.lock", "a", encoding="utf-8")  # noqa: SIM115
        except OSError as fault:
            raise ConfigurationError(
                f"The data folder {str(self._home)!r} cannot be written: {fault.strerror}. "
                "Make room there, or choose another folder with AWORLD_HOME."
            ) from fault
        if not _lock(self._file):
            self._file.close()
            other = report.read(self._home)
            where = f" at {other.parent.url} (process {other.parent.pid})" if other else ""
            raise ConfigurationError(
                f"AWorld is running already for the data folder {str(self._home)!r}{where}. "
                "Open that page, end it with Ctrl-C where it was started, or choose another "
                "folder with AWORLD_HOME."
            )
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        (self._home / SERVICES).unlink(missing_ok=True)
        if self._file is not None:
            self._file.close()


def _lock(file: IO[str]) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def write_services(home: Path, services: Services) -> None:
    """Keep them for this user's eyes only: the URL holds a password."""
    handle = os.open(home / SERVICES, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with open(handle, "wb") as file:
        file.write(msgspec.json.encode(services))


def read_services(home: Path) -> Services | None:
    """What the running parent offers, or None."""
    try:
        return msgspec.json.decode((home / SERVICES).read_bytes(), type=Services)
    except (OSError, msgspec.DecodeError):
        return None
