"""What a parent that was killed outright may have left running, where the kernel does not help."""

from __future__ import annotations

import signal
import subprocess
import time
from pathlib import Path

from aworld_web.processes import report
from aworld_web.processes.process_group import end_group, runs

__all__ = ["end_leftovers"]

_OURS = ("aworld", "valkey", "daphne", "celery")
_GRACE_S = 5.0


def end_leftovers(home: Path) -> list[str]:
    """End the children that the last report names and that still run; their names.

    Called with the folder's lock held, so their parent is gone. A number may belong to another
    program by now: its command line decides.
    """
    last = report.read(home)
    ended = []
    for process in last.processes if last else []:
        if process.pid and runs(process.pid) and _is_ours(process.pid):
            end_group(process.pid, signal.SIGTERM)
            until = time.monotonic() + _GRACE_S
            while runs(process.pid) and time.monotonic() < until:
                time.sleep(0.05)
            end_group(process.pid, getattr(signal, "SIGKILL", signal.SIGTERM))
            ended.append(process.name)
    return ended


def _is_ours(pid: int) -> bool:
    try:
        command = Path(f"/proc/{pid}/cmdline").read_text(encoding="utf-8", errors="replace")
    except OSError:
        try:
            asked = ["ps", "-o", "command=", "-p", str(pid)]
            command = subprocess.run(asked, capture_output=True, text=True, check=False).stdout
        except OSError:
            return False
    return any(word in command for word in _OURS)
