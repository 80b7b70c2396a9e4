"""Ports on the loopback: a free one, and who has one that is taken."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import socket
import subprocess
from pathlib import Path

from aworld.errors import ConfigurationError

__all__ = ["free_port", "holder", "is_free", "require_free"]


def free_port() -> int:
    """A port that nothing listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def is_free(port: int) -> bool:
    """Whether a server could listen on this port of the loopback."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
            # A server on all addresses lets the bind pass on some systems, but not this.
            probe.listen(1)
        except OSError:
            return False
        return True


def require_free(port: int) -> None:
    """Raises ConfigurationError, which names who has the port, where it is taken."""
    if not 0 < port < 65536:
        raise ConfigurationError(f"Port {port} does not exist; choose one from 1 to 65535.")
    if is_free(port):
        return
    if port < 1024 and os.name == "posix" and os.geteuid() != 0:
        raise ConfigurationError(
            f"Port {port} is for the administrator only; choose one from 1024 up: "
            "aworld up --port 8000"
        )
    other = next((near for near in range(port + 1, port + 100) if is_free(near)), port + 1)
    raise ConfigurationError(
        f"Port {port} is taken by {holder(port) or 'another program'}. "
        f"End that, or choose another port: aworld up --port {other} "
        f"(with make: make demo ARGS='--port {other}')"
    )


def holder(port: int) -> str:
    """`'name' (process N)` of who listens on the port, or "" where that cannot be seen."""
    return _holder_by_proc(port) if Path("/proc/net/tcp").exists() else _holder_by_lsof(port)


def _holder_by_proc(port: int) -> str:
    inodes = _listening_inodes(port)
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        with contextlib.suppress(OSError):
            for handle in (folder / "fd").iterdir():
                with contextlib.suppress(OSError):
                    found = re.fullmatch(r"socket:\[(\d+)\]", str(handle.readlink()))
                    if found and found[1] in inodes:
                        name = (folder / "comm").read_text(encoding="utf-8").strip()
                        return f"'{name}' (process {folder.name})"
    return ""


def _listening_inodes(port: int) -> set[str]:
    """Inodes of the sockets that listen on the port, as the kernel's tables have them."""
    found = set()
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        with contextlib.suppress(OSError):
            for line in Path(table).read_text(encoding="ascii").splitlines()[1:]:
                fields = line.split()
                if fields[3] == "0A" and int(fields[1].rsplit(":", 1)[1], 16) == port:
                    found.add(fields[9])
    return found


def _holder_by_lsof(port: int) -> str:
    if not shutil.which("lsof"):
        return ""
    said = subprocess.run(
        ["lsof", "-nP", f"-iTCP:{port}", "-sTCP:LISTEN", "-Fpc"],
        capture_output=True,
        text=True,
        check=False,
    ).stdout.splitlines()
    pid = next((line[1:] for line in said if line.startswith("p")), "")
    name = next((line[1:] for line in said if line.startswith("c")), "")
    return f"'{name}' (process {pid})" if pid else ""
