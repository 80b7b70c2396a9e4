"""What some work of this process cost, and that of another process beside it."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import NamedTuple


class Cost(NamedTuple):
    """Seconds."""

    wall_s: float
    cpu_s: float
    beside_s: float = 0.0
    """Processor time of the process beside it, such as Valkey."""


class Meter:
    """Counts from when it is made."""

    def __init__(self, beside: int | None = None) -> None:
        """`beside` is the pid of a process whose time counts too (Linux)."""
        self._beside = beside
        self._wall = time.perf_counter()
        self._cpu = time.process_time()
        self._theirs = process_cpu_s(beside) if beside else 0.0

    def cost(self) -> Cost:
        """Until now."""
        return Cost(
            time.perf_counter() - self._wall,
            time.process_time() - self._cpu,
            (process_cpu_s(self._beside) if self._beside else 0.0) - self._theirs,
        )


def process_cpu_s(pid: int) -> float:
    """User and system time of a process in seconds, to a hundredth."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
