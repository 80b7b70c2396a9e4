"""What the running installation of an AWORLD_HOME offers to scripts: its page, Redis, local model.

`aworld up` writes the two files; a script only reads them, and only while their writer lives.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

import msgspec


class Installation(NamedTuple):
    """Addresses; "" where there is none."""

    url: str = ""
    """The web page."""
    redis_url: str = ""
    local_model_url: str = ""


class _Parent(msgspec.Struct):
    pid: int
    url: str


class _Report(msgspec.Struct):
    parent: _Parent


class _Services(msgspec.Struct):
    redis_url: str = ""
    local_model_url: str = ""


def find_installation(home: Path) -> Installation:
    """What is up for this folder; all "" where nothing is."""
    try:
        report = msgspec.json.decode((home / "processes.json").read_bytes(), type=_Report)
    except (OSError, msgspec.MsgspecError):
        return Installation()
    if not _alive(report.parent.pid):
        return Installation()
    try:
        services = msgspec.json.decode((home / "services.json").read_bytes(), type=_Services)
    except (OSError, msgspec.MsgspecError):
        services = _Services()
    return Installation(report.parent.url, services.redis_url, services.local_model_url)


def run_url(home: Path, run_id: str) -> str:
    """The run's page; "" where no web server of this folder is up."""
    url = find_installation(home).url
    return f"{url.rstrip('/')}/runs/{run_id}" if url else ""


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
