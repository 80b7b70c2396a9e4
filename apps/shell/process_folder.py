"""A folder of the data folder that belongs to one web process, for what ends with it."""

from __future__ import annotations

import os
import shutil
import socket
from pathlib import Path

from django.conf import settings


def process_folder(name: str) -> Path:
    """`<AWORLD_HOME>/<name>/<host>-<pid>`; those of this host's processes that were killed are
    removed. It is made by whoever writes into it first."""
    above = settings.CONFIG.home / name
    host = socket.gethostname().replace("/", "_") or "host"
    for left in above.glob(f"{host}-*"):
        pid = left.name.rpartition("-")[2]
        if pid.isdigit() and not _is_alive(int(pid)):
            shutil.rmtree(left, ignore_errors=True)
    return Path(above / f"{host}-{os.getpid()}")


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
