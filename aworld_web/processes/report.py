"""What the page is told of the set-up and the processes: `<AWORLD_HOME>/processes.json`."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Literal

import msgspec

__all__ = [
    "FILE",
    "Parent",
    "Process",
    "ProcessState",
    "Report",
    "Setup",
    "Step",
    "StepState",
    "now_us",
    "read",
    "write",
]

FILE = "processes.json"

StepState = Literal["waiting", "running", "done", "failed"]
ProcessState = Literal[
    "waiting", "starting", "running", "unresponsive", "restarting", "stopping", "stopped"
]


class Step(msgspec.Struct, kw_only=True):
    """One step of the set-up, as the page shows it."""

    name: str
    state: StepState = "waiting"
    detail: str = ""
    """One sentence: what is done, or what went wrong and its cure."""
    progress: float | None = None
    """0 to 1, or None where it cannot be told."""


class Setup(msgspec.Struct, kw_only=True):
    """How far the set-up is."""

    ready: bool = False
    """Whether a run can be started and will be worked on."""
    steps: list[Step] = []


class Process(msgspec.Struct, kw_only=True):
    """One process that the parent watches."""

    name: str
    state: ProcessState = "waiting"
    pid: int | None = None
    restarts: int = 0
    since: int = 0
    """When the state began: UTC microseconds."""
    last_line: str = ""


class Parent(msgspec.Struct, kw_only=True):
    """The process that wrote the file."""

    pid: int
    url: str
    started_at: int
    """UTC microseconds."""


class Report(msgspec.Struct, kw_only=True):
    """The whole file."""

    parent: Parent
    processes: list[Process] = []
    setup: Setup = msgspec.field(default_factory=Setup)


def now_us() -> int:
    """UTC microseconds."""
    return time.time_ns() // 1000


def write(home: Path, report: Report) -> None:
    """Replace the file in one move: a reader sees the old one or the new one. Raises OSError."""
    target = home / FILE
    fresh = target.with_name(f".{FILE}.{os.getpid()}")
    fresh.write_bytes(msgspec.json.format(msgspec.json.encode(report), indent=1))
    fresh.replace(target)


def read(home: Path) -> Report | None:
    """The report, or None where no parent has written one that can be read."""
    try:
        return msgspec.json.decode((home / FILE).read_bytes(), type=Report)
    except (OSError, msgspec.DecodeError):
        return None
