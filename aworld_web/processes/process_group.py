"""Children that never outlive their parent: own process groups, ended whole."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

__all__ = ["end_group", "own_folder", "runs", "tie_to_parent"]

_PR_SET_PDEATHSIG = 1
# Loaded before any fork: between fork and exec nothing may be loaded.
_LIBC = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def tie_to_parent(death_signal: int) -> Callable[[], None] | None:
    """What a child does between fork and exec so that the kernel ends it with its parent.

    Only Linux has this; elsewhere None, and a parent that is killed outright leaves its children
    to the next start, which ends them (see `leftovers`).
    """
    if _LIBC is None:
        return None
    parent, libc = os.getpid(), _LIBC

    def in_child() -> None:
        libc.prctl(_PR_SET_PDEATHSIG, death_signal)
        # The parent may have died before the call took effect.
        if os.getppid() != parent:
            os._exit(1)

    return in_child


def end_group(leader: int, number: int) -> None:
    """Send a signal to a whole process group; nothing happens where it is gone already."""
    if sys.platform == "win32":
        _send(os.kill, leader, signal.SIGTERM)
        return
    _send(os.killpg, leader, number)


def _send(send: Callable[[int, int], None], target: int, number: int) -> None:
    """Send a signal, and take a target that is gone as done."""
    try:
        send(target, number)
    except (ProcessLookupError, PermissionError):
        # macOS answers "not permitted" for a group of which only a zombie is left.
        return


def runs(pid: int) -> bool:
    """Whether this process runs; one that has ended and waits to be fetched does not."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
        return stat.rsplit(")", 1)[1].split()[0] not in {"Z", "X"}
    except OSError:
        return not Path("/proc/self").exists() and _answers(pid)


def _answers(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def own_folder(environment: Mapping[str, str]) -> str | None:
    """Where a child runs: in the data folder, since Daphne and Celery import from the folder they
    run in, and whatever lies where the command was typed is none of ours."""
    return environment.get("AWORLD_HOME")
